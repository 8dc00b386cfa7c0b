/** Reads Go's text/template. What is broken is noted, and reading goes on behind it: Go knows the first error alone. */
import { Lexer, printToken, type Token, type TokenType } from './lex.ts';
import {
  type BranchNode,
  type ChainNode,
  type CommandNode,
  isEmptyList,
  type ListNode,
  type Operand,
  type PipeNode,
  printNode,
  type Statement,
  type Tree,
  type VariableNode,
} from './nodes.ts';
import { readNumber } from './numbers.ts';
import { unquote } from './unquote.ts';

/** An error in Go's words, and the place in the file that it is about. */
export interface SyntaxProblem {
  readonly message: string;
  readonly start: number;
  readonly end: number;
}

export interface Parsed {
  /** The templates by name: that of the file, and those that it defines. */
  readonly trees: ReadonlyMap<string, Tree>;
  readonly problems: readonly SyntaxProblem[];
}

/** Deeper than people write, and what the stack bears. */
const deepestTemplateNesting = 200;

/** Behind so many errors nothing more is read. */
const mostSyntaxProblems = 200;

/** Reads a file by its name in messages; `id` is what places call it. */
export function parseTemplate(file: string, text: string, isFunction: (name: string) => boolean, id = file): Parsed {
  const parser = new Parser(file, text, isFunction, id);
  parser.file();
  return parser;
}

/** Thrown to leave an action that cannot be read. */
class Broken extends Error {
  readonly problem: SyntaxProblem;

  constructor(problem: SyntaxProblem) {
    super(problem.message);
    this.problem = problem;
  }
}

type End = { readonly kind: 'end' | 'else'; readonly pos: number };

function isEnd(node: Statement | End): node is End {
  return node.kind === 'end' || node.kind === 'else';
}

const operands: ReadonlySet<TokenType> = new Set<TokenType>([
  'bool',
  'charConstant',
  'complex',
  'dot',
  'field',
  'identifier',
  'number',
  'nil',
  'rawString',
  'string',
  'variable',
  'leftParen',
]);

class Parser implements Parsed {
  readonly trees = new Map<string, Tree>();
  readonly problems: SyntaxProblem[] = [];
  private readonly name: string;
  private readonly id: string;
  private readonly text: string;
  private readonly isFunction: (name: string) => boolean;
  private readonly lexer: Lexer;
  /** Tokens that were read and are still to come, the next one last. */
  private readonly ahead: Token[] = [];
  /** The token that was read last of all, which is where Go says that an error is. */
  private last: Token = { type: 'eof', pos: 0, text: '' };
  /** The end of the token that was taken last. */
  private end = 0;
  private vars: string[] = ['$'];
  private ranges = 0;
  private depth = 0;
  private action: number | undefined;

  constructor(name: string, text: string, isFunction: (name: string) => boolean, id: string) {
    this.id = id;
    this.name = name;
    this.text = text;
    this.isFunction = isFunction;
    this.lexer = new Lexer(text);
  }

  file(): void {
    const nodes: Statement[] = [];
    const pos = this.peek().pos;
    while (this.peek().type !== 'eof') this.attempt(() => this.topLevel(nodes));
    this.attempt(() => this.add(this.name, { kind: 'list', pos, end: this.text.length, nodes }));
  }

  /** Notes what is broken, and goes on behind it. */
  private attempt(read: () => void): void {
    const { depth } = this;
    try {
      read();
    } catch (error) {
      if (!(error instanceof Broken)) throw error;
      this.depth = depth;
      this.note(error);
    }
  }

  private note({ problem }: Broken): void {
    this.problems.push(problem);
    this.ahead.length = 0;
    if (this.problems.length < mostSyntaxProblems) this.lexer.recover(Math.max(problem.start, this.end));
    else this.lexer.finish();
  }

  private topLevel(nodes: Statement[]): void {
    if (this.peek().type === 'leftDelim') {
      const delim = this.next();
      if (this.nextNonSpace().type === 'define') {
        this.definition();
        return;
      }
      this.back();
      this.ahead.push(delim);
    }
    const node = this.textOrAction();
    if (isEnd(node)) this.fail(`unexpected {{${node.kind}}}`);
    nodes.push(node);
  }

  private definition(): void {
    const context = 'define clause';
    const outside = this.scope();
    const name = this.expect(['string', 'rawString'], context);
    const text = unquote(name.text);
    if (text === undefined) this.fail('invalid syntax');
    this.expect(['rightDelim'], context);
    const [list, end] = this.itemList();
    if (end.kind !== 'end') this.fail(`unexpected {{else}} in ${context}`);
    this.restore(outside);
    this.add(text, list);
  }

  /** Definitions have variables and loops of their own; what is given back is to be restored. */
  private scope(): { vars: string[]; ranges: number } {
    const { vars, ranges } = this;
    this.vars = ['$'];
    this.ranges = 0;
    return { vars, ranges };
  }

  private restore({ vars, ranges }: { vars: string[]; ranges: number }): void {
    this.vars = vars;
    this.ranges = ranges;
  }

  private add(name: string, root: ListNode): void {
    const before = this.trees.get(name);
    if (before && !isEmptyList(before.root)) {
      if (!isEmptyList(root)) this.fail(`template: multiple definition of template "${name}"`);
      return;
    }
    this.trees.set(name, { name, file: this.name, id: this.id, text: this.text, root });
  }

  private itemList(): [ListNode, End] {
    const pos = this.peekNonSpace().pos;
    const nodes: Statement[] = [];
    while (this.peekNonSpace().type !== 'eof') {
      const node = this.kept(() => this.textOrAction());
      if (node && isEnd(node)) return [{ kind: 'list', pos, end: node.pos, nodes }, node];
      if (node) nodes.push(node);
    }
    this.fail('unexpected EOF');
  }

  /** Inside of a list what is broken is passed over, so that the ends around it are found. */
  private kept<T>(read: () => T): T | undefined {
    let made: T | undefined;
    this.attempt(() => {
      made = read();
    });
    return made;
  }

  private textOrAction(): Statement | End {
    const token = this.nextNonSpace();
    if (token.type === 'text')
      return { kind: 'text', pos: token.pos, end: token.pos + token.text.length, text: token.text };
    if (token.type !== 'leftDelim') this.unexpected(token, 'input');
    this.action = token.pos;
    try {
      return this.actionFrom(token.pos);
    } finally {
      this.action = undefined;
    }
  }

  private actionFrom(start: number): Statement | End {
    const token = this.nextNonSpace();
    switch (token.type) {
      case 'block':
        return this.block(start);
      case 'break':
      case 'continue':
        return this.jump(token.type, token.pos);
      case 'else':
        return this.elseControl();
      case 'end':
        return { kind: 'end', pos: this.expect(['rightDelim'], 'end').pos };
      case 'if':
      case 'range':
      case 'with':
        return this.branch(token.type, start);
      case 'template':
        return this.template(start);
    }
    this.back(token);
    const { pos } = this.peek();
    const pipe = this.pipeline('command', 'rightDelim');
    return { kind: 'action', pos, start, end: this.end, pipe };
  }

  private jump(kind: 'break' | 'continue', pos: number): Statement {
    const token = this.nextNonSpace();
    if (token.type !== 'rightDelim') this.unexpected(token, `{{${kind}}}`);
    if (this.ranges === 0) this.fail(`{{${kind}}} outside {{range}}`);
    return { kind, pos, end: this.end };
  }

  private elseControl(): End {
    const peek = this.peekNonSpace();
    if (peek.type === 'if' || peek.type === 'with') return { kind: 'else', pos: peek.pos };
    return { kind: 'else', pos: this.expect(['rightDelim'], 'else').pos };
  }

  private branch(kind: BranchNode['kind'], start: number): BranchNode {
    const known = this.vars.length;
    // One whose condition is broken still has its end.
    const pipe = this.brokenOr(() => this.pipeline(kind, 'rightDelim'));
    if (++this.depth > deepestTemplateNesting) this.fail('max expression depth exceeded');
    if (kind === 'range') this.ranges++;
    const [list, next] = this.itemList();
    if (kind === 'range') this.ranges--;
    const elseList = next.kind === 'else' ? this.elseList(kind, next.pos) : undefined;
    this.depth--;
    this.vars.length = Math.min(known, this.vars.length);
    return { kind, pos: pipe.pos, start, end: this.end, pipe, list, elseList };
  }

  private brokenOr(read: () => PipeNode): PipeNode {
    const { pos } = this.peekNonSpace();
    const nothing = {
      kind: 'pipe',
      pos,
      end: pos,
      declared: [],
      isAssign: false,
      commands: [],
      isBroken: true,
    } as const;
    return this.kept(read) ?? nothing;
  }

  private elseList(kind: BranchNode['kind'], pos: number): ListNode {
    if (kind !== 'range' && this.peek().type === kind) {
      const start = this.next().pos;
      const branch = this.branch(kind, start);
      return { kind: 'list', pos, end: this.end, nodes: [branch] };
    }
    const [list, end] = this.itemList();
    if (end.kind !== 'end') this.fail('expected end; found {{else}}');
    return list;
  }

  private block(start: number): Statement {
    const context = 'block clause';
    const token = this.nextNonSpace();
    const name = this.templateName(token, context);
    const pipe = this.pipeline(context, 'rightDelim');
    const outside = this.scope();
    const [list, end] = this.itemList();
    if (end.kind !== 'end') this.fail(`unexpected {{else}} in ${context}`);
    this.restore(outside);
    this.add(name, list);
    return this.call(token, start, name, pipe);
  }

  private template(start: number): Statement {
    const context = 'template clause';
    const token = this.nextNonSpace();
    const name = this.templateName(token, context);
    const next = this.nextNonSpace();
    if (next.type !== 'rightDelim') this.back(next);
    const pipe = next.type === 'rightDelim' ? undefined : this.pipeline(context, 'rightDelim');
    return this.call(token, start, name, pipe);
  }

  /** A template that is run here, as it is named by a token. */
  private call({ pos, text }: Token, start: number, name: string, pipe: PipeNode | undefined): Statement {
    return { kind: 'template', pos, start, end: this.end, name, nameEnd: pos + text.length, pipe };
  }

  private templateName(token: Token, context: string): string {
    if (token.type !== 'string' && token.type !== 'rawString') this.unexpected(token, context);
    return unquote(token.text) ?? this.fail('invalid syntax');
  }

  private pipeline(context: string, end: TokenType): PipeNode {
    const { pos } = this.peekNonSpace();
    const [declared, isAssign] = this.declarations(context);
    const commands: CommandNode[] = [];
    for (;;) {
      const token = this.nextNonSpace();
      if (token.type === end) break;
      if (!operands.has(token.type)) this.unexpected(token, context);
      this.back(token);
      commands.push(this.command());
    }
    this.checkPipeline(commands, context);
    return { kind: 'pipe', pos, end: this.end, declared, isAssign, commands, isBroken: false };
  }

  private checkPipeline(commands: readonly CommandNode[], context: string): void {
    if (commands.length === 0) this.fail(`missing value for ${context}`);
    commands.forEach(({ args }, at) => {
      if (at > 0 && ['bool', 'dot', 'nil', 'number', 'string'].includes(args[0]!.kind))
        this.fail(`non executable command in pipeline stage ${at + 1}`);
    });
  }

  private declarations(context: string): [VariableNode[], boolean] {
    const declared: VariableNode[] = [];
    for (;;) {
      const variable = this.peekNonSpace();
      if (variable.type !== 'variable') return [declared, false];
      this.next();
      const after = this.peek();
      const next = this.peekNonSpace();
      if (next.type === 'assign' || next.type === 'declare') {
        this.nextNonSpace();
        declared.push(this.declare(variable));
        return [declared, next.type === 'assign'];
      }
      if (next.type !== 'char' || next.text !== ',') {
        // A blank behind it tells an argument from a field.
        if (after.type === 'space') this.ahead.push(after);
        this.ahead.push(variable);
        return [declared, false];
      }
      this.nextNonSpace();
      declared.push(this.declare(variable));
      if (context !== 'range' || declared.length > 1) this.fail(`too many declarations in ${context}`);
      if (!['variable', 'rightDelim', 'rightParen'].includes(this.peekNonSpace().type))
        this.fail('range can only initialize variables');
    }
  }

  private declare({ pos, text }: Token): VariableNode {
    this.vars.push(text);
    return { kind: 'variable', pos, end: pos + text.length, names: text.split('.') };
  }

  private command(): CommandNode {
    const { pos } = this.peekNonSpace();
    const args: Operand[] = [];
    for (;;) {
      this.skipSpaces();
      const operand = this.operand();
      if (operand) args.push(operand);
      const { end } = this;
      const token = this.next();
      if (token.type === 'space') continue;
      if (token.type === 'rightDelim' || token.type === 'rightParen') this.back(token);
      else if (token.type !== 'pipe') this.unexpected(token, 'operand');
      if (args.length === 0) this.fail('empty command');
      return { kind: 'command', pos, end, args };
    }
  }

  private operand(): Operand | undefined {
    const node = this.term();
    if (!node || this.peek().type !== 'field') return node;
    const { pos } = this.peek();
    const names: string[] = [];
    while (this.peek().type === 'field') names.push(this.next().text.slice(1));
    const { end } = this;
    if (node.kind === 'field' || node.kind === 'variable')
      return { ...node, pos, end, names: [...node.names, ...names] };
    if (['bool', 'string', 'number', 'nil', 'dot'].includes(node.kind))
      this.fail(`unexpected . after term "${printNode(node).replaceAll('"', '\\"')}"`);
    return { kind: 'chain', pos, end, of: node, names } satisfies ChainNode;
  }

  private term(): Operand | undefined {
    const token = this.nextNonSpace();
    const { pos, text } = token;
    const { end } = this;
    switch (token.type) {
      case 'identifier':
        if (!this.isFunction(text)) this.fail(`function "${text}" not defined`, token);
        return { kind: 'identifier', pos, end, name: text };
      case 'dot':
      case 'nil':
        return { kind: token.type, pos, end };
      case 'variable':
        return this.variable(token);
      case 'field':
        return { kind: 'field', pos, end, names: text.slice(1).split('.') };
      case 'bool':
        return { kind: 'bool', pos, end, isTrue: text === 'true' };
      case 'charConstant':
      case 'complex':
      case 'number': {
        const number = readNumber(text, token.type);
        return typeof number === 'string' ? this.fail(number, token) : { kind: 'number', pos, end, text, ...number };
      }
      case 'leftParen':
        return this.parenthesized();
      case 'string':
      case 'rawString':
        return { kind: 'string', pos, end, quoted: text, text: unquote(text) ?? this.fail('invalid syntax', token) };
    }
    this.back(token);
    return undefined;
  }

  private variable(token: Token): VariableNode {
    const names = token.text.split('.');
    if (!this.vars.includes(names[0]!)) this.fail(`undefined variable "${names[0]}"`, token);
    return { kind: 'variable', pos: token.pos, end: this.end, names };
  }

  private parenthesized(): PipeNode {
    if (++this.depth > deepestTemplateNesting) this.fail('max expression depth exceeded');
    const pipe = this.pipeline('parenthesized pipeline', 'rightParen');
    this.depth--;
    return pipe;
  }

  private next(): Token {
    const token = this.ahead.pop() ?? this.read();
    this.end = Math.max(this.end, token.type === 'eof' || token.type === 'error' ? 0 : token.pos + token.text.length);
    return token;
  }

  private read(): Token {
    this.last = this.lexer.next();
    return this.last;
  }

  /** Takes a token back; without one, the one that was read last of all. */
  private back(token: Token = this.last): void {
    this.ahead.push(token);
    this.end = Math.min(this.end, token.pos);
  }

  private peek(): Token {
    if (this.ahead.length === 0) this.ahead.push(this.read());
    return this.ahead.at(-1)!;
  }

  private skipSpaces(): void {
    while (this.peek().type === 'space') this.ahead.pop();
  }

  private nextNonSpace(): Token {
    this.skipSpaces();
    return this.next();
  }

  private peekNonSpace(): Token {
    this.skipSpaces();
    return this.peek();
  }

  private expect(types: readonly TokenType[], context: string): Token {
    const token = this.nextNonSpace();
    if (!types.includes(token.type)) this.unexpected(token, context);
    return token;
  }

  private unexpected(token: Token, context: string): never {
    if (token.type !== 'error') this.fail(`unexpected ${printToken(token)} in ${context}`, token);
    const isElsewhere = this.action !== undefined && this.lineAt(this.action) !== this.lineAt(token.pos);
    const started = isElsewhere ? ` started at ${this.name}:${this.lineAt(this.action!)}` : '';
    const where = started === '' || token.text.endsWith(' action') ? started : ` in action${started}`;
    this.fail(`${token.text}${where}`, token);
  }

  private lineAt(offset: number): number {
    let line = 1;
    for (let at = this.text.indexOf('\n'); at !== -1 && at < offset; at = this.text.indexOf('\n', at + 1)) line++;
    return line;
  }

  private fail(text: string, at: Token = this.last): never {
    const message = `template: ${this.name}:${this.lineAt(this.last.pos)}: ${text}`;
    const start = Math.min(at.pos, this.text.length);
    const end = at.type === 'error' || at.type === 'eof' ? start : start + at.text.length;
    throw new Broken({ message, start, end });
  }
}
