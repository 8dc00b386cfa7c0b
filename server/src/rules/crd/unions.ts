import { isList, isMap, type Value } from '../../base/value.ts';
import { escapeName } from '../../kubernetes/cel/escape.ts';
import { insertItem, removeAt, renameKey, setValue } from '../../yaml/edit.ts';
import { fixOf, mapIn, valueIn } from '../fixing/fixes.ts';
import type { Fix, TextEdit } from '../model/diagnostic.ts';
import type { Problem } from '../model/rule.ts';

/** A keyword that was planned for discriminated unions and never came. */
export const unionsKeyword = 'x-kubernetes-unions';
const validations = 'x-kubernetes-validations';

interface Union {
  readonly discriminator: string | undefined;
  /** Fields of which only one may be set, with what the discriminator then says. */
  readonly fields: readonly (readonly [field: string, value: string])[];
}

/** What the keyword was meant to say, in what there is: `oneOf`, or a rule. */
export function unionFixes(problem: Problem): Fix[] {
  const [union, more] = unionsIn(valueIn(problem, problem.path));
  const node = mapIn(problem, problem.path.slice(0, -1));
  if (!union || more || !node || union.fields.length < 2) return [];
  const names = union.fields.map(([field]) => `\`${field}\``).join(', ');
  const branches = union.fields.map(([field]) => new Map<string, Value>([['required', [field]]]));
  const oneOf = node.has('oneOf') ? [] : replaced(problem, 'oneOf', branches);
  return [
    ...fixOf(`Replace with \`oneOf\`: exactly one of ${names}`, oneOf, false),
    ...fixOf(`Replace with a rule about ${names}`, ruleEdits(problem, union, node.get('required')), false),
  ];
}

function unionsIn(value: Value | undefined): Union[] {
  return (isList(value) ? value : []).flatMap((one) => {
    if (!isMap(one)) return [];
    const discriminator = one.get('discriminator');
    const fields = one.get('fields-to-discriminateBy') ?? one.get('fields');
    if (!isMap(fields)) return [];
    return [
      {
        discriminator: typeof discriminator === 'string' ? discriminator : undefined,
        fields: [...fields].map(([field, value]) => [field, String(value)] as const),
      },
    ];
  });
}

function replaced({ document, path }: Problem, keyword: string, value: Value): TextEdit[] {
  return [...renameKey(document, path, keyword), ...setValue(document, path, value)];
}

function ruleEdits(problem: Problem, union: Union, required: Value | undefined): TextEdit[] {
  const rule = ruleFor(union, isList(required) ? required : []);
  const { document, path } = problem;
  const list = [...path.slice(0, -1), validations];
  if (rule === undefined) return [];
  if (!isList(valueIn(problem, list))) return replaced(problem, validations, [rule]);
  return [...insertItem(document, list, rule), ...removeAt(document, path)];
}

function ruleFor({ discriminator, fields }: Union, required: readonly Value[]): Value | undefined {
  const escaped = fields.map(([field, value]) => [escapeName(field), value] as const);
  const by = discriminator === undefined ? undefined : escapeName(discriminator);
  if (escaped.some(([field]) => field === undefined)) return undefined;
  const has = escaped.map(([field]) => `has(self.${field})`);
  const names = fields.map(([field]) => field).join(', ');
  if (discriminator === undefined || by === undefined) {
    return entry(`[${has.join(', ')}].filter(set, set).size() <= 1`, `at most one of ${names} may be set`);
  }
  const guard = required.includes(discriminator) ? '' : `has(self.${by}) && `;
  const each = escaped.map(([, value], i) => `(${guard}self.${by} == '${value}') == ${has[i]}`);
  return entry(each.join(' && '), `exactly one of ${names} must be set: the one that ${discriminator} names`);
}

const entry = (rule: string, message: string): Value =>
  new Map([
    ['rule', rule],
    ['message', message],
  ]);
