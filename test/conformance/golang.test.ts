import { judgeCases } from './judge.ts';

// The recorded answers about what controller-gen makes of Go types.
judgeCases((name) => name.startsWith('golang/'));
