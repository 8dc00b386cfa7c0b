import { judgeCases } from './judge.ts';

// The recorded answers about CRDs; four files, so that they run side by side.
judgeCases((name) => name.startsWith('crd/'));
