import { T } from './lex.ts';
import type { Macro } from './macros.ts';

/** What of the language a release's parser knows. */
export interface Syntax {
  readonly macros: ReadonlyMap<string, readonly Macro[]>;
  /** `.?`, `[?` and `?` in literals. */
  readonly optionals: boolean;
  /** Names in backquotes: read, read but refused, or not even a token. */
  readonly quotedIdents: 'read' | 'refused' | 'unknown';
  readonly accumulator: '@result' | '__result__';
  readonly guardsAccumulator: boolean;
  /** Up to cel-go 0.22 a `%` in a syntax error is taken for a formatting verb. */
  readonly formatsTexts: boolean;
  /** cel-go 0.20 reports an empty text at its first column, later releases before it. */
  readonly emptyHasColumn: boolean;
  readonly lineStartEndsLine: boolean;
  /** Escapes of half surrogate pairs are not refused. */
  readonly lenientEscapes: boolean;
}

/** cel-go's names of the operators, by token. */
export const operatorNames: (string | undefined)[] = [];
operatorNames[T.less] = '_<_';
operatorNames[T.lessEquals] = '_<=_';
operatorNames[T.greater] = '_>_';
operatorNames[T.greaterEquals] = '_>=_';
operatorNames[T.equals] = '_==_';
operatorNames[T.notEquals] = '_!=_';
operatorNames[T.in] = '@in';
operatorNames[T.plus] = '_+_';
operatorNames[T.minus] = '_-_';
operatorNames[T.star] = '_*_';
operatorNames[T.slash] = '_/_';
operatorNames[T.percent] = '_%_';

/** The macro that a call is, if it is one. */
export function findMacro(syntax: Syntax, name: string, receiver: boolean, args: number): Macro | undefined {
  const named = syntax.macros.get(name);
  if (!named) return undefined;
  for (const macro of named) if (macro.receiver === receiver && macro.args === args) return macro;
  return undefined;
}

/** Names that the grammar allows and cel-go refuses. */
export const reservedWords: ReadonlySet<string> = new Set(
  'as break const continue else for function if import let loop package namespace return var void while'.split(' '),
);
