import { shortened } from '../../base/text.ts';
import { lex, T } from '../../cel/lex.ts';
import type { ValidationRule } from '../../kubernetes/schema/structural.ts';
import type { Change } from './change.ts';
import { type ComparedSchema, refusedLater, schemaChange } from './schemaChange.ts';

/** A rule of one side, with the one of the other side that it was or has become. */
interface Pair {
  readonly was: ValidationRule | undefined;
  readonly is: ValidationRule | undefined;
  readonly index: number;
}

export function ruleChanges(compared: ComparedSchema): Change[] {
  const { place, old } = compared;
  return pairs(old.extensions.validations, place.schema.extensions.validations).flatMap((pair) =>
    ruleChange(compared, pair),
  );
}

function pairs(before: readonly ValidationRule[], now: readonly ValidationRule[]): Pair[] {
  const left = new Set(before);
  const found = new Map<ValidationRule, ValidationRule>();
  const take = (keyOf: (rule: ValidationRule) => string) => {
    const known = new Map<string, ValidationRule[]>();
    for (const one of left) {
      const same = known.get(keyOf(one));
      if (same) same.push(one);
      else known.set(keyOf(one), [one]);
    }
    for (const is of now) {
      const was = found.has(is) || keyOf(is) === '' ? undefined : known.get(keyOf(is))?.shift();
      if (!was) continue;
      left.delete(was);
      found.set(is, was);
    }
  };
  take(({ rule, message }) => `${rule}\0${message}`);
  take(({ rule }) => rule);
  take(({ message }) => message);
  // One rule in the place of another is that rule, rewritten, unless their messages say that they are two.
  if (left.size === 1 && now.length - found.size === 1) take(({ message }) => (message === '' ? 'the only one' : ''));
  return [
    ...now.map((is, index) => ({ was: found.get(is), is, index })),
    ...[...left].map((was) => ({ was, is: undefined, index: -1 })),
  ];
}

const longest = 80;

function named({ rule, message }: ValidationRule): string {
  const text = (message || rule).replace(/\s+/g, ' ').trim();
  return `“${shortened(text, longest)}”`;
}

function ruleChange(compared: ComparedSchema, { was, is, index }: Pair): Change[] {
  const key = 'x-kubernetes-validations';
  if (!is) {
    const message = 'Objects that break it are accepted now.';
    return [schemaChange(compared, 'rule-removed', 'widens', `rule removed: ${named(was!)}`, message, [key])];
  }
  const at = [key, index, 'rule'];
  if (!was) {
    const message = `${compared.ref} does not have this rule. ${consequence(compared, is)}`;
    return [schemaChange(compared, 'rule-added', 'may-break', `new rule: ${named(is)}`, message, at, 'value')];
  }
  if (was.rule !== is.rule || was.optionalOldSelf !== is.optionalOldSelf) {
    const message = `In ${compared.ref} the rule reads \`${oneLine(was.rule)}\`; which objects satisfy both cannot be told from the rules. ${consequence(compared, is)}`;
    return [schemaChange(compared, 'rule-changed', 'may-break', `rule changed: ${named(is)}`, message, at, 'value')];
  }
  const reworded = (['message', 'messageExpression', 'reason', 'fieldPath'] as const).filter(
    (name) => was[name] !== is[name],
  );
  if (reworded.length === 0) return [];
  const message = 'The rule is the same; what the API server says when it is broken changes.';
  return [
    schemaChange(compared, 'rule-reworded', 'changes', `${reworded.join(', ')} of a rule: ${named(is)}`, message, [
      key,
      index,
    ]),
  ];
}

function consequence(compared: ComparedSchema, { rule }: ValidationRule): string {
  return usesOldSelf(rule)
    ? 'It compares with the value before an update, so no object is wrong by itself: updates that break it are rejected.'
    : refusedLater(compared, 'Stored objects that break it');
}

function usesOldSelf(rule: string): boolean {
  const { kinds, starts, ends, count } = lex(rule, false);
  for (let i = 0; i < count; i++) if (kinds[i] === T.ident && rule.slice(starts[i], ends[i]) === 'oldSelf') return true;
  return false;
}

function oneLine(rule: string): string {
  const text = rule.replace(/\s+/g, ' ').trim();
  return text.length > 3 * longest ? `${text.slice(0, 3 * longest)}…` : text;
}
