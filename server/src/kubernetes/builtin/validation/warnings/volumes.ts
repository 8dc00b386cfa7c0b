import { quote } from '../../../../gostd/quote.ts';
import { child, type FieldPath } from '../../../field.ts';
import type { Fields } from '../check.ts';
import { warnOfFractions } from './quantities.ts';

/** Kinds of volumes that are no more, with the names that the server gives them, and what it says of them. */
const goneVolumes: readonly (readonly [key: string, field: string, detail: string])[] = [
  ['photonPersistentDisk', 'photonPersistentDisk', 'deprecated in v1.11, non-functional in v1.16+'],
  ['scaleIO', 'scaleIO', 'deprecated in v1.16, non-functional in v1.22+'],
  ['flocker', 'flocker', 'deprecated in v1.22, non-functional in v1.25+'],
  ['storageos', 'storageOS', 'deprecated in v1.22, non-functional in v1.25+'],
  ['quobyte', 'quobyte', 'deprecated in v1.22, non-functional in v1.25+'],
  ['glusterfs', 'glusterfs', 'deprecated in v1.25, non-functional in v1.26+'],
  ['cephfs', 'cephfs', 'deprecated in v1.28, non-functional in v1.31+'],
  ['rbd', 'rbd', 'deprecated in v1.28, non-functional in v1.31+'],
];

/** Of PersistentVolumes nothing is said of those that are not listed here. */
const saidOfPersistent: ReadonlySet<string> = new Set([
  ...['photonPersistentDisk', 'scaleIO', 'storageos', 'glusterfs', 'cephfs', 'rbd'],
]);

export function warnOfGoneVolumes(volume: Fields, isPersistent: boolean): void {
  for (const [key, field, detail] of goneVolumes) {
    if (isPersistent && !saidOfPersistent.has(key)) continue;
    if (volume.has(key)) volume.check.warn(child(volume.spot, field, [key]), detail);
  }
}

export function warnOfVolumes(spec: Fields): void {
  const { check } = spec;
  const { gitRepo, overlappingPaths } = check.version.builtin.warnings;
  spec.each('volumes', (volume) => {
    warnOfGoneVolumes(volume, false);
    if (volume.has('gitRepo')) check.warn(volume.at('gitRepo'), gitRepo);
    const template = volume.object('ephemeral').pointer('volumeClaimTemplate');
    if (template) warnOfClaimSpec(template.object('spec'));
  });
  if (overlappingPaths !== 'unknown') spec.each('volumes', warnOfPaths);
}

/** What a claim asks for, in whole bytes. `spot` is what the server takes its place for. */
export function warnOfClaimSpec(spec: Fields, spot: FieldPath = spec.spot): void {
  const resources = spec.object('resources', child(spot, 'resources'));
  warnOfFractions(resources, 'requests', ['storage']);
  warnOfFractions(resources, 'limits', ['storage']);
}

/** A file of a volume, and where it comes from. */
interface Placed {
  readonly path: string;
  readonly source: string;
  readonly spot: FieldPath;
}

function warnOfPaths(volume: Fields): void {
  const [config, secret, downward] = [
    volume.pointer('configMap'),
    volume.pointer('secret'),
    volume.pointer('downwardAPI'),
  ];
  if (config) warnOfOverlaps(volume, `ConfigMap ${quote(config.text('name'))}`, filesOf(config, ''));
  if (secret) warnOfOverlaps(volume, `Secret ${quote(secret.text('secretName'))}`, filesOf(secret, ''));
  if (downward) warnOfOverlaps(volume, 'DownwardAPI', filesOf(downward, ''));
  const projected = volume.pointer('projected');
  if (projected) warnOfOverlaps(volume, 'Projected', projectedFiles(volume, projected));
}

function filesOf(source: Fields, name: string): Placed[] {
  return source.items('items').map((item) => ({ path: item.text('path'), source: name, spot: item.at('path') }));
}

function projectedFiles(volume: Fields, projected: Fields): Placed[] {
  const { check } = volume;
  const repeats = check.version.builtin.warnings.overlappingPaths === 'repeats';
  const all: Placed[] = [];
  let last: readonly Placed[] = [];
  for (const source of projected.items('sources')) {
    if (isEmpty(source)) {
      check.say(source.spot, `volume ${quote(volume.text('name'))} (Projected) has no sources provided`);
      continue;
    }
    // Older servers take the files of the source before for those of one that names none.
    last = projectedFilesOf(source) ?? (repeats ? last : []);
    for (const file of last) all.push(file);
  }
  return all;
}

function isEmpty(source: Fields): boolean {
  const { trustBundles, podCertificates } = source.version.builtin;
  const known = ['secret', 'configMap', 'downwardAPI', 'serviceAccountToken'];
  if (trustBundles) known.push('clusterTrustBundle');
  if (podCertificates) known.push('podCertificate');
  return !known.some((key) => source.has(key));
}

/** Undefined where the source names no files. */
function projectedFilesOf(source: Fields): Placed[] | undefined {
  const { trustBundles, podCertificates } = source.version.builtin;
  const [config, secret, downward] = [
    source.pointer('configMap'),
    source.pointer('secret'),
    source.pointer('downwardAPI'),
  ];
  if (config?.has('items')) return filesOf(config, `ConfigMap ${quote(config.text('name'))}`);
  if (secret?.has('items')) return filesOf(secret, `Secret ${quote(secret.text('name'))}`);
  if (downward?.has('items')) return filesOf(downward, 'DownwardAPI');
  const token = source.pointer('serviceAccountToken');
  if (token) return [{ path: token.text('path'), source: 'ServiceAccountToken', spot: token.at('path') }];
  const bundle = trustBundles ? source.pointer('clusterTrustBundle') : undefined;
  if (bundle) {
    const name = bundle.pointed('name') ?? bundle.text('signerName');
    return [{ path: bundle.text('path'), source: `ClusterTrustBundle ${quote(name)}`, spot: bundle.at('path') }];
  }
  const certificate = podCertificates ? source.pointer('podCertificate') : undefined;
  return certificate && certificateFiles(certificate);
}

const certificatePaths = [
  ['certificateChainPath', 'PodCertificate chain'],
  ['keyPath', 'PodCertificate key'],
  ['credentialBundlePath', 'PodCertificate credential bundle'],
] as const;

function certificateFiles(certificate: Fields): Placed[] {
  return certificatePaths
    .map(([key, source]) => ({ path: certificate.text(key), source, spot: certificate.at(key) }))
    .filter(({ path }) => path !== '');
}

/** Each file is compared with all before it in its volume: more than these are not. */
const mostFiles = 300;

/** Each file that is another one, or is in a folder that is to be a file. */
function warnOfOverlaps(volume: Fields, kind: string, files: readonly Placed[]): void {
  const { check } = volume;
  const before: (Placed & { readonly folder: string })[] = [];
  for (const file of files.slice(0, mostFiles)) {
    const path = withoutSlashes(file.path);
    if (path === '') continue;
    const one = { ...file, path, folder: `${path}/` };
    for (const other of before) {
      if (!one.folder.startsWith(other.folder) && !other.folder.startsWith(one.folder)) continue;
      const what = `${placeText(one)} with ${placeText(other)}`;
      check.say(one.spot, `volume ${quote(volume.text('name'))} (${kind}): overlapping paths: ${what}`);
    }
    before.push(one);
  }
}

function withoutSlashes(path: string): string {
  let end = path.length;
  while (path[end - 1] === '/') end--;
  return path.slice(0, end);
}

function placeText({ path, source }: Placed): string {
  return source === '' ? quote(path) : `${quote(path)} (${source})`;
}
