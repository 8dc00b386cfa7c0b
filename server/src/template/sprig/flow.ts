/** Defaults, choices, types, failing. */
import { ValuePlace } from '../from.ts';
import { plain, traced } from '../functions.ts';
import { cell, GoError, type GoValue, kindName, typeName } from '../value.ts';
import { isEmpty, isSameValue } from './shared.ts';

export const flow = [
  traced('default(any, ...any) any', ([instead, given]) => {
    if (given === undefined) return instead!;
    if (!isEmpty(given.value)) return given;
    // Nothing in place of nothing is nothing of what was asked for first.
    return instead!.value === '' && given.from instanceof ValuePlace ? cell('', given.from) : instead!;
  }),
  plain('empty(any) bool', ([value]: [GoValue]) => isEmpty(value)),
  traced('coalesce(...any) any', (args, { from }) => args.find(({ value }) => !isEmpty(value)) ?? cell(null, from)),
  plain('all(...any) bool', (values: GoValue[]) => !values.some(isEmpty)),
  plain('any(...any) bool', (values: GoValue[]) => !values.every(isEmpty)),
  traced('ternary(any, any, bool) any', ([yes, no, condition]) => (condition!.value ? yes! : no!)),
  plain('fail(string) string', ([message]: [string]) => {
    throw new GoError(message);
  }),
  plain('typeOf(any) string', ([value]: [GoValue]) => typeName(value)),
  plain('typeIs(string, any) bool', ([type, value]: [string, GoValue]) => type === typeName(value)),
  plain('typeIsLike(string, any) bool', ([type, value]: [string, GoValue]) =>
    [type, `*${type}`].includes(typeName(value)),
  ),
  plain('kindOf(any) string', ([value]: [GoValue]) => kindName(value)),
  plain('kindIs(string, any) bool', ([kind, value]: [string, GoValue]) => kind === kindName(value)),
  plain('deepEqual(any, any) bool', ([a, b]: [GoValue, GoValue]) => isSameValue(a, b)),
];
