import { quantityText } from '../../../gostd/quantity.ts';
import { child, type FieldPath } from '../../field.ts';
import { dns1123Label, dns1123Subdomain, maskTrailingDash, qualifiedName } from '../../names.ts';
import type { Fields } from './check.ts';
import { quantityIn } from './goTexts.ts';
import { configMapKey, environmentName, relaxedEnvironmentName, withoutParents } from './texts.ts';

export function validateEnvironment(container: Fields): void {
  container.each('env', (variable) => {
    variable.part(() => {
      const name = variable.text('name');
      if (name === '') variable.required('name');
      else variable.wrong(variable.at('name'), name, environmentName(name, variable.version), 'builtin/name');
    });
    variable.within('valueFrom', (from) => validateSource(from, variable));
  });
  container.each('envFrom', (from) => validateAllOf(from, container.at('envFrom')));
}

type Kind = 'fieldRef' | 'resourceFieldRef' | 'configMapKeyRef' | 'secretKeyRef' | 'fileKeyRef';

const kinds: Readonly<Record<Kind, (ref: Fields) => void>> = {
  fieldRef: (ref) => validateFieldRef(ref, ofEnvironment),
  resourceFieldRef: (ref) => validateResourceRef(ref, false),
  configMapKeyRef: keyRef,
  secretKeyRef: keyRef,
  fileKeyRef: fileRef,
};

/** Exactly one source, and no value beside it. */
function validateSource(from: Fields, variable: Fields): void {
  const { check, spot } = from;
  const { environmentFiles } = check.version.builtin;
  const known = (Object.keys(kinds) as Kind[]).filter((kind) => kind !== 'fileKeyRef' || environmentFiles);
  const given = known.filter((kind) => from.has(kind));
  for (const kind of given) from.within(kind, kinds[kind]);
  const value = variable.text('value');
  if (given.length === 0) {
    const names = known.map((kind) => `\`${kind}\``);
    const why = `must specify one of: ${names.slice(0, -1).join(', ')} or ${names.at(-1)}`;
    check.invalid(spot, '', why, 'builtin/one-of');
  } else if (value !== '') {
    check.invalid(spot, '', 'may not be specified when `value` is not empty', 'builtin/one-of');
  } else if (given.length > 1) {
    check.invalid(spot, '', 'may not have more than one field specified at a time', 'builtin/one-of');
  }
}

function keyRef(ref: Fields): void {
  const [name, key] = [ref.text('name'), ref.text('key')];
  ref.wrong(ref.at('name'), name, dns1123Subdomain(name), 'builtin/name');
  if (key === '') ref.required('key');
  else ref.wrong(ref.at('key'), key, configMapKey(key), 'builtin/name');
}

function fileRef(ref: Fields): void {
  const [key, volume, path] = [ref.text('key'), ref.text('volumeName'), ref.text('path')];
  if (key === '') ref.required('key');
  else ref.wrong(ref.at('key'), key, relaxedEnvironmentName(key), 'builtin/name');
  if (volume === '') ref.required('volumeName');
  else ref.wrong(ref.at('volumeName'), volume, dns1123Label(volume), 'builtin/name');
  if (path === '') ref.required('path');
  else ref.wrong(ref.at('path'), path, withoutParents(path));
}

/** All the keys of a ConfigMap or a Secret. Errors about the source name the whole list. */
function validateAllOf(from: Fields, list: FieldPath): void {
  const { check } = from;
  const prefix = from.text('prefix');
  if (prefix !== '') {
    from.wrong(from.at('prefix'), prefix, environmentName(prefix, check.version), 'builtin/name');
  }
  const given = ['configMapRef', 'secretRef'].filter((key) => from.has(key));
  for (const key of given) {
    from.within(key, (ref) => {
      const name = ref.text('name');
      if (name === '') ref.required('name');
      else ref.wrong(ref.at('name'), name, dns1123Subdomain(maskTrailingDash(name)), 'builtin/name');
    });
  }
  const spot: FieldPath = { parent: list, field: '', steps: from.spot.steps };
  if (given.length === 0)
    check.invalid(spot, '', 'must specify one of: `configMapRef` or `secretRef`', 'builtin/one-of');
  if (given.length > 1) {
    check.invalid(spot, '', 'may not have more than one field specified at a time', 'builtin/one-of');
  }
}

/** The fields of a pod that a container can be told. */
const ofEnvironment = [
  ...[
    'metadata.name',
    'metadata.namespace',
    'metadata.uid',
    'spec.nodeName',
    'spec.serviceAccountName',
    'status.hostIP',
  ],
  ...['status.hostIPs', 'status.podIP', 'status.podIPs'],
];

export const ofVolumes = [
  'metadata.annotations',
  'metadata.labels',
  'metadata.name',
  'metadata.namespace',
  'metadata.uid',
];

/** Those that the server can convert at all. */
const convertible: ReadonlySet<string> = new Set([
  ...[
    'metadata.annotations',
    'metadata.labels',
    'metadata.name',
    'metadata.namespace',
    'metadata.uid',
    'spec.nodeName',
  ],
  ...['spec.restartPolicy', 'spec.serviceAccountName', 'spec.schedulerName', 'status.phase', 'status.hostIP'],
  ...['status.hostIPs', 'status.podIP', 'status.podIPs'],
]);

/** A path, and the key in brackets behind it. */
function subscripted(text: string): [base?: string, key?: string] {
  const at = text.indexOf("['", 1);
  if (at < 0 || !text.endsWith("']") || at + 4 > text.length) return [];
  return [text.slice(0, at), text.slice(at + 2, -2)];
}

export function validateFieldRef(ref: Fields, allowed: readonly string[]): void {
  const { check } = ref;
  const [apiVersion, written] = [ref.text('apiVersion') || 'v1', ref.text('fieldPath')];
  if (written === '') {
    ref.required('fieldPath');
    return;
  }
  if (apiVersion !== 'v1') {
    const why = `error converting fieldPath: unsupported pod version: ${apiVersion}`;
    check.invalid(ref.at('fieldPath'), written, why);
    return;
  }
  const [base, key] = subscripted(written);
  if (base !== undefined && key !== undefined) {
    subscript(ref, written, base, key);
    return;
  }
  const path = written === 'spec.host' ? 'spec.nodeName' : written;
  if (!convertible.has(path)) {
    const why = `error converting fieldPath: field label not supported: ${written}`;
    check.invalid(ref.at('fieldPath'), written, why);
    return;
  }
  if (!allowed.includes(path)) check.unsupported(ref.at('fieldPath'), path, allowed);
}

function subscript(ref: Fields, written: string, base: string, key: string): void {
  const { check } = ref;
  if (base !== 'metadata.annotations' && base !== 'metadata.labels') {
    const why = `error converting fieldPath: field label does not support subscript: ${written}`;
    check.invalid(ref.at('fieldPath'), written, why);
    return;
  }
  const name = base === 'metadata.annotations' ? key.toLowerCase() : key;
  ref.wrong(ref.spot, name, qualifiedName(name, check.version), 'builtin/name');
}

const resources = ['cpu', 'ephemeral-storage', 'memory'];
const resourceFields = ['limits', 'requests'].flatMap((kind) => resources.map((name) => `${kind}.${name}`));
const pages = ['requests.hugepages-', 'limits.hugepages-'];

const units = ['1', ...['k', 'M', 'G', 'T', 'P', 'E'].map((unit) => `1${unit}`)];
const sizes = [...units, ...['Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei'].map((unit) => `1${unit}`)];

/** The divisors that a resource may be given in, by how its name ends, and what it is called. */
const divisors: readonly (readonly [ends: string, allowed: readonly string[], called: string])[] = [
  ['.cpu', ['1m', '1'], 'cpu'],
  ['.memory', sizes, 'memory'],
  ['.ephemeral-storage', sizes, 'local ephemeral storage'],
];

export function validateResourceRef(ref: Fields, ofVolume: boolean): void {
  const [container, resource] = [ref.text('containerName'), ref.text('resource')];
  if (ofVolume && container === '') ref.required('containerName');
  else if (resource === '') ref.required('resource');
  else if (!resourceFields.includes(resource) && !pages.some((start) => resource.startsWith(start))) {
    ref.check.unsupported(ref.at('resource'), resource, resourceFields);
  }
  divisor(ref, resource);
}

function divisor(ref: Fields, resource: string): void {
  const by = quantityIn(ref, 'divisor');
  if (!by || by.unscaled === 0n) return;
  const isPages = pages.some((start) => resource.startsWith(start));
  const plain = resourceFields.includes(resource) ? divisors.find(([ends]) => resource.endsWith(ends)) : undefined;
  const row = isPages ? (['', sizes, 'hugepages'] as const) : plain;
  if (!row || row[1].includes(quantityText(by))) return;
  const why = `only divisor's values ${row[2] === 'cpu' ? '1m and 1' : sizes.join(', ')} are supported with the ${row[2]} resource`;
  ref.check.invalid(child(ref.spot, 'divisor'), resource, why);
}
