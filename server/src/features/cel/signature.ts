import { runAtEnd } from '../../base/text.ts';
import { childrenOf, type Expr } from '../../cel/ast.ts';
import type { Overload } from '../../cel/overload.ts';
import type { Snapshot } from '../../workspace/snapshot.ts';
import { cursorAt } from '../cursor.ts';
import { expressionAt } from './expressionAt.ts';

export interface SignatureHelp {
  readonly signatures: readonly { readonly label: string; readonly documentation: string }[];
  readonly active: number;
  readonly parameter: number;
}

/** The overloads of the call whose arguments are being written. */
export function signatureHelp(snapshot: Snapshot, uri: string, offset: number): SignatureHelp | undefined {
  const cursor = cursorAt(snapshot, uri, offset);
  const expression = cursor && expressionAt(snapshot, cursor);
  if (!expression) return undefined;
  const { place, offset: at } = expression;
  const open = openCall(place.compiled.text, at);
  if (!open) return undefined;
  const declared = place.schemaEnv.env.functions.get(open.name);
  const overloads = declared?.overloads.filter(({ member }) => member === open.member) ?? [];
  if (overloads.length === 0) return undefined;
  const chosen = resolvedAt(place.compiled.expr, open.start);
  const active = Math.max(
    0,
    overloads.findIndex((overload) => chosen?.includes(overload)),
  );
  const signatures = overloads.map(({ signature, doc }) => ({ label: signature, documentation: doc }));
  return { signatures, active, parameter: open.parameter };
}

export interface OpenCall {
  readonly name: string;
  readonly member: boolean;
  readonly parameter: number;
  readonly start: number;
}

/** Where the name begins that ends at an offset; it does not begin with a digit. */
export function nameStart(text: string, end: number): number {
  let start = runAtEnd(text, /\w/, end);
  while (start < end && /\d/.test(text[start]!)) start++;
  return start;
}

/** The innermost call whose parenthesis is open at an offset, found backwards in the text: the tree may be broken. */
export function openCall(text: string, offset: number): OpenCall | undefined {
  let depth = 0;
  let parameter = 0;
  for (let i = offset - 1; i >= 0; i--) {
    const char = text[i]!;
    if (')]}'.includes(char)) depth++;
    else if ('[{'.includes(char) || (char === '(' && depth > 0)) {
      if (depth === 0) return undefined;
      depth--;
    } else if (char === ',' && depth === 0) parameter++;
    else if (char === '(') {
      const start = nameStart(text, i);
      if (start === i) return undefined;
      return { name: text.slice(start, i), member: text[start - 1] === '.', parameter, start };
    }
  }
  return undefined;
}

/** The overloads that the checker has chosen for the call whose name stands at an offset. */
function resolvedAt(expr: Expr, nameStart: number): readonly Overload[] | undefined {
  if (expr.kind === 'call' && expr.start <= nameStart && nameStart < expr.end && expr.at >= nameStart)
    return expr.overloads;
  for (const child of childrenOf(expr)) {
    const found = resolvedAt(child, nameStart);
    if (found) return found;
  }
  return undefined;
}
