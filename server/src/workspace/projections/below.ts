import type { DocumentPath, ManifestPath } from '../../base/value.ts';
import type { Projection } from './projection.ts';

/** An object in a document: all of it is written below one path. */
export function below(at: DocumentPath): Projection<ManifestPath, DocumentPath> {
  return {
    written: (path) => [{ place: [...at, ...path], how: 'written' }],
    made: (path) => (at.every((step, i) => path[i] === step) ? [path.slice(at.length)] : []),
  };
}
