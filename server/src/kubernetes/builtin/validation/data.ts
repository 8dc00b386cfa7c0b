import { isString, valueAt } from '../../../base/value.ts';
import { decodeBase64 } from '../../../gostd/base64.ts';
import { byteLength, goText, utf8 } from '../../../gostd/bytes.ts';
import { isJsonList, isJsonObject, readJson } from '../../../gostd/json.ts';
import { child, type FieldPath, key as keyed, rootPath } from '../../field.ts';
import type { Fields } from './check.ts';
import { configMapKey } from './texts.ts';

const largest = 1024 * 1024;

/** What a value takes, which is written in base64. */
function sizeOf(base64: string): number {
  const decoded = decodeBase64(utf8(base64));
  return 'bytes' in decoded ? decoded.bytes.length : 0;
}

export function validateConfigMap(map: Fields): void {
  const [data, binary] = [map.textMap('data'), map.textMap('binaryData')];
  let size = 0;
  for (const [name, text] of data ?? []) {
    const spot = keyed(map.at('data'), name);
    map.check.invalidKey(spot, name, configMapKey(name));
    if (binary?.has(name)) map.check.invalid(spot, name, 'duplicate of key present in binaryData');
    size += byteLength(text);
  }
  for (const [name, text] of binary ?? []) {
    map.check.invalidKey(keyed(map.at('binaryData'), name), name, configMapKey(name));
    size += sizeOf(text);
  }
  if (size > largest) map.check.tooLong({ ...rootPath, parent: undefined, field: '', steps: ['data'] }, largest);
}

/** Types that ask for keys, and whether one of them is enough. */
const asked: ReadonlyMap<string, { readonly keys: readonly string[]; readonly any?: true }> = new Map([
  ['kubernetes.io/dockercfg', { keys: ['.dockercfg'] }],
  ['kubernetes.io/dockerconfigjson', { keys: ['.dockerconfigjson'] }],
  ['kubernetes.io/basic-auth', { keys: ['username', 'password'], any: true as const }],
  ['kubernetes.io/ssh-auth', { keys: ['ssh-privatekey'] }],
  ['kubernetes.io/tls', { keys: ['tls.crt', 'tls.key'] }],
]);

const serviceAccount = 'kubernetes.io/service-account.name';

/** The server writes the texts of `stringData` over the data. */
export function validateSecret(secret: Fields): void {
  const { check } = secret;
  const data = dataOf(secret);
  let size = 0;
  for (const [name, { place, bytes }] of data) {
    size += bytes;
    const spot: FieldPath = { ...keyed(secret.at('data'), name), steps: [] };
    check.invalidKey(
      { ...spot, parent: { ...secret.at('data'), steps: [] }, steps: [place, name] },
      name,
      configMapKey(name),
    );
  }
  if (size > largest) check.tooLong(secret.at('data'), largest);
  const type = secret.text('type');
  if (type === 'kubernetes.io/service-account-token') {
    const name = secret.object('metadata').textMap('annotations')?.get(serviceAccount) ?? '';
    if (name === '') check.required(keyed(child(secret.at('metadata'), 'annotations'), serviceAccount));
  }
  const wanted = asked.get(type);
  if (!wanted) return;
  const written = inJson.has(type) ? wanted.keys[0]! : undefined;
  if (written !== undefined && data.has(written)) validateDocker(secret, written, data.get(written)!);
  const missing = wanted.keys.filter(
    (name) => !data.has(name) || (name === 'ssh-privatekey' && data.get(name)!.bytes === 0),
  );
  if (missing.length === 0 || (wanted.any && missing.length < wanted.keys.length)) return;
  for (const name of missing) {
    const steps = secret.map.has('data') || !secret.map.has('stringData') ? 'data' : 'stringData';
    check.required({
      ...keyed({ ...secret.at('data'), steps: secret.map.has(steps) ? [steps] : [] }, name),
      steps: [name],
    });
  }
}

/** Types whose data is an object in JSON. */
const inJson: ReadonlySet<string> = new Set(['kubernetes.io/dockercfg', 'kubernetes.io/dockerconfigjson']);

function validateDocker(secret: Fields, name: string, { place }: Item): void {
  const value = valueAt(secret.map, [place, name]);
  // What is filled in later may be anything.
  if (value !== null && !isString(value)) return;
  const why = whyNoObject(place === 'data' ? textOf(value ?? '') : (value ?? ''));
  if (why === undefined) return;
  const spot: FieldPath = { ...keyed(secret.at('data'), name), steps: [] };
  const parent = { ...secret.at('data'), steps: [] };
  secret.check.invalid({ ...spot, parent, steps: [place, name] }, '<secret contents redacted>', why);
}

function textOf(base64: string): string {
  const decoded = decodeBase64(utf8(base64));
  return 'bytes' in decoded ? goText(decoded.bytes) : '';
}

/** Go's words where a text is not an object in JSON, or nothing. */
function whyNoObject(text: string): string | undefined {
  const read = readJson(text);
  if ('error' in read) return read.error.message;
  const { json } = read;
  if (json === null || isJsonObject(json)) return undefined;
  const kind = isJsonList(json)
    ? 'array'
    : typeof json === 'string'
      ? 'string'
      : typeof json === 'boolean'
        ? 'bool'
        : 'number';
  return `json: cannot unmarshal ${kind} into Go value of type map[string]interface {}`;
}

interface Item {
  readonly place: 'data' | 'stringData';
  readonly bytes: number;
}

function dataOf(secret: Fields): Map<string, Item> {
  const found = new Map<string, Item>();
  for (const [name, text] of secret.textMap('data') ?? []) found.set(name, { place: 'data', bytes: sizeOf(text) });
  for (const [name, text] of secret.textMap('stringData') ?? []) {
    found.set(name, { place: 'stringData', bytes: byteLength(text) });
  }
  return found;
}
