import { memo } from '../base/memo.ts';
import { isJsonList, isJsonObject, type Json, readJson } from '../gostd/json.ts';
import type { KubernetesVersion } from '../kubernetes/releases/release.ts';
import { unrecognized } from './answers.ts';
import { readBody } from './bodies.ts';
import type { JsonValue } from './json.ts';
import type { Asked, Place } from './places.ts';
import { type Reply, status } from './replies.ts';

// What is wrong with a request whatever there is, in the server's words.

/** Undefined where nothing is. */
export function mistakeIn(asked: Asked, { resource }: Place, kubernetes: KubernetesVersion): Reply | undefined {
  return (
    wrongDeletion(asked) ??
    wrongOptions(asked, kubernetes) ??
    (kubernetes.transcodesPatches ? notJson(asked) : undefined) ??
    wrongYaml(asked, resource.kind, kubernetes)
  );
}

/** A body is looked at by several, and read once. */
const jsonOf = memo(({ body }: Asked) => readJson(body));

// Options

const optionKinds: ReadonlyMap<string, string> = new Map([
  ['POST', 'CreateOptions'],
  ['PUT', 'UpdateOptions'],
  ['PATCH', 'PatchOptions'],
  ['DELETE', 'DeleteOptions'],
]);

const validations = ['', 'Ignore', 'Strict', 'Warn'];

function wrongOptions(asked: Asked, { jsonValues }: KubernetesVersion): Reply | undefined {
  const kind = optionKinds.get(asked.method);
  if (kind === undefined) return undefined;
  const dryRun = dryRunIn(asked);
  const validation = asked.method === 'DELETE' ? '' : (asked.query.get('fieldValidation') ?? '');
  const shown = jsonValues
    ? JSON.stringify(dryRun)
    : `[]string{${dryRun.map((one) => JSON.stringify(one)).join(', ')}}`;
  const causes = [
    ...(dryRun.every((one) => one === 'All') ? [] : [unsupported('dryRun', shown, ['All'])]),
    ...(validations.includes(validation)
      ? []
      : [unsupported('fieldValidation', JSON.stringify(validation), validations)]),
  ];
  if (causes.length === 0) return undefined;
  const texts = causes.map(({ field, message }) => `${field}: ${message}`);
  const all = texts.length === 1 ? texts[0] : `[${texts.join(', ')}]`;
  return status(422, 'Invalid', `${kind}.meta.k8s.io "" is invalid: ${all}`, { group: 'meta.k8s.io', kind, causes });
}

function unsupported(field: string, shown: string, known: readonly string[]) {
  const names = known.map((one) => JSON.stringify(one)).join(', ');
  return {
    reason: 'FieldValueNotSupported',
    message: `Unsupported value: ${shown}: supported values: ${names}`,
    field,
  };
}

/** Those of a deletion may come in its body, and then count alone. */
function dryRunIn(asked: Asked): readonly string[] {
  const { method, body, query } = asked;
  const sent = method === 'DELETE' && body !== '' ? jsonOf(asked) : undefined;
  const options = sent && 'json' in sent && isJsonObject(sent.json) ? sent.json : undefined;
  const given = options instanceof Map ? options.get('dryRun') : undefined;
  if (isJsonList(given)) return given.map(String);
  return query.getAll('dryRun').filter((one) => one !== '');
}

/** The options of a deletion, which are an object of a kind of their own. */
function wrongDeletion(asked: Asked): Reply | undefined {
  const { method, body, type } = asked;
  if (method !== 'DELETE' || body === '' || type.includes('yaml')) return undefined;
  const read = jsonOf(asked);
  const why = 'error' in read ? read.error.message : headMistake(read.json);
  if (why !== undefined) return badRequest(`couldn't get version/kind; json parse error: ${why}`);
  const head = 'json' in read && read.json instanceof Map ? read.json : new Map<string, Json>();
  const [kind, version] = [head.get('kind') ?? '', head.get('apiVersion') ?? 'meta.k8s.io/v1'];
  if (kind === '' || kind === 'DeleteOptions') return undefined;
  return badRequest(
    `no kind ${JSON.stringify(kind)} is registered for version ${JSON.stringify(version)} in scheme "pkg/runtime/scheme.go:111"`,
  );
}

const headType =
  'struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }';

function headMistake(json: Json): string | undefined {
  return json === null || isJsonObject(json) ? undefined : cannotUnmarshal(json, headType);
}

function badRequest(message: string): Reply {
  return status(400, 'BadRequest', message);
}

function wrongYaml(
  { method, body, type }: Asked,
  kind: string,
  { transcodesPatches }: KubernetesVersion,
): Reply | undefined {
  if (!type.includes('yaml') || method === 'DELETE' || method === 'GET') return undefined;
  const read = readBody({ text: body, isYaml: true });
  if (!('error' in read)) return undefined;
  if (method !== 'PATCH') return badRequest(unrecognized(kind, read.error, body));
  const lead = transcodesPatches ? 'error encoding patch' : 'error decoding YAML: error converting YAML to JSON';
  return badRequest(`${lead}: ${read.error}`);
}

// Patches

/** What is recorded in audit logs has to be JSON. */
function notJson(asked: Asked): Reply | undefined {
  const isPatch = asked.method === 'PATCH' && !asked.type.includes('yaml');
  return isPatch && 'error' in jsonOf(asked) ? badRequest('invalid JSON patch') : undefined;
}

export type PatchType = 'merge' | 'json' | 'strategic';

/** A patch as it is to be applied, or why it is none. */
export function readPatch(asked: Asked, type: PatchType): { readonly patch: JsonValue } | { readonly wrong: Reply } {
  const read = jsonOf(asked);
  const lead = type === 'strategic' ? '' : 'error decoding patch: ';
  const wrong = (why: string) => ({ wrong: badRequest(`${lead}${why}`) });
  if ('error' in read) return wrong(read.error.message);
  const { json } = read;
  if (type === 'json') {
    if (json !== null && !isJsonList(json)) return wrong(cannotUnmarshal(json, '[]handlers.jsonPatchOp'));
    const odd = (json ?? []).find((one) => one !== null && !isJsonObject(one));
    if (odd !== undefined) return wrong(cannotUnmarshal(odd, 'handlers.jsonPatchOp'));
  } else if (json === null) {
    return type === 'merge' ? { wrong: badRequest('Invalid JSON Patch') } : { patch: {} };
  } else if (!isJsonObject(json)) return wrong(cannotUnmarshal(json, 'map[string]interface {}'));
  return { patch: JSON.parse(asked.body) };
}

function cannotUnmarshal(json: Json, goType: string): string {
  const is = isJsonList(json) ? 'array' : isJsonObject(json) ? 'object' : typeof json;
  const named = is === 'boolean' ? 'bool' : is === 'string' || is === 'array' || is === 'object' ? is : 'number';
  return `json: cannot unmarshal ${named} into Go value of type ${goType}`;
}
