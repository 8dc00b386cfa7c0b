import { judgeCases } from './judge.ts';

// The recorded answers about what kro makes of its own definitions.
judgeCases((name) => name.startsWith('rgd/'));
