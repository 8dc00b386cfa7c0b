import { runAtEnd } from '../../base/text.ts';
import { childrenOf, type Expr } from '../../cel/ast.ts';
import type { Overload } from '../../cel/overload.ts';
import type { RulePlace } from '../../workspace/rulePlace.ts';
import type { Snapshot } from '../../workspace/snapshot.ts';
import { cursorAt } from '../place/cursor.ts';
import { expressionAt } from '../place/expressionAt.ts';
import { nameStart } from '../place/nodesAt.ts';
import { macroSignature } from '../words/functionDocs.ts';

export interface SignatureHelp {
  readonly signatures: readonly { readonly label: string; readonly documentation: string }[];
  readonly active: number;
  readonly parameter: number;
}

/** The overloads of the call, or the macro, whose arguments are being written. */
export function signatureHelp(snapshot: Snapshot, uri: string, offset: number): SignatureHelp | undefined {
  const cursor = cursorAt(snapshot, uri, offset);
  const expression = cursor && expressionAt(snapshot, cursor);
  if (!expression) return undefined;
  const { place, offset: at } = expression;
  const open = openCall(place.compiled.text, at);
  return open && (ofFunction(place, open) ?? ofMacro(place, open));
}

function ofFunction({ compiled, schemaEnv }: RulePlace, open: OpenCall): SignatureHelp | undefined {
  const { functions } = schemaEnv.env;
  const namespaced = open.prefix === '' ? undefined : functions.get(`${open.prefix}.${open.name}`);
  const isMember = open.member && !namespaced;
  const overloads =
    (namespaced ?? functions.get(open.name))?.overloads.filter(({ member }) => member === isMember) ?? [];
  if (overloads.length === 0) return undefined;
  const chosen = resolvedAt(compiled.expr, open.start);
  const active = Math.max(
    0,
    overloads.findIndex((overload) => chosen?.includes(overload)),
  );
  const signatures = overloads.map(({ signature, doc }) => ({ label: signature, documentation: doc }));
  return { signatures, active, parameter: open.parameter };
}

/** A macro's forms; the first one that has room for the argument being written is shown. */
function ofMacro({ schemaEnv }: RulePlace, { name, member, parameter }: OpenCall): SignatureHelp | undefined {
  const forms = schemaEnv.env.syntax.macros.get(name)?.filter(({ receiver }) => receiver === member) ?? [];
  if (forms.length === 0) return undefined;
  const signatures = forms.map((form) => ({ label: macroSignature(form), documentation: form.doc }));
  const active = Math.max(
    0,
    forms.findIndex(({ args }) => parameter < args),
  );
  return { signatures, active, parameter };
}

export interface OpenCall {
  readonly name: string;
  readonly member: boolean;
  /** The names before the last dot, which may be a namespace; '' where something else stands there. */
  readonly prefix: string;
  readonly parameter: number;
  readonly start: number;
}

/** The dotted name before a function's name: a namespace such as `format`, or what it is called on. */
function namespaceBefore(text: string, start: number): string {
  if (text[start - 1] !== '.') return '';
  const from = runAtEnd(text, /[\w.]/, start - 1);
  const name = text.slice(from, start - 1);
  return /^[A-Za-z_]/.test(name) && !/[)\]]/.test(text[from - 1] ?? '') ? name : '';
}

/** The innermost call whose parenthesis is open at an offset, found backwards in the text: the tree may be broken. */
function openCall(text: string, offset: number): OpenCall | undefined {
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
      const prefix = namespaceBefore(text, start);
      return { name: text.slice(start, i), member: text[start - 1] === '.', prefix, parameter, start };
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
