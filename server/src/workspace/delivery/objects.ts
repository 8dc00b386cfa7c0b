/** Objects that say what is applied to a cluster, and with which values: those of Flux and Argo CD, and what they read. */
import { memo } from '../../base/memo.ts';
import { isList, isMap, isString, type Path, type Value, valueAt } from '../../base/value.ts';
import type { YamlDocument } from '../../yaml/parse.ts';
import { tolerantValueOf } from '../../yaml/tolerantValue.ts';
import { readableValue } from '../../yaml/value.ts';
import { isHelmfile, isSourceOverride } from '../fileNames.ts';
import { type Manifest, manifestsOf, metadataText, splitApiVersion } from '../manifest.ts';
import type { SourceFile } from '../sourceFile.ts';
import { baseName } from '../uri.ts';

/** By group, the kinds that are looked at. */
const kinds: ReadonlyMap<string, readonly string[]> = new Map([
  ['helm.toolkit.fluxcd.io', ['HelmRelease']],
  ['kustomize.toolkit.fluxcd.io', ['Kustomization']],
  ['source.toolkit.fluxcd.io', ['GitRepository', 'HelmRepository', 'OCIRepository', 'HelmChart', 'Bucket']],
  ['argoproj.io', ['Application', 'ApplicationSet']],
  ['', ['ConfigMap', 'Secret']],
]);

const groups = /(?:helm|kustomize|source)\.toolkit\.fluxcd\.io\/|argoproj\.io\/v1alpha1/;

/** Whether a file may hold such objects, by a look at its text; what they read values from is asked for by name. */
export function mayDeliver(text: string): boolean {
  return groups.test(text);
}

/** An object, and the file that it is in. */
export interface Delivered {
  readonly uri: string;
  readonly manifest: Manifest;
  readonly kind: string;
  readonly name: string;
  /** '' where the object says none. */
  readonly namespace: string;
  /** Of an object in which something is filled in, in several ways: which one it is, and how people name it. */
  readonly variant?: string;
  readonly variantOf?: Delivered;
  readonly shown?: string;
  /** Of what a set makes: its template, and the patch of that, filled in but not put together. */
  readonly layers?: { readonly template: Value; readonly patch: Value };
}

/** The objects of a file. Those of a document stay the same as long as that does. */
export function deliveredIn({ uri, template, stream, braces }: SourceFile): readonly Delivered[] {
  if (isSourceOverride(uri)) return overrideIn(uri, stream.documents[0]?.document);
  const read = isHelmfile(uri) ? releasesOf : deliveredOf;
  // A helmfile is rendered before it is read.
  const isLeftOut = template || (braces && isHelmfile(uri));
  return isLeftOut ? [] : stream.documents.flatMap(({ document }) => read(document, uri));
}

/** What is laid over a source, as if it were an object. */
function overrideIn(uri: string, document: YamlDocument | undefined): readonly Delivered[] {
  return document ? overrideOf(document, uri) : [];
}

const overrideOf = memo((document: YamlDocument, uri: string): readonly Delivered[] => {
  const value = readableValue(document);
  if (!isMap(value)) return [];
  const at = { role: 'resource', document, at: [] } as const;
  const manifest: Manifest = { ...at, value, apiVersion: 'argoproj.io', kind: 'source' };
  const name = baseName(uri);
  return [{ uri, manifest, kind: 'source override', name, namespace: '', shown: name }];
});

/** The releases of a helmfile, as if each were an object. */
const releasesOf = memo((document: YamlDocument, uri: string): readonly Delivered[] => {
  const releases = valueAt(tolerantValueOf(document), ['releases']);
  return (isList(releases) ? releases : []).flatMap((value, i) => {
    const name = isMap(value) ? value.get('name') : undefined;
    if (!isMap(value) || !isString(name)) return [];
    const namespace = value.get('namespace');
    const at = { role: 'resource', document, at: ['releases', i] } as const;
    const manifest: Manifest = { ...at, value, apiVersion: 'helmfile', kind: 'release' };
    return [{ uri, manifest, kind: 'helmfile release', name, namespace: isString(namespace) ? namespace : '' }];
  });
});

const deliveredOf = memo((document: YamlDocument, uri: string): readonly Delivered[] => {
  return manifestsOf(document).flatMap((manifest) => {
    const { kind, apiVersion } = manifest;
    if (!kinds.get(splitApiVersion(apiVersion).group)?.includes(kind)) return [];
    const [name, namespace] = [metadataText(manifest, 'name'), metadataText(manifest, 'namespace')];
    return name === '' ? [] : [{ uri, manifest, kind, name, namespace }];
  });
});

/** As people name it: `HelmRelease apps/shop`. */
export function nameOfDelivered({ kind, name, namespace, shown }: Delivered): string {
  if (shown !== undefined) return shown;
  return `${kind} ${namespace === '' ? name : `${namespace}/${name}`}`;
}

/** A text in an object; '' where there is none. */
export function textIn({ manifest }: Delivered, ...path: Path): string {
  const text = valueAt(manifest.value, path);
  return isString(text) ? text : '';
}
