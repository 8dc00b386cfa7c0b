import { regexFactor, regexWalk, smallerWalk, stringFactor, walk } from '../../../cel/eval/costs.ts';
import { extensionCosts } from '../../../cel/eval/ext/costs.ts';
import type { CallCost, CallCosts } from '../../../cel/eval/implementation.ts';
import { actualSize } from '../../../cel/eval/size.ts';
import { isKind, itemsOfList, type Val } from '../../../cel/eval/values.ts';
import { byteLength } from '../../../go/bytes.ts';
import type { KubernetesVersion } from '../../releases/release.ts';
import { formatType } from '../libraries/types.ts';
import type { NamedFormat } from './formats.ts';
import { held } from './opaque.ts';

const walks =
  (times: number): CallCost =>
  (a) =>
    Math.ceil(actualSize(a) * times * stringFactor);

/** A walk over everything inside a value: a tenth of a unit a byte, one a number. */
function traversal(value: Val): number {
  if (typeof value === 'string') return Math.trunc(byteLength(value) * stringFactor);
  if (isKind(value, 'bytes')) return Math.trunc(value.bytes.length * stringFactor);
  if (isKind(value, 'list')) return itemsOfList(value).reduce<number>((sum, item) => sum + traversal(item), 0);
  if (!isKind(value, 'map')) return 1;
  return value.keys().reduce<number>((sum, key) => sum + traversal(key) + traversal(value.find(key) ?? null), 0);
}

const nominal: CallCost = () => 1;
const join: CallCost = (_a, _b, result) => Math.ceil(actualSize(result) * 2 * stringFactor);

const ipWalk = (network: Val) => Math.ceil(2 * actualSize(network) * stringFactor);
const networkWalk = (network: Val) => ipWalk(network) + walk(network) + 1;
const containsIp: CallCost = (a) => ipWalk(a);
const containsCidr: CallCost = (a) => networkWalk(a);

/** As for a pattern of the format's size, walked over a text. */
const validate: CallCost = (a, b) => {
  const format = held<NamedFormat>(a, formatType);
  if (!format) return 1;
  return Math.ceil((1 + actualSize(b)) * stringFactor) * Math.ceil(format.patternSize * regexFactor);
};

const selector: CallCost = (_a, b) => {
  const size = actualSize(b);
  return 10 + Math.ceil(size * stringFactor) + 50 * Math.ceil(size * 0.5);
};

const byName: ReadonlyMap<string, CallCost> = new Map<string, CallCost>([
  ...names('isSorted sum max min indexOf lastIndexOf includes', traversal),
  ...names(
    'url lowerAscii upperAscii substring trim cidr isIP isCIDR ip quantity isQuantity semver isSemver',
    walks(1),
  ),
  ...names('replace split ip.isCanonical', walks(2)),
  ...names('find findAll', regexWalk),
  ['join', join],
  ['validate', validate],
  ['check', () => 350_000],
  ['fieldSelector', selector],
  ['labelSelector', selector],
  ['containsIP', containsIp],
  ['containsCIDR', containsCidr],
]);

function names(text: string, cost: CallCost): [string, CallCost][] {
  return text.split(' ').map((name) => [name, cost]);
}

const byOverload: readonly (readonly [string, CallCost])[] = [
  ['cidr_ip', nominal],
  ['cidr_contains_ip_string', (a, b) => ipWalk(a) + walk(b)],
  ['cidr_contains_cidr_string', (a, b) => networkWalk(a) + walk(b)],
];

/** Kubernetes' own types compare for 1. */
function pricedEquality(otherwise: CallCost): CallCost {
  return (a, b, result, c) => (isKind(a, 'opaque') ? 1 : otherwise(a, b, result, c));
}

export function libraryCosts(kubernetes: KubernetesVersion): CallCosts {
  const overloads = new Map([...extensionCosts(kubernetes.minor <= 36), ...byOverload]);
  const equality = kubernetes.cel.pricesEquality ? pricedEquality(smallerWalk) : undefined;
  return (name, overload) => {
    if (name === '_==_') return equality;
    return overloads.get(overload) ?? byName.get(name);
  };
}
