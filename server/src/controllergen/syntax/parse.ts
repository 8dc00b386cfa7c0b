import type { Range } from '../../base/text.ts';
import { Comments } from './comments.ts';
import type {
  CommentGroup,
  ConstantDeclaration,
  Declaration,
  Field,
  GoFile,
  GoImport,
  Method,
  Name,
  TypeDeclaration,
  TypeExpression,
} from './model.ts';
import { Scanner, type Token } from './scan.ts';

/** What a text says of types, constants and comments. It never fails: what cannot be read is left out. */
export function parseGo(text: string): GoFile {
  return new Parser(text).file();
}

/** Types deeper inside each other are not read. */
const maxDepth = 100;
const declarations = new Set(['import', 'const', 'type', 'var', 'func']);
const opening = new Set(['(', '[', '{']);
const closing = new Set([')', ']', '}']);

class Parser {
  private readonly scanner: Scanner;
  private readonly comments: Comments;
  private token: Token;
  private lastEnd = 0;
  private depth = 0;
  private readonly types: TypeDeclaration[] = [];
  private readonly constants: ConstantDeclaration[] = [];
  /** The type of the last constant of a group that has one: those that say nothing have it too. */
  private constantType: TypeExpression | undefined;
  private readonly methods: Method[] = [];
  private readonly imports: GoImport[] = [];
  private readonly declarations: Declaration[] = [];

  private readonly text: string;

  constructor(text: string) {
    this.text = text;
    this.scanner = new Scanner(text);
    this.comments = new Comments(text, this.scanner.comments);
    this.token = this.scanner.next();
  }

  file(): GoFile {
    const doc = this.comments.docBefore(this.token.start);
    const start = this.token.start;
    this.takeIf('package');
    const name: Name = { name: '', range: { start: this.token.start, end: this.token.start } };
    // The name may be on the next line, which is a declaration where it is still to be typed.
    const named = this.token.kind === 'word' && !this.atDeclaration() ? this.name() : name;
    while (this.token.kind !== 'end') this.declaration();
    this.comments.finish();
    return {
      text: this.text,
      package: { name: named.name, range: named.range, start, doc },
      imports: this.imports,
      types: this.types,
      constants: this.constants,
      methods: this.methods,
      declarations: this.declarations,
      comments: this.comments.groups,
    };
  }

  private declaration(): void {
    const { start, text } = this.token;
    if (!(this.token.kind === 'word' && declarations.has(text))) {
      this.advance();
      return;
    }
    const doc = this.comments.docBefore(start);
    this.advance();
    const typesBefore = this.types.length;
    let isGroup = false;
    if (text === 'func') this.func();
    else isGroup = this.group(text, doc);
    const types = this.types.slice(typesBefore);
    this.declarations.push({ keyword: text, range: this.since(start), doc, isGroup, types });
  }

  private group(keyword: string, doc: CommentGroup | undefined): boolean {
    this.constantType = undefined;
    if (!this.takeIf('(')) {
      this.spec(keyword, undefined, doc);
      return false;
    }
    while (!this.at('end') && !this.at(')') && !(this.atLineStart() && this.atDeclaration())) {
      const before = this.token.start;
      this.spec(keyword, this.comments.docBefore(before), undefined);
      this.takeIf(';');
      if (this.token.start === before) this.advance();
    }
    this.takeIf(')');
    return true;
  }

  private spec(keyword: string, doc: CommentGroup | undefined, groupDoc: CommentGroup | undefined): void {
    if (this.atDeclaration()) return;
    if (keyword === 'type') this.typeSpec(doc, groupDoc);
    else if (keyword === 'const') this.constSpec();
    else if (keyword === 'import') this.importSpec();
    else this.skipStatement();
  }

  private importSpec(): void {
    const { start } = this.token;
    let name: string | undefined;
    if (this.token.kind === 'word' || this.token.text === '.') {
      name = this.token.text;
      this.advance();
    }
    if (this.token.kind !== 'string') {
      this.skipStatement();
      return;
    }
    const path = this.token.text.slice(1, -1);
    this.advance();
    this.imports.push({ name, path, range: this.since(start) });
  }

  private constSpec(): void {
    const { start } = this.token;
    const names: string[] = [];
    while (this.token.kind === 'word') {
      names.push(this.token.text);
      this.advance();
      if (this.token.text !== ',') break;
      this.advance();
    }
    const typed = this.token.text !== '=' && !this.token.first && this.token.text !== ')';
    const own = typed ? this.type() : undefined;
    const values: string[] = [];
    if (this.token.text === '=') {
      this.advance();
      do values.push(this.expression());
      while (this.takeIf(','));
    }
    const type = own ?? (values.length === 0 ? this.constantType : undefined);
    this.constantType = type;
    if (!this.token.first && this.token.text !== ')' && this.token.text !== ';') this.skipStatement();
    this.constants.push({ names, type, values, range: this.since(start) });
  }

  /** An expression as it is written, up to a comma or the end of its line. */
  private expression(): string {
    const { start } = this.token;
    this.skipUntil((token) => token.text === ',');
    return this.text.slice(start, Math.max(start, this.lastEnd));
  }

  private func(): void {
    if (this.token.text === '(') {
      const { start } = this.token;
      this.skipBalanced();
      const written = this.text.slice(start, this.lastEnd);
      const receiver = receiverOf(written);
      if (receiver !== undefined && this.token.kind === 'word' && !this.token.first) {
        const name = this.token.text;
        const from = this.token.end;
        this.skipBody();
        const signature = this.text.slice(from, Math.min(this.lastEnd, from + 200)).replace(/\s+/g, ' ');
        this.methods.push({
          name,
          receiver,
          isPointer: written.includes('*'),
          signature: signature.split('{')[0]!.trim(),
        });
        return;
      }
    }
    this.skipBody();
  }

  /** Up to the next declaration of the file. An unclosed body ends where a line begins with one. */
  private skipBody(): void {
    let depth = 0;
    while (this.token.kind !== 'end') {
      if (this.token.first && (depth === 0 || this.atLineStart()) && this.atDeclaration()) return;
      if (opening.has(this.token.text)) depth++;
      else if (closing.has(this.token.text)) depth = Math.max(0, depth - 1);
      if (depth > 0 && this.token.text === '{') {
        this.skipBraces();
        depth--;
        continue;
      }
      this.advance();
    }
  }

  /** A body in braces; its comments are nobody's. */
  private skipBraces(): void {
    const kept = this.scanner.comments.length;
    const from = this.token.start;
    let depth = 0;
    do {
      if (this.token.text === '{') depth++;
      else if (this.token.text === '}') depth--;
      if (this.token.kind === 'end' || (this.token.start > from && this.atLineStart() && this.atDeclaration())) break;
      if (depth > 0) this.advance();
    } while (depth > 0);
    const inside = this.scanner.comments.splice(kept);
    if (this.token.text !== '}') {
      // The comment of the declaration that ended the body.
      for (const comment of inside) if (comment.start >= this.lastEnd) this.scanner.comments.push(comment);
    }
    if (this.token.text === '}') this.advance();
  }

  private typeSpec(doc: CommentGroup | undefined, groupDoc: CommentGroup | undefined): void {
    if (this.token.kind !== 'word' || declarations.has(this.token.text)) {
      this.skipStatement();
      return;
    }
    const { start } = this.token;
    const name = this.name();
    const parameters = this.typeParameters();
    const isAlias = this.takeIf('=');
    const type = this.type();
    const range = this.since(start);
    this.types.push({ name: name.name, nameRange: name.range, range, isAlias, parameters, type, doc, groupDoc });
    if (!this.token.first && this.token.text !== ')') this.skipStatement();
  }

  /** `[T any]` behind a name, told apart from the length of an array. */
  private typeParameters(): string[] {
    if (this.token.text !== '[') return [];
    const inside = /^\[\s*[\p{L}_][\p{L}\p{Nd}_]*(?:\s*,|\s+[\p{L}_~[])/u;
    if (!inside.test(this.text.slice(this.token.start, this.token.start + 200))) return [];
    const { start } = this.token;
    this.skipBalanced();
    const list = this.text.slice(start + 1, this.lastEnd - 1);
    return list.split(',').map((part) => part.trim().split(/\s/)[0] ?? '');
  }

  private type(): TypeExpression {
    if (this.depth === maxDepth) {
      const { start } = this.token;
      this.skipUntil(() => false);
      return { kind: 'other', range: this.since(start) };
    }
    this.depth++;
    const type = this.typeHere();
    this.depth--;
    return type;
  }

  private typeHere(): TypeExpression {
    const { start, text, kind } = this.token;
    if (text === '*') {
      this.advance();
      const to = this.type();
      return { kind: 'pointer', to, range: this.since(start) };
    }
    if (text === '(') {
      this.advance();
      const of = this.type();
      this.takeIf(')');
      return { kind: 'parenthesized', of, range: this.since(start) };
    }
    if (text === '[') return this.listType(start);
    if (kind !== 'word' || (declarations.has(text) && text !== 'func')) {
      if (text === '<') {
        // Receive-only channels.
        this.advance();
        this.takeIf('-');
        this.type();
      }
      return { kind: 'other', range: this.since(start) };
    }
    if (text === 'struct') return this.structType(start);
    if (text === 'map') return this.mapType(start);
    this.advance();
    if (text === 'interface') {
      if (this.token.text === '{') this.skipBalanced();
      return { kind: 'interface', range: this.since(start) };
    }
    if (text === 'func' || text === 'chan') {
      this.skipUntil((token) => token.kind === 'string' || token.text === ',');
      return { kind: 'other', range: this.since(start) };
    }
    let named: TypeExpression = { kind: 'name', name: text, range: this.since(start) };
    if (this.token.text === '.' && !this.token.first) {
      this.advance();
      const name = this.token.kind === 'word' && !this.token.first ? this.name().name : '';
      named = { kind: 'selected', package: text, name, range: this.since(start) };
    }
    if (this.token.text !== '[' || this.token.first) return named;
    const list = this.typeArguments();
    return { kind: 'generic', of: named, arguments: list, range: this.since(start) };
  }

  private typeArguments(): TypeExpression[] {
    const list: TypeExpression[] = [];
    this.takeIf('[');
    while (this.token.text !== ']' && this.token.kind !== 'end' && !(this.atLineStart() && this.atDeclaration())) {
      const before = this.token.start;
      list.push(this.type());
      this.takeIf(',');
      if (this.token.start === before) this.advance();
    }
    this.takeIf(']');
    return list;
  }

  private listType(start: number): TypeExpression {
    this.advance();
    let length: string | undefined;
    if (this.token.text !== ']') {
      const from = this.token.start;
      if (!this.token.first) this.skipUntil(() => false);
      length = this.text.slice(from, Math.max(from, this.lastEnd));
    }
    this.takeIf(']');
    const of = this.token.first ? other(this.token.start) : this.type();
    return { kind: 'list', of, length, range: this.since(start) };
  }

  private mapType(start: number): TypeExpression {
    this.advance();
    if (!this.takeIf('[')) return { kind: 'other', range: this.since(start) };
    const key = this.type();
    this.takeIf(']');
    const of = this.token.first ? other(this.token.start) : this.type();
    return { kind: 'map', key, of, range: this.since(start) };
  }

  private structType(start: number): TypeExpression {
    this.advance();
    const fields: Field[] = [];
    if (!this.takeIf('{')) return { kind: 'struct', fields, range: this.since(start) };
    while (this.token.text !== '}' && this.token.kind !== 'end') {
      // A brace that is not there yet does not take the rest of the file.
      if (this.atLineStart() && this.atDeclaration()) break;
      const before = this.token.start;
      const field = this.field();
      if (field) fields.push(field);
      if (this.token.text === ';') this.advance();
      if (this.token.start === before) this.advance();
    }
    this.takeIf('}');
    return { kind: 'struct', fields, range: this.since(start) };
  }

  private field(): Field | undefined {
    const { start } = this.token;
    const doc = this.comments.docBefore(start);
    const names = this.fieldNames();
    if (names.length === 0 && this.token.kind !== 'word' && this.token.text !== '*') return undefined;
    const type = this.token.first && names.length > 0 ? other(this.lastEnd) : this.type();
    let tag: Field['tag'];
    if (this.token.kind === 'string' && !this.token.first) {
      tag = { text: this.token.text, range: { start: this.token.start, end: this.token.end } };
      this.advance();
    }
    const range = this.since(start);
    while (!this.token.first && this.token.text !== ';' && this.token.text !== '}' && this.token.kind !== 'end') {
      this.advance();
    }
    return { names, type, tag, doc, range, lineComment: this.comments.behind(this.lastEnd) };
  }

  /** The names before a field's type; none where it is embedded. */
  private fieldNames(): Name[] {
    if (this.token.kind !== 'word') return [];
    const first = this.token;
    this.advance();
    const next = this.token;
    const isEmbedded =
      next.first || next.kind === 'string' || next.kind === 'end' || next.text === '.' || /^[;}]$/.test(next.text);
    if (isEmbedded || (next.text === '[' && this.isInstance(next.start))) {
      this.scanner.jump(first.start);
      this.token = { ...this.scanner.next(), first: first.first };
      return [];
    }
    const names: Name[] = [{ name: first.text, range: { start: first.start, end: first.end } }];
    while (this.takeIf(',')) if (this.token.kind === 'word') names.push(this.name());
    return names;
  }

  /** `Name[T]` that is embedded, not `name [3]T`: nothing but a tag follows the bracket. */
  private isInstance(at: number): boolean {
    return /^\[[^\]\r\n]+\][ \t]*(?:["`;}/]|\r?\n|$)/.test(this.text.slice(at, at + 300));
  }

  /** From a token to the end of the last one that was taken: nothing, where that is the one before it. */
  private since(start: number): Range {
    return { start, end: Math.max(start, this.lastEnd) };
  }

  private name(): Name {
    const { text, start, end } = this.token;
    this.advance();
    return { name: text, range: { start, end } };
  }

  private skipBalanced(): void {
    let depth = 0;
    do {
      if (opening.has(this.token.text)) depth++;
      else if (closing.has(this.token.text)) depth--;
      if (this.token.kind === 'end' || (this.atLineStart() && this.atDeclaration())) return;
      this.advance();
    } while (depth > 0);
  }

  /** To the end of the line that nothing opened holds open, or to a token on it. */
  private skipUntil(stops: (token: Token) => boolean): void {
    for (let isFirst = true; this.token.kind !== 'end'; isFirst = false) {
      if (this.token.first && !isFirst && !this.goesOn()) return;
      if (closing.has(this.token.text) || this.token.text === ';' || stops(this.token)) return;
      if (opening.has(this.token.text)) this.skipBalanced();
      else this.advance();
    }
  }

  /** Whether a line has ended with an operator, behind which nothing ends. */
  private goesOn(): boolean {
    return !this.atDeclaration() && /[-+*/%&|^<>=!,.]/.test(this.text[this.lastEnd - 1] ?? '');
  }

  private skipStatement(): void {
    const from = this.token.start;
    this.skipUntil(() => false);
    if (this.token.start === from && this.token.kind !== 'end' && !closing.has(this.token.text)) this.advance();
  }

  private atDeclaration(): boolean {
    return this.token.kind === 'word' && declarations.has(this.token.text) && this.token.first;
  }

  private atLineStart(): boolean {
    const before = this.text.charCodeAt(this.token.start - 1);
    return this.token.start === 0 || before === 10 || before === 13;
  }

  private advance(): void {
    this.lastEnd = this.token.end;
    this.token = this.scanner.next();
  }

  private takeIf(text: string): boolean {
    if (!this.at(text)) return false;
    this.advance();
    return true;
  }

  private at(text: string): boolean {
    return text === 'end' ? this.token.kind === 'end' : this.token.text === text && this.token.kind !== 'string';
  }
}

function other(at: number): TypeExpression {
  return { kind: 'other', range: { start: at, end: at } };
}

/** The type of `(name *Type[Parameter])`. */
function receiverOf(written: string): string | undefined {
  return written
    .split('[')[0]!
    .match(/[\p{L}_][\p{L}\p{Nd}_]*/gu)
    ?.at(-1);
}
