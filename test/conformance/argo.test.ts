import { judgeCases } from './judge.ts';

// The recorded answers about what Argo CD builds.
judgeCases((name) => name.startsWith('argo/'));
