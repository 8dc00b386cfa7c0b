import { kindDefinedTwice } from './cr/kindDefinedTwice.ts';
import { unknownField } from './cr/unknownField.ts';
import { forbiddenInJunctor } from './crd/forbiddenInJunctor.ts';
import { typeRequired } from './crd/typeRequired.ts';
import type { Rule } from './rule.ts';
import { duplicateKey } from './yaml/duplicateKey.ts';
import { readsAs } from './yaml/readsAs.ts';
import { syntax } from './yaml/syntax.ts';

/** Every rule, in the order of the documentation. */
export const rules: readonly Rule[] = [
  syntax,
  duplicateKey,
  readsAs,
  typeRequired,
  forbiddenInJunctor,
  unknownField,
  kindDefinedTwice,
];

const byCode = new Map(rules.map((rule) => [rule.code, rule]));

export function ruleOf(code: string): Rule | undefined {
  return byCode.get(code);
}
