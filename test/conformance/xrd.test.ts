import { judgeCases } from './judge.ts';

// The recorded answers about what Crossplane makes of its own definitions.
judgeCases((name) => name.startsWith('xrd/'));
