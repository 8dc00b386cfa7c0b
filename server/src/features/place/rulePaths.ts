import { isList, isMap, isString, type Path, type Value } from '../../base/value.ts';
import type { Manifest } from '../../workspace/manifest.ts';
import { fileAt, type Snapshot } from '../../workspace/snapshot.ts';
import { placedIn } from '../../workspace/sourceFile.ts';
import { crdsFrom } from '../../workspace/xrd.ts';
import type { PlacedDocument } from '../../yaml/parse.ts';

const expressions = ['rule', 'messageExpression'] as const;

/** The paths of all expressions below a value. */
export function rulePaths(value: Value, keywords: readonly string[] = expressions, path: Path = []): Path[] {
  if (isList(value)) return value.flatMap((item, i) => rulePaths(item, keywords, [...path, i]));
  if (!isMap(value)) return [];
  return [...value].flatMap(([key, item]) => {
    const at = [...path, key];
    if (key !== 'x-kubernetes-validations' || !isList(item)) return rulePaths(item, keywords, at);
    return item.flatMap((rule, i) =>
      isMap(rule) ? keywords.filter((word) => isString(rule.get(word))).map((word) => [...at, i, word]) : [],
    );
  });
}

/** The objects of a file, each with the place of its document. */
export function manifestsIn(snapshot: Snapshot, uri: string): { manifest: Manifest; placed: PlacedDocument }[] {
  const file = fileAt(snapshot, uri);
  if (!file || file.template) return [];
  return file.manifests.flatMap((manifest) => {
    const placed = placedIn(file, manifest.document);
    return placed ? [{ manifest, placed }] : [];
  });
}

/**
 * The CRDs among them; of an XRD that of its composite resources, in which all is that it says. The rules of an RGD are parts of
 * texts, and nothing is shown at them.
 */
export function crdsOf(snapshot: Snapshot, uri: string): { manifest: Manifest; placed: PlacedDocument }[] {
  return manifestsIn(snapshot, uri).flatMap(({ manifest, placed }) =>
    crdsFrom(manifest)
      .filter(({ madeOf }) => madeOf?.role !== 'instance')
      .slice(0, 1)
      .map((crd) => ({ manifest: crd, placed })),
  );
}
