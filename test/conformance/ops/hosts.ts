import { isMap, isString } from '../../../server/src/base/value.ts';
import { plainValue } from '../../../server/src/gostd/json.ts';
import { validateInWorlds } from '../../../server/src/kubernetes/policy/inWorlds.ts';
import { kubernetesVersion } from '../../../server/src/kubernetes/releases/all.ts';
import type { Answer, Request } from '../protocol.ts';
import { bodyOf } from './body.ts';

/** What is said about expressions that are none of admission. */
export function hosts(request: Request, name: string): Answer {
  const version = kubernetesVersion(name);
  if (!version) return { unsupported: name };
  const obj = bodyOf(request, 'obj');
  if ('error' in obj) return { decode: obj.error };
  const value = plainValue(obj.json);
  const [kind, apiVersion] = isMap(value) ? [value.get('kind'), value.get('apiVersion')] : [];
  if (!isMap(value) || !isString(kind) || !isString(apiVersion)) return { unsupported: 'an object without kind' };
  const group = apiVersion.split('/')[0]!;
  const errors = validateInWorlds(value, group, kind, version).map(({ type, field, message }) => {
    return { type, field, message };
  });
  return errors.length === 0 ? {} : { errors };
}
