import { compareQuantities, type Quantity, quantityText } from '../../../gostd/quantity.ts';
import { child, type FieldPath, key as keyed } from '../../field.ts';
import { type GoValue, goNil, goString, goStrings } from '../../goValue.ts';
import { qualifiedName } from '../../names.ts';
import type { Fields } from './check.ts';
import { goList, goQuantity, goResourceName, wholeStruct, wholeValue } from './goTexts.ts';
import { anyResource, containerResource, isOfQuotas, isOvercommitted, quotaResource } from './resourceNames.ts';
import { type Quantities, quantitiesOf, validateQuantity } from './resources.ts';

const podScopes = ['Terminating', 'NotTerminating', 'NotBestEffort', 'PriorityClass', 'CrossNamespacePodAffinity'];
const computed = ['cpu', 'memory', 'limits.cpu', 'limits.memory', 'requests.cpu', 'requests.memory'];

function scopesOf(withClasses: boolean): string[] {
  return [...podScopes, 'BestEffort', ...(withClasses ? ['VolumeAttributesClass'] : [])];
}

/** Whether a scope can narrow what of a resource is counted. */
function fits(scope: string, resource: string): boolean {
  if (podScopes.includes(scope)) return resource === 'pods' || computed.includes(resource);
  if (scope === 'BestEffort') return resource === 'pods';
  if (scope === 'VolumeAttributesClass') {
    return resource === 'persistentvolumeclaims' || resource === 'requests.storage';
  }
  return true;
}

/** What a release does not know fits everything. */
function isFor(known: readonly string[], scope: string): boolean {
  return known.includes(scope) || scope !== 'VolumeAttributesClass';
}

const pairs = [
  ['BestEffort', 'NotBestEffort'],
  ['Terminating', 'NotTerminating'],
] as const;

export function validateResourceQuota(object: Fields): void {
  const spec = object.object('spec');
  const { check } = object;
  spec.part(() => {
    for (const [name, amount] of quantitiesOf(spec, 'hard')) {
      const spot = keyed(spec.at('hard'), name);
      for (const why of quotaResource(name, check.version))
        check.invalid(spot, goResourceName(name), why, 'builtin/resources');
      validateQuantity(check, spot, name, amount);
    }
  });
  spec.part(() => scopes(spec));
  spec.part(() => scopeSelector(spec));
}

/** The names that are limited, in Go's order. */
function limited(spec: Fields): string[] {
  return [...quantitiesOf(spec, 'hard').keys()].filter(isOfQuotas).sort();
}

function scopes(spec: Fields): void {
  const all = spec.texts('scopes');
  const known = scopesOf(spec.version.builtin.volumeAttributesQuota);
  const list = spec.at('scopes');
  const wrong = (why: string, i: number) =>
    spec.check.invalid({ parent: list, field: '', steps: [i] }, goList('[]core.ResourceQuotaScope', all), why);
  for (const [i, scope] of all.entries()) {
    if (!known.includes(scope)) wrong('unsupported scope', i);
    for (const name of limited(spec)) {
      if (isFor(known, scope) && !fits(scope, name)) wrong('unsupported scope applied to resource', i);
    }
  }
  for (const pair of pairs)
    if (pair.every((scope) => all.includes(scope))) wrong('conflicting scopes', all.indexOf(pair[1]));
}

const existing = ['BestEffort', 'NotBestEffort', 'Terminating', 'NotTerminating', 'CrossNamespacePodAffinity'];

/** Errors about one requirement name the list. */
function scopeSelector(spec: Fields): void {
  const selector = spec.pointer('scopeSelector');
  if (!selector) return;
  const { check } = spec;
  const list = selector.at('matchExpressions');
  const known = scopesOf(check.version.builtin.volumeAttributesQuota);
  const rows = selector.items('matchExpressions');
  for (const one of rows) {
    const [scope, operator, values] = [one.text('scopeName'), one.text('operator'), one.texts('values')];
    const at = (key: string): FieldPath => child(list, key, [...one.spot.steps, key]);
    if (!known.includes(scope)) check.invalid(at('scopeName'), goString(scope), 'unsupported scope');
    for (const name of limited(spec)) {
      if (!isFor(known, scope) || fits(scope, name)) continue;
      const spot = { parent: list, field: '', steps: one.spot.steps };
      check.invalid(spot, wholeStruct, 'unsupported scope applied to resource');
    }
    if (existing.includes(scope) && operator !== 'Exists') {
      const why =
        "must be 'Exists' when scope is any of ResourceQuotaScopeTerminating, ResourceQuotaScopeNotTerminating, ResourceQuotaScopeBestEffort, ResourceQuotaScopeNotBestEffort or ResourceQuotaScopeCrossNamespacePodAffinity";
      check.invalid(at('operator'), goString(operator), why);
    }
    if (operator === 'In' || operator === 'NotIn') {
      const why = "must be at least one value when `operator` is 'In' or 'NotIn' for scope selector";
      if (values.length === 0) check.required(at('values'), why);
    } else if (operator === 'Exists' || operator === 'DoesNotExist') {
      const why = "must be no value when `operator` is 'Exist' or 'DoesNotExist' for scope selector";
      if (values.length > 0) check.invalid(at('values'), goStrings(values), why);
    } else check.invalid(at('operator'), goString(operator), 'not a valid selector operator');
  }
  const named = rows.map((one) => one.text('scopeName'));
  for (const pair of pairs) {
    if (!pair.every((scope) => named.includes(scope))) continue;
    const scopesWritten = spec.list('scopes').length === 0 ? undefined : spec.texts('scopes');
    check.invalid(list, goScopes(scopesWritten), 'conflicting scopes');
  }
}

function goScopes(scopes: readonly string[] | undefined): GoValue {
  const type = '[]core.ResourceQuotaScope';
  return scopes ? goList(type, scopes) : goNil(type);
}

const limitTypes = ['Pod', 'Container', 'PersistentVolumeClaim'];

export function validateLimitRange(object: Fields): void {
  const spec = object.object('spec');
  spec.part(() => {
    const seen = new Set<string>();
    for (const limit of spec.items('limits')) {
      const type = limit.text('type');
      limitType(limit, type);
      if (seen.has(type)) spec.check.duplicate(limit.at('type'), goString(type));
      seen.add(type);
    }
  });
  spec.each('limits', validateLimit);
}

function limitType(limit: Fields, type: string): void {
  const { check } = limit;
  const texts = qualifiedName(type, check.version);
  for (const why of texts) check.invalid(limit.at('type'), goString(type), why);
  if (texts.length > 0 || type.includes('/') || limitTypes.includes(type)) return;
  check.invalid(limit.at('type'), goString(type), 'must be a standard limit type or fully qualified');
}

interface Limits {
  readonly min: Quantities;
  readonly max: Quantities;
  readonly defaults: Quantities;
  readonly requests: Quantities;
  readonly ratios: Quantities;
}

function validateLimit(limit: Fields): void {
  const { check } = limit;
  const type = limit.text('type');
  const ofPod = type === 'Pod';
  const limits = limitsOf(limit, type);
  const rule = ofPod || type === 'Container' ? containerResource : anyResource;
  const lists = [
    ['max', limits.max] as const,
    ['min', limits.min] as const,
    ['default', ofPod ? none : limits.defaults] as const,
    ['defaultRequest', ofPod ? none : limits.requests] as const,
    ['maxLimitRequestRatio', limits.ratios] as const,
  ];
  for (const [key, amounts] of lists) {
    const written = quantitiesOf(limit, key);
    for (const name of amounts.keys()) {
      const spot = keyed(limit.at(key), name);
      const at = written.has(name) ? spot : { ...spot, steps: [] };
      for (const why of rule(name, check.version)) check.invalid(at, goResourceName(name), why, 'builtin/resources');
    }
  }
  if (ofPod) {
    for (const key of ['default', 'defaultRequest']) {
      const why = "may not be specified when `type` is 'Pod'";
      if (quantitiesOf(limit, key).size > 0) check.forbidden(limit.at(key), why);
    }
  }
  if (type === 'PersistentVolumeClaim' && !limits.min.has('storage') && !limits.max.has('storage')) {
    const why = 'either minimum or maximum storage value is required, but neither was provided';
    check.required({ ...limit.at('limits'), steps: ['min'] }, why);
  }
  for (const name of new Set(lists.flatMap(([, amounts]) => [...amounts.keys()]))) {
    compared(limit, name, ofPod ? { ...limits, defaults: none, requests: none } : limits);
  }
}

const none: Quantities = new Map();

/** For containers the server fills in what follows from the rest. */
function limitsOf(limit: Fields, type: string): Limits {
  const [min, max] = [quantitiesOf(limit, 'min'), quantitiesOf(limit, 'max')];
  const [own, ownRequests] = [quantitiesOf(limit, 'default'), quantitiesOf(limit, 'defaultRequest')];
  const ratios = quantitiesOf(limit, 'maxLimitRequestRatio');
  if (type !== 'Container') return { min, max, defaults: own, requests: ownRequests, ratios };
  const defaults = new Map([...max, ...own]);
  return { min, max, defaults, requests: new Map([...min, ...defaults, ...ownRequests]), ratios };
}

type Name = 'min' | 'default' | 'defaultRequest' | 'maxLimitRequestRatio';

function compared(limit: Fields, name: string, limits: Limits): void {
  const { check } = limit;
  const [min, max, byDefault, request, ratio] = [
    limits.min,
    limits.max,
    limits.defaults,
    limits.requests,
    limits.ratios,
  ].map((amounts) => amounts.get(name));
  const wrong = (list: Name, shown: Quantity, why: string) => {
    const spot = keyed(limit.at(list), name);
    const isThere = quantitiesOf(limit, list).has(name);
    check.invalid(isThere ? spot : { ...spot, steps: [] }, goQuantity(shown), why, 'builtin/resources');
  };
  const above = (a: Quantity | undefined, b: Quantity | undefined) => a && b && compareQuantities(a, b) > 0;
  const text = (amount: Quantity | undefined) => (amount ? quantityText(amount) : '');
  if (above(min, max)) wrong('min', min!, `min value ${text(min)} is greater than max value ${text(max)}`);
  if (above(min, request)) {
    wrong('defaultRequest', request!, `min value ${text(min)} is greater than default request value ${text(request)}`);
  }
  if (above(request, max)) {
    wrong('defaultRequest', request!, `default request value ${text(request)} is greater than max value ${text(max)}`);
  }
  if (above(request, byDefault)) {
    const why = `default request value ${text(request)} is greater than default limit value ${text(byDefault)}`;
    wrong('defaultRequest', request!, why);
  }
  if (above(min, byDefault)) {
    wrong('default', min!, `min value ${text(min)} is greater than default value ${text(byDefault)}`);
  }
  if (above(byDefault, max)) {
    wrong('default', max!, `default value ${text(byDefault)} is greater than max value ${text(max)}`);
  }
  if (ratio && compareQuantities(ratio, one) < 0)
    wrong('maxLimitRequestRatio', ratio, `ratio ${text(ratio)} is less than 1`);
  if (ratio && min && max) {
    const [share, least, most] = [ratio, min, max].map(comparable) as [number, number, number];
    const why = `ratio ${text(ratio)} is greater than max/min = ${ratioText(most / least)}`;
    if (share > most / least) wrong('maxLimitRequestRatio', ratio, why);
  }
  if (!isOvercommitted(name) && byDefault && request && compareQuantities(byDefault, request) !== 0) {
    const why = `default value ${text(byDefault)} must equal to defaultRequest value ${text(request)} in ${name}`;
    wrong('defaultRequest', request, why);
  }
}

/** As the server counts them: in thousandths, if all fit. */
function comparable(amount: Quantity): number {
  return Number(wholeValue({ ...amount, scale: amount.scale + 3 })) / 1000;
}

function ratioText(ratio: number): string {
  if (Number.isNaN(ratio)) return 'NaN';
  return Number.isFinite(ratio) ? ratio.toFixed(6) : ratio > 0 ? '+Inf' : '-Inf';
}

const one: Quantity = { unscaled: 1n, scale: 0, big: false, format: 'decimal' };
