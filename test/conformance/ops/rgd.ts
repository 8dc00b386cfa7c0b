import { isMap, type Value, type ValueMap } from '../../../server/src/base/value.ts';
import { plainValue } from '../../../server/src/gostd/json.ts';
import { madeOfRgd } from '../../../server/src/kro/derive.ts';
import type { Mistake } from '../../../server/src/kro/markers.ts';
import { kroVersion } from '../../../server/src/kro/version.ts';
import type { Answer, Request } from '../protocol.ts';
import { bodyOf } from './body.ts';
import { asPrinted } from './printed.ts';

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
