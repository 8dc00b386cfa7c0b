import { judgeCases } from './judge.ts';

// The recorded answers about what Flux fills in, and which values it gives to Helm.
judgeCases((name) => name.startsWith('flux/'));
