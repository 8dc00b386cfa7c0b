import { isList, isMap, isString, type Path, textAt, type Value, type ValueMap, valueAt } from '../../base/value.ts';
import { isError, typeName, type Val } from '../../cel/eval/values.ts';
import { fieldOf } from '../field.ts';
import type { KubernetesVersion } from '../releases/release.ts';
import { authenticated, takenOf } from './authenticate.ts';
import { type Evaluated, type Ready, readied, unknown } from './evaluate.ts';
import { pathsOf, policyExpressions, spotOf } from './expressions.ts';
import { hostGroup, hostsOf, type WorldHost } from './hosts.ts';
import { accessVal, claimsVal, deviceVal, type UserInfo, userVal } from './inputs.ts';
import { accessRequest, claims, device, madeUser, type World } from './worlds.ts';

// What the expressions of an object that are none of admission come to for one input.

export const inputNames = ['claims', 'user', 'request', 'device'] as const;
export type InputName = (typeof inputNames)[number];

/** Something that can be asked: one expression, or all that are asked together. */
export interface Evaluation {
  /** As errors name it: `jwt[0]`, or `spec.selectors[0].cel.expression`. */
  readonly at: string;
  readonly path: Path;
  readonly input: InputName;
  readonly isWhole: boolean;
  ask(input: ValueMap): Came;
}

/** What came of it: a value, or the server's words. */
export interface Came {
  readonly value: Value | undefined;
  readonly error: string | undefined;
  readonly cost: number;
  readonly evaluated: readonly Evaluated[];
}

type Result = { readonly value: Value } | { readonly error: string };

type Read = (input: ValueMap, kubernetes: KubernetesVersion) => Val;

const inputs: ReadonlyMap<World, readonly [name: InputName, read: Read]> = new Map<World, readonly [InputName, Read]>([
  [claims, ['claims', claimsVal]],
  [madeUser, ['user', (user, kubernetes) => userVal(userInfo(user), kubernetes)]],
  [accessRequest, ['request', accessVal]],
  [device, ['device', deviceVal]],
]);

/** Whether an object has expressions that can be asked this way. */
export function isEvaluated(object: ValueMap): boolean {
  return worldHosts(object).length > 0;
}

function worldHosts(object: ValueMap): readonly WorldHost[] {
  const { group, kind } = typeOf(object);
  const hosts = group === hostGroup ? [] : (hostsOf(group, kind) as readonly WorldHost[]);
  return hosts.filter(({ world }) => inputs.has(world));
}

export function typeOf(object: ValueMap): { readonly group: string; readonly kind: string } {
  const [group = '', version] = textAt(object, ['apiVersion']).split('/');
  return { group: version === undefined ? '' : group, kind: textAt(object, ['kind']) };
}

/** All that can be asked of an object, the wholes first. */
export function evaluationsOf(object: ValueMap, kubernetes: KubernetesVersion): readonly Evaluation[] {
  const hosts = worldHosts(object);
  const { group, kind } = typeOf(object);
  const all = policyExpressions(object, group, kind, kubernetes, undefined);
  const ready = new Map(
    all.flatMap((one) => {
      const { instead } = one.host as WorldHost;
      const beside = instead === undefined ? '' : textAt(object, [...one.path.slice(0, -1), instead]);
      return one.text === '' || beside !== '' ? [] : [[one.path.join('/'), readied(one, kubernetes)] as const];
    }),
  );
  const singles = [...ready.values()].filter(({ one }) => inputs.has((one.host as WorldHost).world));
  return [...wholesOf(object, hosts, ready, kubernetes), ...singles.map((one) => single(one, kubernetes))];
}

/** Notes what is evaluated, in the order in which it is. */
class Running {
  readonly evaluated: Evaluated[] = [];

  run({ one, text, run }: Ready, variable: string, input: Val): Evaluated {
    // What is wrong with the input is wrong before anything is evaluated.
    const { value, cost, lines } = isError(input)
      ? { value: input, cost: 0, lines: [] }
      : run((name) => (name === variable ? input : undefined));
    const failed = isError(value) ? value.message : undefined;
    const found = { path: one.path, text, value, failed, cost, lines };
    this.evaluated.push(found);
    return found;
  }

  came(result: Result): Came {
    return {
      value: 'value' in result ? result.value : undefined,
      error: 'error' in result ? result.error : undefined,
      cost: this.evaluated.reduce((sum, { cost }) => sum + cost, 0),
      evaluated: this.evaluated,
    };
  }
}

function single(ready: Ready, kubernetes: KubernetesVersion): Evaluation {
  const { path } = ready.one;
  const { world } = ready.one.host as WorldHost;
  const [input, read] = inputs.get(world)!;
  return {
    at: fieldOf(spotOf(path)),
    path,
    input,
    isWhole: false,
    ask: (given) => {
      const running = new Running();
      const found = running.run(ready, input, read(given, kubernetes));
      return running.came(resultOf(world, path, found));
    },
  };
}

function resultOf(world: World, path: Path, found: Evaluated): Result {
  if (world === device) return matchOf(found);
  return world === accessRequest ? conditionOf(found) : takenOf(path, found);
}

type ReadyAt = ReadonlyMap<string, Ready>;

function wholesOf(
  object: ValueMap,
  hosts: readonly WorldHost[],
  ready: ReadyAt,
  kubernetes: KubernetesVersion,
): Evaluation[] {
  const worlds = new Set(hosts.map(({ world }) => world));
  if (worlds.has(claims))
    return pathsOf(object, ['jwt', '*']).map((path) => authenticator(object, path, ready, kubernetes));
  if (worlds.has(accessRequest))
    return pathsOf(object, ['authorizers', '*']).flatMap((path) => authorizer(object, path, ready));
  return hosts.flatMap(({ path }) => {
    const holders = pathsOf(object, path.slice(0, path.indexOf('selectors')));
    return holders.flatMap((holder) => selected(object, holder, ready));
  });
}

function whole(path: Path, input: InputName, ask: (given: ValueMap, running: Running) => Result): Evaluation {
  return {
    at: fieldOf(spotOf(path)),
    path,
    input,
    isWhole: true,
    ask: (given) => {
      const running = new Running();
      return running.came(ask(given, running));
    },
  };
}

function authenticator(object: ValueMap, at: Path, ready: ReadyAt, kubernetes: KubernetesVersion): Evaluation {
  const jwt = valueAt(object, at);
  return whole(at, 'claims', (given, running) => {
    const result = authenticated(
      isMap(jwt) ? jwt : new Map(),
      at,
      given,
      (path, variable, input) => {
        const found = ready.get(path.join('/'));
        if (found) return running.run(found, variable, input);
        // The server does not start with a rule or a mapping that says nothing.
        const { message } = unknown('an expression that is not there');
        return { path, text: '', value: null, failed: message, cost: 0, lines: [] };
      },
      kubernetes,
    );
    return 'user' in result ? { value: userValue(result.user) } : result;
  });
}

function authorizer(object: ValueMap, at: Path, ready: ReadyAt): Evaluation[] {
  if (!isMap(valueAt(object, [...at, 'webhook']))) return [];
  const rows = below([...at, 'webhook', 'matchConditions'], ready);
  return [whole(at, 'request', (given, running) => conditionsOf(rows, accessVal(given), running))];
}

/** One that is false decides, whatever failed before it. */
function conditionsOf(rows: readonly Ready[], input: Val, running: Running): Result {
  const failures: string[] = [];
  for (const row of rows) {
    const result = conditionOf(running.run(row, 'request', input));
    if ('error' in result) failures.push(result.error);
    else if (result.value === false) return result;
  }
  const [first, ...more] = [...new Set(failures)];
  if (first === undefined) return { value: true };
  return { error: more.length === 0 ? first : `[${[first, ...more].join(', ')}]` };
}

function conditionOf({ failed, text, value }: Evaluated): Result {
  if (failed !== undefined) return { error: `cel evaluation error: expression '${text}' resulted in error: ${failed}` };
  return { value: value === true };
}

function selected(object: ValueMap, at: Path, ready: ReadyAt): Evaluation[] {
  if (!isList(valueAt(object, [...at, 'selectors'])) && at.length > 1) return [];
  const rows = below([...at, 'selectors'], ready);
  return [whole(at, 'device', (given, running) => selectionOf(rows, deviceVal(given), running))];
}

/** One that does not match, or that fails, is enough. */
function selectionOf(rows: readonly Ready[], input: Val, running: Running): Result {
  for (const row of rows) {
    const result = matchOf(running.run(row, 'device', input));
    if ('error' in result || result.value === false) return result;
  }
  return { value: true };
}

const notBools: ReadonlyMap<string, string> = new Map([
  ['string', "unsupported native conversion from string to 'bool'"],
  ['int', "unsupported type conversion from 'int' to bool"],
  ['kubernetes.Semver', "type conversion error from 'Semver' to 'bool'"],
]);

function matchOf({ failed, value }: Evaluated): Result {
  if (failed !== undefined) return { error: failed };
  if (typeof value === 'boolean') return { value };
  const type = typeName(value);
  return { error: `CEL result of type ${type} could not be converted to bool: ${notBools.get(type) ?? 'unsupported'}` };
}

function below(at: Path, ready: ReadyAt): readonly Ready[] {
  const lead = `${at.join('/')}/`;
  return [...ready].filter(([key]) => key.startsWith(lead)).map(([, one]) => one);
}

// Users

function userInfo(user: ValueMap): UserInfo {
  const extra = user.get('extra');
  return {
    username: textAt(user, ['username']),
    uid: textAt(user, ['uid']),
    groups: texts(user.get('groups')),
    extra: new Map([...(isMap(extra) ? extra : [])].map(([key, values]) => [key, texts(values)])),
  };
}

function texts(list: Value | undefined): readonly string[] {
  return isList(list) ? list.filter(isString) : [];
}

/** What is empty is not there. */
function userValue({ username, uid, groups, extra }: UserInfo): Value {
  return new Map<string, Value>([
    ['username', username],
    ...(uid === '' ? [] : ([['uid', uid]] as const)),
    ...(groups.length === 0 ? [] : ([['groups', groups]] as const)),
    ...(extra.size === 0 ? [] : ([['extra', new Map(extra)]] as const)),
  ]);
}
