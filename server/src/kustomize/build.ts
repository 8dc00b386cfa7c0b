/** What `kustomize build` makes of a folder, with where each part of it was written. */

export { fluxSpecOf } from './addition.ts';
export { argoSpecOf } from './edited.ts';
export type { ArgoSpec, FluxSpec } from './kustomization.ts';
export { type Printed, print, textOfResource } from './print.ts';
export { build } from './run.ts';
export { mostObjects, newSession } from './session.ts';
export { pieceStarts } from './tree/read.ts';
export * from './types.ts';
