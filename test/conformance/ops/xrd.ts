import { isMap, type Value } from '../../../server/src/base/value.ts';
import { derivedCrds, xrdGroup } from '../../../server/src/crossplane/derive.ts';
import { crossplaneVersion } from '../../../server/src/crossplane/fields.ts';
import { plainValue } from '../../../server/src/gostd/json.ts';
import type { Answer, Request } from '../protocol.ts';
import { bodyOf } from './body.ts';
import { asPrinted } from './printed.ts';

/** The CRDs that Crossplane makes of an XRD, as it is stored. */
export function xrd(request: Request): Answer {
  const body = bodyOf(request, 'obj');
  if ('error' in body) return { decode: body.error };
  const obj = plainValue(body.json);
  if (!isMap(obj)) return { unsupported: 'an XRD is an object' };
  const stored = new Map<string, Value>([['by', crossplaneVersion]]);
  // Nothing is filled in any more, whichever version it was written in.
  const settled = new Map(obj).set('apiVersion', `${xrdGroup}/stored`);
  for (const derived of derivedCrds(settled)) {
    if (derived.error) stored.set(`${derived.role}Error`, derived.error.message);
    else stored.set(derived.role, asPrinted(derived.value));
  }
  return { stored };
}
