import { isMap, type Value } from '../../../server/src/base/value.ts';
import { plainValue, readJson } from '../../../server/src/gostd/json.ts';
import { evaluationsOf, typeOf } from '../../../server/src/kubernetes/policy/evaluations.ts';
import { validateInWorlds } from '../../../server/src/kubernetes/policy/inWorlds.ts';
import { kubernetesVersion } from '../../../server/src/kubernetes/releases/all.ts';
import type { Answer, Request } from '../protocol.ts';

/** What the expressions of a file come to for one input. */
export function hostsEval(request: Request, name: string): Answer {
  const version = kubernetesVersion(name);
  const [object, input] = [valueOf(request, 'obj'), valueOf(request, 'self')];
  if (!version || !isMap(object) || !isMap(input)) return { unsupported: 'no object, or no input' };
  const { group, kind } = typeOf(object);
  // The words are those of the operation `hosts`.
  if (validateInWorlds(object, group, kind, version).length > 0) return { decode: 'refused' };
  const [whole] = evaluationsOf(object, version);
  if (!whole) return { unsupported: 'nothing is evaluated' };
  const { value = null, error, cost } = whole.ask(input);
  // The other hosts do not tell what they cost, nor does the first release that has devices.
  const isTold = whole.input === 'device' && name !== '1.31' && cost > 0;
  return {
    stored: new Map<string, Value>([
      error === undefined ? ['value', value] : ['error', error],
      ...(isTold ? ([['cost', BigInt(cost)]] as const) : []),
    ]),
  };
}

function valueOf(request: Request, member: string): Value {
  const read = readJson(request.raw(member) ?? 'null');
  return 'error' in read ? null : plainValue(read.json);
}
