import { isMap, type Value, type ValueMap } from '../../../server/src/base/value.ts';
import { plainValue } from '../../../server/src/gostd/json.ts';
import type { Mistake } from '../../../server/src/kro/applyMarkers.ts';
import { madeOfRgd } from '../../../server/src/kro/derive.ts';
import { kroVersion } from '../../../server/src/kro/version.ts';
import { crdStruct, emptyCrd } from '../../../server/src/kubernetes/api/crd.ts';
import { storeStruct } from '../../../server/src/kubernetes/api/store.ts';
import { decodeInto } from '../../../server/src/kubernetes/decode.ts';
import { newestVersion } from '../../../server/src/kubernetes/releases/all.ts';
import type { Answer, Request } from '../protocol.ts';
import { bodyOf } from './body.ts';

/** The CRD that kro makes of an RGD, as it is stored, without the status that the RGD writes. */
export function rgd(request: Request): Answer {
  const body = bodyOf(request, 'obj');
  if ('error' in body) return { decode: body.error };
  const obj = plainValue(body.json);
  if (!isMap(obj)) return { unsupported: 'an RGD is an object' };
  const { value, mistakes } = madeOfRgd(withoutStatus(obj));
  const stored = new Map<string, Value>([['by', kroVersion]]);
  if (mistakes.length > 0) stored.set('errors', saidOf(mistakes));
  else stored.set('crd', asPrinted(value));
  return { stored };
}

function withoutStatus(rgd: ValueMap): ValueMap {
  const [spec, schema] = [rgd.get('spec'), (rgd.get('spec') as ValueMap | undefined)?.get('schema')];
  if (!isMap(spec) || !isMap(schema)) return rgd;
  return new Map(rgd).set('spec', new Map(spec).set('schema', new Map(schema).set('status', new Map())));
}

/** Names are looked at in order; of a schema, kro says any one. */
function saidOf(mistakes: readonly Mistake[]): Value {
  const first = mistakes[0]!;
  if (first.message.startsWith('failed to validate')) return [first.message];
  // What is not JSON is noticed when all is made.
  const earlier = mistakes.filter(({ isUnprintable }) => !isUnprintable);
  return earlier.length === 0 ? ['not JSON'] : [...new Set(earlier.map(({ message }) => message))].sort();
}

/** As Go prints the CRD. What Go would not know, or would print as something else, shows as a difference. */
function asPrinted(value: ValueMap): Value {
  const crd = emptyCrd();
  const { error, strict } = decodeInto(crdStruct.decoding, crd, value, newestVersion);
  if (error) return error.message;
  if (strict.length > 0) return strict.map(({ message }) => message);
  const stored = storeStruct(crdStruct, crd, { zeroTimestamp: false });
  for (const key of ['apiVersion', 'kind', 'status']) stored.delete(key);
  return stored;
}
