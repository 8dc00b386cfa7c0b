import { append } from '../base/append.ts';
import { isList, isMap, isString, type Value, type ValueMap, valueAt } from '../base/value.ts';
import { compareVersions } from '../kubernetes/versionPriority.ts';
import { type FetchedCrd, FetchFailure } from '../workspace/fetcher.ts';
import { yamlName } from '../workspace/files.ts';
import type { WantedKind } from '../workspace/kinds.ts';
import { defaultLimits, sourceLimits } from '../workspace/limits.ts';
import { textOf } from '../workspace/scan.ts';
import { sourceFile } from '../workspace/sourceFile.ts';
import { walkArchive } from '../workspace/sources/archive.ts';
import { jsonObject } from '../workspace/sources/json.ts';
import { kindOf } from '../workspace/sources/lock.ts';
import { type CatalogueVersion, turnedBack } from '../workspace/sources/turnBack.ts';
import { renderBlock } from '../yaml/render.ts';

const style = { eol: '\n', step: 2, indentLists: false };

/** The CRDs in a text of YAML or JSON, each as it is kept. */
export function crdsIn(text: string, name: string): FetchedCrd[] {
  const objects = /^\s*\{\s*["}]/.test(text) ? objectsInJson(text) : objectsInYaml(text, name);
  return objects.flatMap((object) => {
    const [group, kind] = [valueAt(object, ['spec', 'group']), valueAt(object, ['spec', 'names', 'kind'])];
    const isCrd = object.get('kind') === 'CustomResourceDefinition' && object.get('apiVersion') === crdVersion;
    if (!isCrd || !isString(group) || !isString(kind)) return [];
    return [{ group, kind, text: `${renderBlock(kept(object), 0, style)}\n` }];
  });
}

const crdVersion = 'apiextensions.k8s.io/v1';

function objectsInYaml(text: string, name: string): ValueMap[] {
  return sourceFile(`file:///${name}`, text).manifests.map(({ value }) => value);
}

/** What kubectl gives of a cluster is much: nobody looks at places in it, so that the YAML reader would be a waste. */
function objectsInJson(text: string): ValueMap[] {
  const root = jsonObject(text);
  const items = root?.get('items');
  const objects: readonly Value[] = isList(items) ? items : root ? [root] : [];
  return objects.filter(isMap);
}

/** Annotations that the API server or a reader of the CRD looks at. */
const keptAnnotations: readonly string[] = [
  'api-approved.kubernetes.io',
  'controller-gen.kubebuilder.io/version',
  'cert-manager.io/inject-ca-from',
];

/**
 * A CRD without what a cluster or an installer adds to it and changes again: owners, times, a status, a certificate that
 * is renewed.
 */
function kept(crd: ValueMap): Value {
  const annotations = valueAt(crd, ['metadata', 'annotations']);
  const known = isMap(annotations) ? [...annotations].filter(([key]) => keptAnnotations.includes(key)) : [];
  const metadata = new Map<string, Value>([
    ['name', valueAt(crd, ['metadata', 'name']) ?? ''],
    ...(known.length > 0 ? [['annotations', new Map(known)] as const] : []),
  ]);
  const entries = [...crd].filter(([key]) => key !== 'status' && key !== 'metadata');
  return without(new Map([...entries.slice(0, 2), ['metadata', metadata], ...entries.slice(2)]), [
    'spec',
    'conversion',
    'webhook',
    'clientConfig',
    'caBundle',
  ]);
}

/** A value without what is at a path. */
function without(value: Value, [step, ...rest]: readonly string[]): Value {
  if (!isMap(value) || step === undefined || !value.has(step)) return value;
  const map = new Map(value);
  if (rest.length === 0) map.delete(step);
  else map.set(step, without(value.get(step)!, rest));
  return map;
}

/** The CRDs in an archive of a chart. */
export async function crdsInArchive(bytes: Uint8Array, name: string): Promise<FetchedCrd[]> {
  const found: FetchedCrd[] = [];
  const notes = await walkArchive(
    bytes,
    { ...sourceLimits, fileBytes: defaultLimits.fileBytes },
    {
      wants: (path) => yamlName.test(path),
      take: (path, content) => {
        const text = textOf(content);
        if (text?.includes('CustomResourceDefinition')) append(found, crdsIn(text, path));
      },
    },
  );
  if (notes.length > 0) throw new FetchFailure(`${name}: ${notes[0]}`);
  return largest(found);
}

/** Of several CRDs of a kind, such as a standard and an experimental one, the one that says most. */
export function largest(crds: readonly FetchedCrd[]): FetchedCrd[] {
  const byKind = new Map<string, FetchedCrd>();
  for (const crd of crds) {
    const known = byKind.get(kindOf(crd));
    if (!known || known.text.length < crd.text.length) byKind.set(kindOf(crd), crd);
  }
  return [...byKind.values()];
}

/** A CRD made from the schemas of a kind's versions. */
export function crdOf(
  { group, kind }: Pick<WantedKind, 'group' | 'kind'>,
  found: readonly CatalogueVersion[],
): FetchedCrd {
  const versions = [...found].sort((a, b) => compareVersions(a.version, b.version));
  const text = turnedBack({ group, kind }, versions);
  return { group, kind, text, fromSchema: versions.map(({ version }) => version) };
}
