import { isMap, type Value } from '../../../server/src/base/value.ts';
import { type DerivedCrd, derivedCrds, xrdGroup } from '../../../server/src/crossplane/derive.ts';
import { crossplaneVersion } from '../../../server/src/crossplane/fields.ts';
import { plainValue } from '../../../server/src/gostd/json.ts';
import { crdStruct, emptyCrd } from '../../../server/src/kubernetes/api/crd.ts';
import { storeStruct } from '../../../server/src/kubernetes/api/store.ts';
import { decodeInto } from '../../../server/src/kubernetes/decode.ts';
import { newestVersion } from '../../../server/src/kubernetes/releases/all.ts';
import type { Answer, Request } from '../protocol.ts';
import { bodyOf } from './body.ts';

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
    else stored.set(derived.role, asPrinted(derived));
  }
  return { stored };
}

/** As Go prints the CRD. What Go would not know, or would print as something else, shows as a difference. */
function asPrinted({ value }: DerivedCrd): Value {
  const crd = emptyCrd();
  const { error, strict } = decodeInto(crdStruct.decoding, crd, value, newestVersion);
  if (error) return error.message;
  if (strict.length > 0) return strict.map(({ message }) => message);
  const stored = storeStruct(crdStruct, crd, { zeroTimestamp: false });
  for (const key of ['apiVersion', 'kind', 'status']) stored.delete(key);
  return stored;
}
