import { isMap, isString } from '../../../server/src/base/value.ts';
import { plainValue } from '../../../server/src/go/json.ts';
import { validateExpressions } from '../../../server/src/kubernetes/policy/expressions.ts';
import { kubernetesVersion } from '../../../server/src/kubernetes/releases/all.ts';
import type { Answer, Request } from '../protocol.ts';
import { bodyOf } from './body.ts';

/** What compiling the expressions of an admission policy or of webhooks says. */
export function policy(request: Request, name: string): Answer {
  const version = kubernetesVersion(name);
  if (!version) return { unsupported: name };
  const obj = bodyOf(request, 'obj');
  if ('error' in obj) return { decode: obj.error };
  const value = plainValue(obj.json);
  const kind = isMap(value) ? value.get('kind') : undefined;
  if (!isMap(value) || !isString(kind)) return { unsupported: 'an object without kind' };
  const errors = validateExpressions(value, kind, version).map(({ type, field, message }) => ({
    type,
    field,
    message,
  }));
  return errors.length === 0 ? {} : { errors };
}
