import { isMap, isString, type Value, type ValueMap, valueAt } from '../../../server/src/base/value.ts';
import { mapOfPairs, type Val } from '../../../server/src/cel/eval/values.ts';
import { plainValue, readJson } from '../../../server/src/gostd/json.ts';
import { plainVal } from '../../../server/src/kubernetes/cel/values.ts';
import { annotationOf, evaluator, namespaceValue, unknown } from '../../../server/src/kubernetes/policy/evaluate.ts';
import { kubernetesVersion } from '../../../server/src/kubernetes/releases/all.ts';
import type { Answer, Request } from '../protocol.ts';

/** What the validator of admission policies comes to for one request. */
export function policyEval(request: Request, name: string): Answer {
  const version = kubernetesVersion(name);
  if (!version) return { unsupported: name };
  const policy = valueOf(request, 'obj');
  const object = valueOf(request, 'self');
  if (!isMap(policy) || !isMap(object)) return { unsupported: 'no policy, or no object' };
  const old = valueOf(request, 'oldSelf');
  const namespace = valueOf(request, 'namespace');
  const brought = new Map<string, Val>([
    ['object', plainVal(object)],
    ['oldObject', plainVal(old)],
    ['params', plainVal(valueOf(request, 'params'))],
    ['request', requestOf(object, old)],
    ['namespaceObject', isMap(namespace) ? plainVal(namespaceValue(namespace)) : null],
    ['authorizer', unknown('the authorizer')],
  ]);
  const verdict = evaluator(policy, version)(brought);
  const decisions = verdict.decisions.map(
    ({ action, message }) =>
      new Map([
        ['action', action],
        ['message', message],
      ]),
  );
  const annotations = verdict.annotations.map((one) => {
    const value = annotationOf(one) ?? '';
    const key = valueAt(policy, [...one.path.slice(0, -1), 'key']);
    const action =
      one.failed !== undefined ? (denies(policy) ? 'error' : 'exclude') : value === '' ? 'exclude' : 'publish';
    return new Map<string, Value>([
      ['key', isString(key) ? key : ''],
      ['action', action],
      ['value', value],
      ['error', one.failed ?? ''],
    ]);
  });
  return {
    stored: new Map<string, Value>([
      ['annotations', annotations],
      // What annotations cost cannot be told apart there.
      ...(annotations.length === 0 ? [['cost', BigInt(verdict.cost)] as const] : []),
      ['decisions', decisions],
    ]),
  };
}

function denies(policy: ValueMap): boolean {
  return valueAt(policy, ['spec', 'failurePolicy']) !== 'Ignore';
}

function valueOf(request: Request, member: string): Value {
  const read = readJson(request.raw(member) ?? 'null');
  return 'error' in read ? null : plainValue(read.json);
}

/** As the oracle makes it: by someone, with options that hold nothing. */
function requestOf(object: ValueMap, old: Value): Val {
  const text = (path: readonly string[]) => {
    const value = valueAt(object, path);
    return isString(value) ? value : '';
  };
  const [version = '', group = ''] = text(['apiVersion']).split('/').reverse();
  const kind = text(['kind']);
  const kinds = mapOfPairs([
    ['group', group],
    ['version', version],
    ['kind', kind],
  ]);
  const resources = mapOfPairs([
    ['group', group],
    ['version', version],
    ['resource', `${kind.toLowerCase()}s`],
  ]);
  return mapOfPairs([
    ['kind', kinds],
    ['resource', resources],
    ['requestKind', kinds],
    ['requestResource', resources],
    ['name', text(['metadata', 'name'])],
    ['namespace', text(['metadata', 'namespace'])],
    ['operation', old === null ? 'CREATE' : 'UPDATE'],
    ['userInfo', mapOfPairs([['username', 'someone']])],
    ['dryRun', false],
  ]);
}
