import type { SyntaxFault } from '../model.ts';
import type { Reader } from './reader.ts';
import {
  type Channel,
  endInside,
  isChannel,
  type Parameter,
  parameterIn,
  type Shape,
  withoutParentheses,
} from './shapes.ts';
import type { TokenKind } from './tokens.ts';

// Go's grammar, with the mistakes that its parser looks for and the words that it has for them.

const strengths: readonly (readonly TokenKind[])[] = [
  ['||'],
  ['&&'],
  ['==', '!=', '<', '<=', '>', '>='],
  ['+', '-', '|', '^'],
  ['*', '/', '%', '<<', '>>', '&', '&^'],
];
const strengthOf = new Map(strengths.flatMap((kinds, i) => kinds.map((kind) => [kind, i + 1] as const)));
const assignments = new Set([':=', '=', '+=', '-=', '*=', '/=', '%=', '&=', '|=', '^=', '<<=', '>>=', '&^=']);
const signs = new Set(['+', '-', '!', '^', '&', '~']);
const typesBehindName = new Set(['IDENT', '*', '<-', 'func', 'chan', 'map', 'struct', 'interface', '(']);
const types = new Set([...typesBehindName, '['].filter((kind) => kind !== 'IDENT'));
const expressions = new Set([
  ...['IDENT', 'INT', 'FLOAT', 'IMAG', 'CHAR', 'STRING', 'func', '('],
  ...['[', 'struct', 'map', 'chan', 'interface', '+', '-', '*', '&', '^', '<-', '!'],
]);

/** Where Go's parser goes on behind what is wrong. */
const beginsOf = {
  declaration: new Set(['import', 'const', 'type', 'var']),
  statement: new Set([
    ...['break', 'const', 'continue', 'defer', 'fallthrough', 'for', 'go', 'goto', 'if', 'return', 'select', 'switch'],
    ...['type', 'var'],
  ]),
};
const ends = new Set([',', ':', ';', ')', ']', '}']);

type Statement =
  | {
      readonly kind: 'assignment';
      readonly left: readonly Shape[];
      readonly right: readonly Shape[];
      readonly operator: string;
    }
  | { readonly kind: 'expression'; readonly of: Shape }
  | { readonly kind: 'label' | 'other' };
/** A statement in front of a block, from where it is. */
type Placed = Statement & { readonly start: number; readonly operatorAt: number; readonly isRange: boolean };

interface ParameterFound {
  readonly name: Shape | undefined;
  readonly type: Shape | undefined;
}

function wrongDots(list: readonly ParameterFound[], mayHaveDots: boolean): SyntaxFault | undefined {
  const hasNames = list.some(({ name, type }) => name && type);
  let type: Shape | undefined;
  let first: Shape | undefined;
  for (const [i, one] of [...list.entries()].reverse()) {
    // Names take the type of the one behind them.
    type = hasNames ? (one.type ?? type) : one.type;
    if (type?.kind === 'dots' && !(mayHaveDots && i === list.length - 1)) first = type;
  }
  if (!first) return undefined;
  const message = mayHaveDots ? 'can only use ... with final parameter' : 'invalid use of ...';
  return { message, at: first.start };
}

export class Grammar {
  private readonly reader: Reader;
  /** Below zero in the head of a statement with a block: a brace begins that block there. */
  private level = 0;
  /** Statements by what they begin with. */
  private readonly own: ReadonlyMap<TokenKind, () => void> = new Map([
    ...['const', 'type', 'var'].map((kind) => [kind, () => this.declaration()] as const),
    ...['go', 'defer'].map((kind) => [kind, () => this.callStatement()] as const),
    ...['break', 'continue', 'goto', 'fallthrough'].map((kind) => [kind, () => this.branch()] as const),
    ['return', () => this.returnStatement()],
    ['{', () => this.block()],
    ['if', () => this.ifStatement()],
    ['switch', () => this.switchStatement()],
    ['select', () => this.selectStatement()],
    ['for', () => this.forStatement()],
    [';', () => this.reader.advance()],
    ['}', () => undefined],
  ]);
  /** Where `=` can only be meant as `==`. */
  private isRight = false;
  /** Where the last statement ended. */
  private statementEnd = 0;

  constructor(reader: Reader) {
    this.reader = reader;
  }

  file(): void {
    const { reader } = this;
    // What is wrong here already is likely not Go at all: Go's parser reads no further then.
    if (reader.hasFaults) return;
    reader.expect('package');
    this.name();
    this.endOfStatement();
    if (reader.hasFaults) return;
    let isBegin = true;
    while (!reader.at('EOF')) {
      const isImport = reader.at('import');
      if (isImport && !isBegin) reader.fault('imports must appear before other declarations');
      isBegin = isImport;
      this.declaration();
    }
  }

  private kind(): TokenKind {
    return this.reader.token.kind;
  }

  private name(): Shape {
    const start = this.reader.expect('IDENT');
    return { kind: 'name', start };
  }

  private names(): readonly Shape[] {
    const names = [this.name()];
    while (this.reader.takeIf(',')) names.push(this.name());
    return names;
  }

  private endOfStatement(): void {
    const { reader } = this;
    this.statementEnd = reader.lastEnd;
    if (reader.at(')', '}') || reader.takeIf(';')) return;
    reader.expected("';'");
    if (!reader.takeIf(',')) reader.skipTo(beginsOf.statement);
  }

  /** Whether a comma is here, or taken to be where it is missing. */
  private comma(context: string, closing: TokenKind): boolean {
    const { reader } = this;
    if (reader.at(',')) return true;
    if (reader.at(closing)) return false;
    reader.fault(`missing ','${reader.atBreak() ? ' before newline' : ''} in ${context}`);
    return true;
  }

  private close(kind: TokenKind, context: string): number {
    const { reader } = this;
    if (reader.atBreak()) {
      reader.fault(`missing ',' before newline in ${context}`);
      reader.advance();
    }
    return reader.expect(kind);
  }

  /** Reads something in which braces are values again. */
  private inside<T>(read: () => T): T {
    this.level++;
    const result = read();
    this.level--;
    return result;
  }

  private head<T>(read: () => T): T {
    const before = this.level;
    this.level = -1;
    const result = read();
    this.level = before;
    return result;
  }

  // Declarations

  private declaration(): void {
    const keyword = this.kind();
    if (keyword === 'import') this.group(() => this.importSpec());
    else if (keyword === 'const' || keyword === 'var') this.group(() => this.valueSpec(keyword));
    else if (keyword === 'type') this.group(() => this.typeSpec());
    else if (keyword === 'func') this.func();
    else {
      this.reader.expected('declaration');
      this.reader.skipTo(beginsOf.declaration);
    }
  }

  private group(spec: () => void): void {
    const { reader } = this;
    reader.advance();
    if (!reader.takeIf('(')) {
      spec();
      return;
    }
    while (!reader.at(')', 'EOF')) spec();
    reader.expect(')');
    this.endOfStatement();
  }

  private importSpec(): void {
    const { reader } = this;
    if (reader.at('IDENT', '.')) reader.advance();
    if (reader.at('INT', 'FLOAT', 'IMAG', 'CHAR', 'IDENT')) {
      reader.fault('import path must be a string');
      reader.advance();
    } else if (!reader.takeIf('STRING')) {
      reader.fault('missing import path');
      reader.skipTo(ends);
    }
    this.endOfStatement();
  }

  private valueSpec(keyword: TokenKind): void {
    const { reader } = this;
    this.names();
    if (keyword === 'var' && !reader.at('=')) this.type();
    else if (keyword === 'const' && !reader.at('EOF', ';', ')')) this.maybeType();
    if (reader.takeIf('=')) this.list(true);
    this.endOfStatement();
  }

  private typeSpec(): void {
    const { reader } = this;
    this.name();
    const open = reader.token.start;
    if (reader.takeIf('[')) this.afterBracket(open);
    else {
      reader.takeIf('=');
      this.type();
    }
    this.endOfStatement();
  }

  /** What is behind `type Name [`: the length of an array, or type parameters. */
  private afterBracket(open: number): void {
    const { reader } = this;
    if (!reader.at('IDENT')) {
      this.arrayType(open, false);
      return;
    }
    const name = this.name();
    const length = reader.at('[') ? name : this.inside(() => this.operations(this.primary(name), 1));
    const parameter = parameterIn(length, reader.at(','));
    if (!parameter || (parameter.type === undefined && reader.at(']'))) {
      this.arrayType(open, true);
      return;
    }
    this.parameterList(parameter, ']', false);
    reader.expect(']');
    reader.takeIf('=');
    this.type();
  }

  private func(): void {
    const { reader } = this;
    reader.advance();
    const isMethod = reader.at('(');
    if (isMethod) this.parameters(true);
    this.name();
    if (reader.at('[')) {
      const open = reader.token.start;
      if (this.typeParameters() && isMethod) reader.fault('method must have no type parameters', open);
    }
    this.signature();
    if (reader.at('{')) {
      this.body();
      this.endOfStatement();
    } else if (reader.takeIf(';')) {
      if (!reader.at('{')) return;
      reader.fault('unexpected semicolon or newline before {');
      this.body();
      this.endOfStatement();
    } else this.endOfStatement();
  }

  private signature(): void {
    this.parameters(true);
    this.results();
  }

  /** Where it ends; one that is not closed ends with its last statement. */
  private body(): number {
    const { reader } = this;
    const open = reader.expect('{');
    this.statementEnd = open + 1;
    this.statements();
    const { statementEnd } = this;
    const isClosed = reader.at('}');
    reader.expect('}');
    return isClosed ? reader.lastEnd : statementEnd;
  }

  // Types

  private type(): Shape {
    const type = this.maybeType();
    if (type) return type;
    const { start } = this.reader.token;
    this.reader.expected('type');
    this.reader.skipTo(ends);
    return { kind: 'wrong', start };
  }

  private maybeType(): Shape | undefined {
    return this.reader.nest(() => this.typeHere(), undefined);
  }

  private typeHere(): Shape | undefined {
    const { reader } = this;
    const { start } = reader.token;
    switch (this.kind()) {
      case 'IDENT':
        return this.namedType();
      case '[':
        reader.advance();
        return this.arrayType(start, false);
      case 'struct':
        return this.structType();
      case '*':
        reader.advance();
        return { kind: 'sign', operator: '*', of: this.type(), start };
      case 'func':
        return this.functionType();
      case 'interface':
        return this.interfaceType();
      case 'map':
        return this.mapType();
      case 'chan':
      case '<-':
        return this.channelType();
      case '(': {
        reader.advance();
        const of = this.type();
        reader.expect(')');
        return { kind: 'parentheses', of, start };
      }
      default:
        return undefined;
    }
  }

  /** `Name`, `package.Name`, with arguments or without; `first` is the name if that was read already. */
  private namedType(first?: Shape): Shape {
    const named = this.typeName(first);
    return this.reader.at('[') ? this.typeArguments(named) : named;
  }

  private typeName(first?: Shape): Shape {
    const name = first ?? this.name();
    if (!this.reader.takeIf('.')) return name;
    this.name();
    return { kind: 'selected', start: name.start };
  }

  private typeArguments({ start }: Shape): Shape {
    const { reader } = this;
    reader.expect('[');
    let count = 0;
    this.inside(() => {
      while (!reader.at(']', 'EOF')) {
        this.type();
        count++;
        if (!this.comma('type argument list', ']')) break;
        reader.advance();
      }
    });
    const close = this.close(']', 'type argument list');
    if (count === 0) reader.expected('type argument list', close);
    return { kind: 'index', start };
  }

  /** Behind `[`, or behind the length of an array that was read already. */
  private arrayType(start: number, hasLength: boolean): Shape {
    const { reader } = this;
    if (!hasLength) {
      this.inside(() => {
        if (!reader.takeIf('...') && !reader.at(']')) this.right();
      });
    }
    if (reader.at(',')) {
      reader.fault('unexpected comma; expecting ]');
      reader.advance();
    }
    reader.expect(']');
    this.type();
    return { kind: 'list', start };
  }

  /** `name []T`, `name [n]T`, or the type `Name[T]`, which has no name then. */
  private bracketsBehind(name: Shape): ParameterFound {
    const { reader } = this;
    const { start } = reader.token;
    reader.expect('[');
    let count = 0;
    let comma: number | undefined;
    this.inside(() => {
      while (!reader.at(']')) {
        this.right();
        count++;
        comma = reader.at(',') ? reader.token.start : undefined;
        if (!reader.takeIf(',')) break;
      }
    });
    reader.expect(']');
    if (count === 0) {
      this.type();
      return { name, type: { kind: 'list', start } };
    }
    const of = count === 1 ? this.maybeType() : undefined;
    if (!of) return { name: undefined, type: { kind: 'index', start: name.start } };
    if (comma !== undefined) reader.fault('unexpected comma; expecting ]', comma);
    return { name, type: { kind: 'list', start } };
  }

  private structType(): Shape {
    const { reader } = this;
    const start = reader.expect('struct');
    reader.expect('{');
    while (reader.at('IDENT', '*', '(')) this.field();
    reader.expect('}');
    return { kind: 'struct', start };
  }

  private field(): void {
    const { reader } = this;
    const isPointer = reader.takeIf('*');
    if (reader.at('(')) this.parenthesizedField();
    else if (isPointer) this.namedType();
    else this.namedField();
    reader.takeIf('STRING');
    this.endOfStatement();
  }

  private parenthesizedField(): void {
    const { reader } = this;
    reader.fault('cannot parenthesize embedded type');
    reader.advance();
    reader.takeIf('*');
    this.namedType();
    reader.takeIf(')');
  }

  private namedField(): void {
    const { reader } = this;
    const name = this.name();
    if (reader.at('.')) this.namedType(name);
    else if (!reader.at('STRING', ';', '}')) this.typeBehind(name);
  }

  private typeBehind(name: Shape): void {
    const { reader } = this;
    if (reader.at('[')) {
      this.bracketsBehind(name);
      return;
    }
    while (reader.takeIf(',')) this.name();
    this.type();
  }

  private mapType(): Shape {
    const { reader } = this;
    const start = reader.expect('map');
    reader.expect('[');
    this.type();
    reader.expect(']');
    this.type();
    return { kind: 'map', start };
  }

  private channelType(): Shape {
    const { reader } = this;
    const { start } = reader.token;
    let arrow = -1;
    let direction: Channel['direction'] = 'both';
    if (reader.takeIf('chan')) {
      if (reader.at('<-')) {
        arrow = reader.expect('<-');
        direction = 'send';
      }
    } else {
      arrow = reader.expect('<-');
      reader.expect('chan');
      direction = 'receive';
    }
    return { kind: 'channel', start, arrow, direction, of: this.type() };
  }

  private functionType(): Shape {
    const { reader } = this;
    const start = reader.expect('func');
    if (reader.at('[')) {
      const open = reader.token.start;
      if (this.typeParameters()) reader.fault('function type must have no type parameters', open);
    }
    this.signature();
    return { kind: 'function', start };
  }

  private interfaceType(): Shape {
    const { reader } = this;
    const start = reader.expect('interface');
    reader.expect('{');
    while (this.interfaceElement()) this.endOfStatement();
    reader.expect('}');
    return { kind: 'interface', start };
  }

  private interfaceElement(): boolean {
    const { reader } = this;
    if (reader.at('IDENT')) {
      const type = this.method();
      if (type) this.union(type);
      return true;
    }
    if (reader.at('~')) {
      this.union();
      return true;
    }
    const type = this.maybeType();
    if (type) this.union(type);
    return type !== undefined;
  }

  /** A method, or the beginning of an embedded type. */
  private method(): Shape | undefined {
    const { reader } = this;
    const named = this.typeName();
    if (named.kind !== 'name') return reader.at('[') ? this.typeArguments(named) : named;
    if (reader.at('(')) {
      this.signature();
      return undefined;
    }
    return reader.at('[') ? this.bracketsOfMethod(named) : named;
  }

  private bracketsOfMethod(named: Shape): Shape | undefined {
    const { reader } = this;
    const open = reader.expect('[');
    const first = this.inside(() => this.expression());
    if (first.kind === 'name' && !reader.at(',', ']')) {
      this.parameterList({ name: first, type: undefined }, ']', false);
      reader.expect(']');
      reader.fault('interface method must have no type parameters', open);
      this.signature();
      return undefined;
    }
    if (this.comma('type argument list', ']')) {
      this.inside(() => {
        reader.advance();
        while (!reader.at(']', 'EOF')) {
          this.type();
          if (!this.comma('type argument list', ']')) break;
          reader.advance();
        }
      });
    }
    this.close(']', 'type argument list');
    return { kind: 'index', start: named.start };
  }

  /** `A | ~B`, of which the first may have been read already. */
  private union(first?: Shape): Shape {
    const { reader } = this;
    let left = first ?? this.term();
    while (reader.takeIf('|')) {
      const right = this.term();
      left = { kind: 'operation', operator: '|', left, right, start: left.start };
    }
    return left;
  }

  private term(): Shape {
    const { reader } = this;
    const { start } = reader.token;
    if (reader.takeIf('~')) return { kind: 'sign', operator: '~', of: this.type(), start };
    const type = this.maybeType();
    if (type) return type;
    reader.expected('~ term or type');
    reader.skipTo(ends);
    return { kind: 'wrong', start };
  }

  // Parameters

  private typeParameters(): boolean {
    const { reader } = this;
    reader.expect('[');
    const count = reader.at(']') ? 0 : this.parameterList(undefined, ']', false);
    const close = reader.expect(']');
    if (count === 0) reader.fault('empty type parameter list', close);
    return count > 0;
  }

  private parameters(mayHaveDots: boolean): void {
    const { reader } = this;
    reader.expect('(');
    if (!reader.at(')')) this.parameterList(undefined, ')', mayHaveDots);
    reader.expect(')');
  }

  private results(): void {
    if (this.reader.at('(')) this.parameters(false);
    else this.maybeType();
  }

  /** How many there are; of the first one a part may have been read already. */
  private parameterList(first: Parameter | undefined, closing: ')' | ']', mayHaveDots: boolean): number {
    const { reader } = this;
    const start = (first?.name ?? first?.type)?.start ?? reader.token.start;
    const ofTypes = closing === ']';
    const list: ParameterFound[] = [];
    for (let begun = first; begun !== undefined || !reader.at(closing, 'EOF'); begun = undefined) {
      const one = begun?.type
        ? { name: begun.name, type: this.union(begun.type) }
        : this.parameter(begun?.name, ofTypes);
      if (one.name !== undefined || one.type !== undefined) list.push(one);
      if (!this.comma('parameter list', closing)) break;
      reader.advance();
    }
    for (const fault of [this.wrongNames(list, ofTypes, start), wrongDots(list, mayHaveDots)]) {
      if (fault) reader.fault(fault.message, fault.at);
    }
    return list.length;
  }

  private parameter(first: Shape | undefined, ofTypes: boolean): ParameterFound {
    const { reader } = this;
    if (first === undefined && ofTypes && reader.at('~')) return { name: undefined, type: this.union() };
    const found =
      first !== undefined || reader.at('IDENT') ? this.namedParameter(first, ofTypes) : this.bareParameter();
    const mayGoOn = ofTypes && reader.at('|') && found.type !== undefined && found.type.kind !== 'dots';
    return mayGoOn ? { name: found.name, type: this.union(found.type) } : found;
  }

  private bareParameter(): ParameterFound {
    const { reader } = this;
    if (types.has(this.kind())) return { name: undefined, type: this.type() };
    if (reader.at('...')) return { name: undefined, type: this.dots() };
    reader.expected("')'");
    reader.skipTo(ends);
    return { name: undefined, type: undefined };
  }

  private namedParameter(first: Shape | undefined, ofTypes: boolean): ParameterFound {
    const { reader } = this;
    const name = first ?? this.name();
    if (typesBehindName.has(this.kind())) return { name, type: this.type() };
    if (reader.at('[')) return this.bracketsBehind(name);
    if (reader.at('...')) return { name, type: this.dots() };
    if (reader.at('.')) return { name: undefined, type: this.namedType(name) };
    if (ofTypes && reader.at('~')) return { name, type: this.union() };
    if (ofTypes && reader.at('|')) return { name: undefined, type: this.union(name) };
    return { name, type: undefined };
  }

  private dots(): Shape {
    const start = this.reader.expect('...');
    this.type();
    return { kind: 'dots', start };
  }

  /** Either all parameters have names, or none. */
  private wrongNames(list: readonly ParameterFound[], ofTypes: boolean, start: number): SyntaxFault | undefined {
    const named = list.filter(({ name, type }) => name && type).length;
    const typed = list.filter(({ type }) => type).length;
    if (list.length === 0 || named === list.length || (named === 0 && !ofTypes)) return undefined;
    const here = this.reader.token.start;
    const [what, without] = ofTypes ? ['type parameter name', 'type constraint'] : ['parameter name', 'parameter type'];
    if (named === typed) {
      // Names take the type of the one behind them.
      const hasLast = named > 0 && list[list.length - 1]!.type !== undefined;
      return hasLast ? undefined : { message: `missing ${without}`, at: here };
    }
    const orLength = ofTypes && list.length === 1 ? ' or invalid array length' : '';
    const message = `missing ${what}${orLength}`;
    if (named === 0) return { message, at: start };
    const nameless = list.find(({ name }) => name === undefined)!;
    return { message, at: nameless.type!.start };
  }

  // Expressions

  private list(isRight: boolean): Shape[] {
    const before = this.isRight;
    this.isRight = isRight;
    const all = [this.expression()];
    while (this.reader.takeIf(',')) all.push(this.expression());
    this.isRight = before;
    return all;
  }

  private right(): Shape {
    const before = this.isRight;
    this.isRight = true;
    const found = this.expression();
    this.isRight = before;
    return found;
  }

  private expression(): Shape {
    return this.operations(this.signed(), 1);
  }

  /** What operators that bind at least as strongly make of something and of what is behind it. */
  private operations(first: Shape, least: number): Shape {
    const { reader } = this;
    let left = first;
    for (;;) {
      const operator = this.isRight && reader.at('=') ? '==' : this.kind();
      const strength = strengthOf.get(operator) ?? 0;
      if (strength < least) return left;
      reader.expect(operator);
      const right = this.operations(this.signed(), strength + 1);
      left = { kind: 'operation', operator, left, right, start: left.start };
    }
  }

  private signed(): Shape {
    const { start } = this.reader.token;
    return this.reader.nest<Shape>(() => this.signedHere(), { kind: 'wrong', start });
  }

  private signedHere(): Shape {
    const { reader } = this;
    const { start, kind } = reader.token;
    if (signs.has(kind) || kind === '*') {
      reader.advance();
      return { kind: 'sign', operator: kind, of: this.signed(), start };
    }
    if (kind !== '<-') return this.primary(this.operand());
    reader.advance();
    const of = this.signed();
    if (!isChannel(of)) return { kind: 'sign', operator: '<-', of, start };
    this.judgeArrow(start, of);
    return { ...of, direction: 'receive', start, arrow: start };
  }

  /** In `<-chan T` the arrow belongs to the type, and those inside of it move on by one. */
  private judgeArrow(start: number, channel: Channel): void {
    let arrow = start;
    let inner: Shape = channel;
    let { direction }: { direction: Channel['direction'] } = { direction: 'send' };
    while (direction === 'send' && isChannel(inner)) {
      if (inner.direction === 'receive') this.reader.expected("'chan'", inner.arrow);
      arrow = inner.arrow;
      direction = inner.direction;
      inner = inner.of;
    }
    if (direction === 'send') this.reader.expected('channel type', arrow);
  }

  private operand(): Shape {
    const { reader } = this;
    const { start, kind } = reader.token;
    switch (kind) {
      case 'IDENT':
        return this.name();
      case 'INT':
      case 'FLOAT':
      case 'IMAG':
      case 'CHAR':
      case 'STRING':
        reader.advance();
        return { kind: 'other', start };
      case '(': {
        reader.advance();
        const of = this.inside(() => this.right());
        const end = reader.lastEnd;
        reader.expect(')');
        return { kind: 'parentheses', of, start, end };
      }
      case 'func':
        return this.functionOrType();
    }
    const type = this.maybeType();
    if (type) return type;
    reader.expected('operand');
    reader.skipTo(beginsOf.statement);
    return { kind: 'wrong', start };
  }

  private functionOrType(): Shape {
    const type = this.functionType();
    if (!this.reader.at('{')) return type;
    const end = this.inside(() => this.body());
    return { kind: 'function literal', start: type.start, end };
  }

  /** What selectors, indices, calls and values in braces make of something. */
  private primary(first: Shape): Shape {
    const { reader } = this;
    let of = first;
    for (;;) {
      if (reader.takeIf('.')) of = this.selected(of);
      else if (reader.at('[')) of = this.indexed(of);
      else if (reader.at('(')) of = this.called(of);
      else if (reader.at('{') && this.isLiteral(of)) of = this.literal(of);
      else return of;
    }
  }

  private selected({ start }: Shape): Shape {
    const { reader } = this;
    if (reader.takeIf('IDENT')) return { kind: 'selected', start };
    if (!reader.takeIf('(')) {
      const end = reader.token.start + 1;
      reader.expected('selector or type assertion');
      if (!reader.at('}')) reader.advance();
      return { kind: 'selected', start, end };
    }
    const isSwitch = reader.takeIf('type');
    if (!isSwitch) this.type();
    reader.expect(')');
    return { kind: isSwitch ? 'type switch' : 'other', start };
  }

  private indexed({ start }: Shape): Shape {
    const { reader } = this;
    reader.expect('[');
    if (reader.at(']')) {
      reader.expected('operand');
      reader.advance();
      return { kind: 'index', start };
    }
    return this.inside(() => {
      if (!reader.at(':')) this.right();
      if (reader.at(':')) return this.slice(start);
      while (reader.takeIf(',')) if (!reader.at(']', 'EOF')) this.type();
      reader.expect(']');
      return { kind: 'index', start };
    });
  }

  private slice(start: number): Shape {
    const { reader } = this;
    const colons: number[] = [];
    const missing: number[] = [];
    while (reader.at(':') && colons.length < 2) {
      colons.push(reader.expect(':'));
      if (reader.at(':', ']', 'EOF')) missing.push(colons.length);
      else this.right();
    }
    reader.expect(']');
    if (colons.length === 2 && missing.includes(1)) reader.fault('middle index required in 3-index slice', colons[0]);
    if (colons.length === 2 && missing.includes(2)) reader.fault('final index required in 3-index slice', colons[1]);
    return { kind: 'other', start };
  }

  private called(of: Shape): Shape {
    const { reader } = this;
    reader.expect('(');
    const given: Shape[] = [];
    let hasDots = false;
    this.inside(() => {
      while (!reader.at(')', 'EOF') && !hasDots) {
        given.push(this.right());
        hasDots = reader.takeIf('...');
        if (!this.comma('argument list', ')')) break;
        reader.advance();
      }
    });
    this.close(')', 'argument list');
    return { kind: 'call', of, argument: given.length === 1 && !hasDots ? given[0] : undefined, start: of.start };
  }

  /** Whether a brace behind something begins its value, and not a block. */
  private isLiteral(of: Shape): boolean {
    const type = withoutParentheses(of);
    const isMaybe = ['wrong', 'name', 'selected', 'index'].includes(type.kind) && this.level >= 0;
    if (!isMaybe && !['list', 'struct', 'map'].includes(type.kind)) return false;
    if (type !== of) this.reader.fault('cannot parenthesize type in composite literal', type.start);
    return true;
  }

  private literal({ start }: Shape): Shape {
    const { reader } = this;
    return reader.nest<Shape>(
      () => {
        reader.expect('{');
        this.inside(() => {
          while (!reader.at('}', 'EOF')) {
            this.element();
            if (reader.takeIf(':')) this.element();
            if (!this.comma('composite literal', '}')) break;
            reader.advance();
          }
        });
        this.close('}', 'composite literal');
        return { kind: 'other', start };
      },
      { kind: 'wrong', start },
    );
  }

  private element(): void {
    if (this.reader.at('{')) this.literal({ kind: 'other', start: this.reader.token.start });
    else this.expression();
  }

  // Statements

  private statements(): void {
    while (!this.reader.at('case', 'default', '}', 'EOF')) this.reader.nest(() => this.statement(), undefined);
  }

  private statement(): void {
    const { reader } = this;
    const own = this.own.get(this.kind());
    if (own) own();
    else if (expressions.has(this.kind())) {
      if (this.simple('label').kind !== 'label') this.endOfStatement();
    } else {
      reader.expected('statement');
      reader.skipTo(beginsOf.statement);
    }
  }

  private returnStatement(): void {
    this.reader.advance();
    if (!this.reader.at(';', '}')) this.list(true);
    this.endOfStatement();
  }

  private block(): void {
    this.body();
    this.endOfStatement();
  }

  private callStatement(): void {
    const keyword = this.kind();
    this.reader.advance();
    const of = this.right();
    const call = withoutParentheses(of);
    if (call !== of) this.reader.fault(`expression in ${keyword} must not be parenthesized`, of.start);
    if (call.kind !== 'call' && call.kind !== 'wrong') {
      const end = endInside(of) ?? this.reader.lastEnd;
      this.reader.fault(`expression in ${keyword} must be function call`, end);
    }
    this.endOfStatement();
  }

  private branch(): void {
    const { reader } = this;
    const keyword = this.kind();
    reader.advance();
    if (keyword === 'goto' || (keyword !== 'fallthrough' && reader.at('IDENT'))) this.name();
    this.endOfStatement();
  }

  /** An assignment, a label, or an expression. */
  private simple(mode: 'plain' | 'label' | 'range'): Placed {
    const { reader } = this;
    const left = this.list(false);
    const { start } = left[0]!;
    const { kind, start: operatorAt } = reader.token;
    const placed = { start, operatorAt, isRange: false };
    if (assignments.has(kind)) {
      reader.advance();
      if (mode === 'range' && (kind === ':=' || kind === '=') && reader.takeIf('range')) {
        return { ...placed, kind: 'assignment', left, right: [this.right()], operator: kind, isRange: true };
      }
      return { ...placed, kind: 'assignment', left, right: this.list(true), operator: kind };
    }
    if (left.length > 1) reader.expected('1 expression', start);
    if (reader.takeIf(':')) {
      if (mode !== 'label' || left[0]!.kind !== 'name') {
        reader.fault('illegal label declaration', operatorAt);
        return { ...placed, kind: 'other' };
      }
      reader.nest(() => this.statement(), undefined);
      return { ...placed, kind: 'label' };
    }
    if (reader.takeIf('<-')) {
      this.right();
      return { ...placed, kind: 'other' };
    }
    if (reader.takeIf('++') || reader.takeIf('--')) return { ...placed, kind: 'other' };
    return { ...placed, kind: 'expression', of: left[0]! };
  }

  /** Says that a statement is where only an expression may be. */
  private judgeExpression(statement: Placed | undefined, wanted: string): void {
    if (!statement || statement.kind === 'expression') return;
    const found = statement.kind === 'assignment' ? 'assignment' : 'simple statement';
    const hint = '(missing parentheses around composite literal?)';
    this.reader.fault(`expected ${wanted}, found ${found} ${hint}`, statement.start);
  }

  private ifStatement(): void {
    const { reader } = this;
    do {
      reader.expect('if');
      this.ifHead();
      this.body();
      if (!reader.takeIf('else')) {
        this.endOfStatement();
        return;
      }
    } while (reader.at('if'));
    if (reader.at('{')) this.block();
    else reader.expected('if statement or block');
  }

  private ifHead(): void {
    if (this.reader.at('{')) this.reader.fault('missing condition in if statement');
    else this.head(() => this.condition());
  }

  private condition(): void {
    const { reader } = this;
    if (reader.takeIf('var')) reader.fault('var declaration not allowed in if initializer');
    const first = reader.at(';') ? undefined : this.simple('plain');
    if (reader.at('{')) {
      this.judgeExpression(first, 'boolean expression');
      return;
    }
    const { kind, start, text } = reader.token;
    reader.expect(';');
    const isBreak = text === '\n';
    if (!reader.at('{')) this.judgeExpression(this.simple('plain'), 'boolean expression');
    else if (kind === ';') {
      reader.fault(
        isBreak ? 'unexpected newline, expecting { after if clause' : 'missing condition in if statement',
        start,
      );
    }
  }

  private switchStatement(): void {
    const { reader } = this;
    reader.advance();
    const of = reader.at('{') ? undefined : this.head(() => this.switchHead());
    if (of === undefined || !this.isTypeSwitch(of)) this.judgeExpression(of, 'switch expression');
    reader.expect('{');
    while (reader.at('case', 'default')) {
      if (reader.takeIf('case')) this.list(true);
      else reader.advance();
      reader.expect(':');
      this.statements();
    }
    reader.expect('}');
    this.endOfStatement();
  }

  private switchHead(): Placed | undefined {
    const { reader } = this;
    const first = reader.at(';') ? undefined : this.simple('plain');
    if (!reader.takeIf(';')) return first;
    return reader.at('{') ? undefined : this.simple('plain');
  }

  private isTypeSwitch(statement: Placed): boolean {
    if (statement.kind === 'expression') return statement.of.kind === 'type switch';
    if (statement.kind !== 'assignment') return false;
    const { left, right, operator, operatorAt } = statement;
    if (left.length !== 1 || right.length !== 1 || right[0]!.kind !== 'type switch') return false;
    if (operator === '=') this.reader.fault("expected ':=', found '='", operatorAt);
    return operator === '=' || operator === ':=';
  }

  private selectStatement(): void {
    const { reader } = this;
    reader.advance();
    reader.expect('{');
    while (reader.at('case', 'default')) {
      if (reader.takeIf('case')) this.communication();
      else reader.advance();
      reader.expect(':');
      this.statements();
    }
    reader.expect('}');
    this.endOfStatement();
  }

  private communication(): void {
    const { reader } = this;
    const left = this.list(false);
    const { start } = left[0]!;
    const isReceived = reader.at('=', ':=');
    if (isReceived && left.length > 2) reader.expected('1 or 2 expressions', start);
    else if (!isReceived && left.length > 1) reader.expected('1 expression', start);
    if (!isReceived && !reader.at('<-')) return;
    reader.advance();
    this.right();
  }

  private forStatement(): void {
    const { reader } = this;
    reader.advance();
    const of = reader.at('{') ? undefined : this.head(() => this.forHead());
    if (of?.isRange !== true) this.judgeExpression(of, 'boolean or range expression');
    else if (of.kind === 'assignment' && of.left.length > 2) {
      reader.expected('at most 2 expressions', of.left[of.left.length - 1]!.start);
    }
    this.body();
    this.endOfStatement();
  }

  /** The condition of a loop, or what it ranges over. */
  private forHead(): Placed | undefined {
    const { reader } = this;
    const { start } = reader.token;
    if (reader.takeIf('range')) {
      this.right();
      return { kind: 'other', start, operatorAt: start, isRange: true };
    }
    const first = reader.at(';') ? undefined : this.simple('range');
    if (first?.isRange || !reader.takeIf(';')) return first;
    const condition = reader.at(';') ? undefined : this.simple('plain');
    this.endOfStatement();
    if (!reader.at('{')) this.simple('plain');
    return condition;
  }
}
