import { isString } from '../../../server/src/base/value.ts';
import { isJsonObject, type Json, plainValue } from '../../../server/src/gostd/json.ts';
import { decodeBuiltin, decodeMessage } from '../../../server/src/kubernetes/builtin/decode.ts';
import { type BuiltinKind, type BuiltinKinds, builtinKindsOf } from '../../../server/src/kubernetes/builtin/kinds.ts';
import { kubernetesVersion } from '../../../server/src/kubernetes/releases/all.ts';
import type { KubernetesVersion } from '../../../server/src/kubernetes/releases/release.ts';
import { builtinFile } from '../../support/workspace.ts';
import type { Answer, Request } from '../protocol.ts';
import { bodyOf } from './body.ts';

/** What strict decoding says of an object of a built-in kind. */
export function builtin(request: Request, name: string): Answer {
  const version = kubernetesVersion(name);
  if (!version) return { unsupported: name };
  const obj = bodyOf(request, 'obj');
  if ('error' in obj) return { decode: obj.error };
  const kinds = builtinKindsOf(builtinFile(), version);
  const key = `${textOf(obj.json, 'apiVersion')}/${textOf(obj.json, 'kind')}`;
  const kind = kinds.kinds.get(key);
  if (!kind || kind.isGone) return { unsupported: key };
  return decodedAs(request, kind, kinds, version);
}

/** The same of a kind that is known already, served or not. */
export function decodedAs(
  request: Request,
  kind: BuiltinKind,
  kinds: BuiltinKinds,
  version: KubernetesVersion,
): Answer {
  const obj = bodyOf(request, 'obj');
  if ('error' in obj) return { decode: obj.error };
  const { error, strict } = decodeBuiltin(obj.json, kind, kinds, version);
  if (error) return { decode: decodeMessage(kind, error.message) };
  const found = [...obj.strict, ...strict.map(({ message }) => message)];
  return found.length === 0 ? {} : { strict: found };
}

function textOf(json: Json, key: string): string {
  const value = isJsonObject(json) ? plainValue(json) : undefined;
  const text = value instanceof Map ? value.get(key) : undefined;
  return isString(text) ? text : '';
}
