import { isString, type ValueMap, valueAt } from '../../base/value.ts';
import type { RulePlace } from '../../workspace/rulePlace.ts';
import { rulePaths } from '../place/rulePaths.ts';

/** How often the other rules of a CRD use each name; those beside the rule count more. */
export type Uses = ReadonlyMap<string, number>;

const beside = 16;

export function usesOfNames(crd: ValueMap, { node, compiled }: RulePlace, at: number): Uses {
  const uses = new Map<string, number>();
  const own = node.slice(at).join('/');
  for (const path of rulePaths(crd)) {
    const text = valueAt(crd, path);
    if (!isString(text) || text === compiled.text) continue;
    const weight = path.slice(0, -3).join('/') === own ? beside : 1;
    for (const [name] of text.matchAll(/[A-Za-z_]\w*/g)) uses.set(name, (uses.get(name) ?? 0) + weight);
  }
  return uses;
}

/** The fields that a rule reads of a value, and those of which it asks whether they are there. */
export interface FieldsRead {
  readonly read: ReadonlySet<string>;
  readonly asked: ReadonlySet<string>;
}

/** What the rest of a rule says of an operand such as `self.storage`. */
export function fieldsRead(text: string, operand: string): FieldsRead {
  const [read, asked] = [new Set<string>(), new Set<string>()];
  const [all, wanted] = [withoutBlanks(text), `${withoutBlanks(operand)}.`];
  for (let at = all.indexOf(wanted); at !== -1; at = all.indexOf(wanted, at + 1)) {
    const from = at + wanted.length + Number(all[at + wanted.length] === '?');
    const end = runFrom(all, /\w/, from);
    if (/[\w.]/.test(all[at - 1] ?? '') || end === from) continue;
    const isAsked = all.startsWith('has(', at - 4) && all[end] === ')';
    (isAsked ? asked : read).add(all.slice(from, end));
  }
  return { read, asked };
}

/** An expression with blanks only where they keep two words apart. */
function withoutBlanks(text: string): string {
  let compact = '';
  for (const [token] of text.matchAll(/\w+|[^\w\s]/g)) {
    compact += /\w/.test(token[0]!) && /\w/.test(compact.at(-1) ?? '') ? ` ${token}` : token;
  }
  return compact;
}

function runFrom(text: string, one: RegExp, start: number): number {
  let at = start;
  while (at < text.length && one.test(text[at]!)) at++;
  return at;
}

/** The same value before the update, or after it. */
export function twinOf(operand: string): string {
  return operand.startsWith('oldSelf') ? `self${operand.slice(7)}` : operand.replace(/^self\b/, 'oldSelf');
}
