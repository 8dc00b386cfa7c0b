import { judgeCases } from './judge.ts';

// The recorded answers about what kustomize builds.
judgeCases((name) => name.startsWith('kustomize/'));
