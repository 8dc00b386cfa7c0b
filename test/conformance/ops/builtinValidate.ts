import { isMap, type ValueMap } from '../../../server/src/base/value.ts';
import { plainValue } from '../../../server/src/gostd/json.ts';
import { judgeBuiltin } from '../../../server/src/kubernetes/builtin/judge.ts';
import { builtinKindsOf } from '../../../server/src/kubernetes/builtin/kinds.ts';
import { validateBuiltinUpdate } from '../../../server/src/kubernetes/builtin/validation/update.ts';
import type { Said } from '../../../server/src/kubernetes/finding.ts';
import { kubernetesVersion } from '../../../server/src/kubernetes/releases/all.ts';
import { builtinFile } from '../../support/workspace.ts';
import type { Answer, Request } from '../protocol.ts';
import { bodyOf } from './body.ts';
import { decodedAs } from './builtin.ts';

/** What the API server says about a new object of a built-in kind, or one that replaces an old one. */
export function builtinValidate(request: Request, name: string): Answer {
  const version = kubernetesVersion(name);
  if (!version) return { unsupported: name };
  const object = objectOf(request, 'obj');
  const kinds = builtinKindsOf(builtinFile(), version);
  const kind = kinds.kinds.get(`${object.get('apiVersion')}/${object.get('kind')}`);
  if (!kind || kind.isGone) return { unsupported: 'the kind' };
  const decoded = decodedAs(request, kind, kinds, version);
  if (decoded.decode) return decoded;
  const { decode, metadata, validation, warnings } = judgeBuiltin(object, kind, kinds, version);
  if (decode[0]) return { decode: decode[0].message };
  const old = request.raw('old') === undefined ? undefined : objectOf(request, 'old');
  // An update of metadata is none of the kind's own.
  const said = old ? validateBuiltinUpdate(object, old, kind, version) : [...metadata, ...validation];
  const found = said.map(({ type, field, message }: Said) => ({
    type,
    field,
    message,
  }));
  const warned = old ? [] : warnings.map(({ message }) => message);
  return {
    ...decoded,
    ...(found.length > 0 ? { errors: found } : {}),
    ...(warned.length > 0 ? { warnings: warned } : {}),
  };
}

/** The namespace is that of the request, where the object names none. */
function objectOf(request: Request, member: string): ValueMap {
  const body = bodyOf(request, member);
  const value = 'json' in body ? plainValue(body.json) : undefined;
  return isMap(value) ? value : new Map();
}
