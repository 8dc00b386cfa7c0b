import { append } from '../../base/append.ts';
import { capitalized } from '../../base/text.ts';
import { isMap, type Path, type Value, type ValueMap, valueAt } from '../../base/value.ts';
import { explainCost } from '../../cel/explain.ts';
import { unescapeName } from '../../kubernetes/cel/escape.ts';
import { newestVersion } from '../../kubernetes/releases/all.ts';
import type { Structural } from '../../kubernetes/schema/structural.ts';
import { rulePlace } from '../../workspace/rulePlace.ts';
import { fixOf, mapIn, putKey } from '../fixing/fixes.ts';
import { relatedAt } from '../judging/related.ts';
import type { Fix } from '../model/diagnostic.ts';
import type { Problem, RelatedProblem } from '../model/rule.ts';

import { type Limit, type Trial, trialOf } from './costTrial.ts';

/** A limit that would make a rule cheaper: a keyword on a schema node of the document. */
export interface Bound extends Limit {
  /** The value that the keyword has now. */
  readonly now: bigint | undefined;
  /** It limits how often the rule is evaluated, not what it goes through. */
  readonly around?: true;
}

/** A size that no one ever needs more of, and the API server's own request does not hold. */
const most = 3_000_000;
const offered = 3;

/**
 * Limits that bring a rule within its budget, each alone where that helps, and several at once: first those with which
 * half of it is left, then the largest that there can be.
 */
export function costFixes(problem: Problem): Fix[] {
  const trial = trialOf(problem);
  const bounds = trial ? boundsFor(problem) : [];
  if (!trial || bounds.length === 0) return [];
  const isRule = problem.path.at(-1) === 'rule';
  const roomy = isRule ? within(bounds, (limits, value) => trial.leavesRoom(limits, value)) : [];
  return [
    ...roomy.flatMap((found) => limiting(problem, found, 'which takes half of the budget')),
    ...within(bounds, (limits, value) => trial.fits(limits, value)).flatMap((found) =>
      limiting(problem, found, 'the largest value within the budget'),
    ),
  ];
}

/** Each limit alone, and several at once where that allows more. */
function within(bounds: readonly Bound[], fits: Trial['fits']): readonly Found[] {
  const alone = bounds.flatMap((bound) => largestFor(fits, [bound]) ?? []);
  const best = alone.reduce((most, { value }) => Math.max(most, value), 0);
  const groups = [bounds.filter((bound) => bound.around), bounds];
  const several = groups.flatMap((group) => (group.length > 1 ? (largestFor(fits, group) ?? []) : []));
  return [...alone.slice(0, offered), ...several.filter(({ value }) => value > best).slice(0, 1)];
}

function limiting(problem: Problem, { limits, value }: Found, remark: string): Fix[] {
  const edits = limits.flatMap(({ node, keyword }) => putKey(problem, node, keyword, BigInt(value), { after: 'type' }));
  const each = limits.map((bound) => worded(problem, bound, value));
  const words = each.map((one, i) => (each[i - 1]?.startsWith(adding) ? one.replace(adding, '') : one)).join(' and ');
  return fixOf(`${capitalized(words)}, ${remark}`, edits, false);
}

const adding = 'add ';

interface Found {
  readonly limits: readonly Bound[];
  readonly value: number;
}

function largestFor(fits: Trial['fits'], limits: readonly Bound[]): Found | undefined {
  const value = largest((limit) => fits(limits, limit));
  const helps = value !== undefined && limits.every(({ now }) => now === undefined || now > BigInt(value));
  return helps ? { limits, value } : undefined;
}

function worded(problem: Problem, { node, keyword, now }: Bound, value: number): string {
  const name = nameOf(node.slice(problem.manifest?.at.length ?? 0));
  return now === undefined
    ? `${adding}\`${keyword}: ${value}\` to ${name}`
    : `lower \`${keyword}\` of ${name} from ${now} to ${value}`;
}

/** What a person calls a schema node. */
export function nameOf(node: Path): string {
  const last = node.at(-1);
  if (node.at(-2) === 'properties') return `\`${last}\``;
  if (last === 'items') return `the items of ${nameOf(node.slice(0, -1))}`;
  if (last === 'additionalProperties') return `the values of ${nameOf(node.slice(0, -1))}`;
  return 'the root';
}

/** The largest value that fits, where 1 does and `most` does not. */
export function largest(fits: (value: number) => boolean): number | undefined {
  if (!fits(1)) return undefined;
  let low = 1;
  let high = 16;
  while (high < most && fits(high)) {
    low = high;
    high *= 8;
  }
  if (high >= most) return undefined;
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (fits(middle)) low = middle;
    else high = middle;
  }
  return low;
}

/** What could be limited: what the expression goes through, the most helpful first, then the lists and maps around it. */
export function boundsFor(problem: Problem): Bound[] {
  const { manifest, path } = problem;
  const place = manifest && rulePlace(manifest, path, problem.kubernetes ?? newestVersion);
  if (!place?.structural) return [];
  const { bounds } = explainCost(place.compiled.expr, place.schemaEnv.model);
  const inside = bounds.flatMap((bound) => boundAt(problem, place.node, place.structural!, bound.path) ?? []);
  const found = [...inside, ...around(problem, place.node)];
  return found.filter((bound, i) => found.findIndex((other) => sameNode(other.node, bound.node)) === i);
}

export const sameNode = (a: Path, b: Path) => a.length === b.length && a.every((step, i) => step === b[i]);

const steps: Readonly<Record<string, readonly string[]>> = {
  '@items': ['items'],
  '@values': ['additionalProperties'],
};

/** The schema node that a path of an expression leads to. */
function boundAt(problem: Problem, node: Path, structural: Structural, path: readonly string[]): Bound | undefined {
  const at = [...node];
  for (const step of path) {
    const name = unescapeName(step);
    const down = Object.hasOwn(steps, step) ? steps[step]! : name === undefined ? undefined : ['properties', name];
    if (!down) return undefined;
    append(at, down);
  }
  return structural && limitOf(problem, at);
}

/** The lists and maps that a node is in, the nearest first. */
function around(problem: Problem, node: Path): Bound[] {
  const found: Bound[] = [];
  for (let length = node.length - 1; length > 0; length--) {
    const isElement = node[length] === 'items' || node[length] === 'additionalProperties';
    const isName = node[length - 1] === 'properties' && node[length - 2] !== 'properties';
    const bound = isElement && !isName ? limitOf(problem, node.slice(0, length)) : undefined;
    if (bound) found.push({ ...bound, around: true });
  }
  return found;
}

function limitOf(problem: Problem, node: Path): Bound | undefined {
  const schema = mapIn(problem, node);
  const keyword = schema && keywordFor(schema);
  if (!schema || keyword === undefined) return undefined;
  const now = schema.get(keyword);
  return { node, keyword, now: typeof now === 'bigint' ? now : undefined };
}

function keywordFor(schema: ValueMap): Limit['keyword'] | undefined {
  const type: Value | undefined = schema.get('type');
  if (type === 'array') return 'maxItems';
  if (type === 'string') return schema.has('enum') ? undefined : 'maxLength';
  return type === 'object' && isMap(valueAt(schema, ['additionalProperties'])) ? 'maxProperties' : undefined;
}

const mostRelated = 3;

/** What makes a rule expensive: the things without a limit, or with a high one, that it goes through. */
export function whatIsLarge(problem: Problem): RelatedProblem[] {
  return boundsFor(problem)
    .slice(0, mostRelated)
    .map(({ node, keyword, now }) => {
      const message =
        now === undefined
          ? `without \`${keyword}\`, the largest size that fits into a request is assumed`
          : `up to ${now}, because of its \`${keyword}\``;
      return relatedAt(problem, node, message);
    });
}
