/** Reads `${NAME…}` in texts as Flux's envsubst does, with its errors. */

export type Part = TextPart | Call;

export interface TextPart {
  readonly kind: 'text';
  readonly text: string;
}

/** `${NAME}`, with what is to be made of the value. */
export interface Call {
  readonly kind: 'call';
  readonly name: string;
  /** `:-`, `^^`, `/` and the like; '' where there is none. */
  readonly op: string;
  readonly args: readonly Part[];
  /** Where it is in the text. */
  readonly start: number;
  readonly end: number;
}

/** Why a text cannot be substituted, in the program's words. */
export class SubstitutionError extends Error {}

const bad = 'bad substitution';
const noName = 'unable to parse variable name';
const noBrace = 'missing closing brace';
const noArgument = 'unable to parse substitution within function';
const noDefault = 'unable to parse default function';

/** Calls within each other. */
const deepestCalls = 200;

/** The parts of a text. Throws a `SubstitutionError`. */
export function parseTemplate(text: string): readonly Part[] {
  return new Parser(text).parts();
}

/** How far a word goes: whether a character belongs to it, as the so-manyth. */
type Accepts = (character: string, nth: number) => boolean;

const word: Accepts = (character) => /[\p{L}\p{Nd}_]/u.test(character);
const only = (characters: string, most = Number.POSITIVE_INFINITY): Accepts => {
  return (character, nth) => characters.includes(character) && nth <= most;
};
const butFor = (characters: string): Accepts => {
  return (character) => !characters.includes(character);
};

/** What a default begins with: `:-`, `:=`, `:?` or `:+`, or `=` alone. */
const colonThen: Accepts = (character, nth) =>
  nth === 1 ? character === ':' : nth === 2 && '=-?+'.includes(character);
const slashThen: Accepts = (character, nth) => (nth === 1 ? character === '/' : nth === 2 && '/#%'.includes(character));

interface Reading {
  /** Whether `${` ends it. */
  readonly opens?: boolean;
  /** Which characters, doubled or behind a backslash, stand for themselves. */
  readonly escapes?: '' | '$' | '$\\';
}

class Parser {
  private readonly text: string;
  private at = 0;
  private depth = 0;

  constructor(text: string) {
    // A character that ends Go's scanner ends the text.
    const end = text.indexOf('\0');
    this.text = end === -1 ? text : text.slice(0, end);
  }

  parts(): readonly Part[] {
    const parts: Part[] = [];
    while (this.at < this.text.length) {
      if (this.text.startsWith('${', this.at)) parts.push(this.call());
      else parts.push({ kind: 'text', text: this.word(() => true, { opens: true, escapes: '$' }) });
    }
    return parts;
  }

  private call(): Call {
    if (++this.depth > deepestCalls) throw new SubstitutionError('calls are nested too deeply');
    const start = this.at;
    this.at += 2;
    const made = this.peek === '#' ? this.length() : this.named();
    this.depth--;
    return { kind: 'call', ...made, start, end: this.at };
  }

  private length(): Pick<Call, 'name' | 'op' | 'args'> {
    this.wanted(only('#', 1), bad);
    const name = this.wanted(word, bad);
    this.close(bad);
    return { name, op: '#', args: [] };
  }

  private named(): Pick<Call, 'name' | 'op' | 'args'> {
    const name = this.wanted(word, noName);
    const next = this.peek;
    if (next === ':') return { name, ...this.defaultOrPart() };
    if (next === '=') return { name, ...this.defaultOf(only('=', 1)) };
    if (next === ',' || next === '^') return { name, ...this.casing() };
    if (next === '/') return { name, ...this.replacing() };
    if (next === '#' || next === '%') return { name, ...this.trimming(next) };
    this.close(noBrace);
    return { name, op: '', args: [] };
  }

  private defaultOrPart(): Pick<Call, 'op' | 'args'> {
    const next = this.text[this.at + 1];
    if (next !== undefined && '=-?+'.includes(next)) return this.defaultOf(colonThen);
    // The program loses its place where the text ends here, or goes on with a character of several bytes.
    if (next === undefined || next > '\x7f') throw new SubstitutionError(bad);
    const op = this.wanted(only(':', 1), bad);
    const args = [this.argument(butFor(':}'))];
    if (this.peek === '}') {
      this.at++;
      return { op, args };
    }
    this.wanted(only(':'), bad);
    args.push(this.argument(butFor('}')));
    this.close(bad);
    return { op, args };
  }

  private defaultOf(accepts: Accepts): Pick<Call, 'op' | 'args'> {
    const op = this.wanted(accepts, noDefault);
    const args: Part[] = [];
    while (this.peek !== '}') args.push(this.argument(butFor('}')));
    this.at++;
    return { op, args };
  }

  private casing(): Pick<Call, 'op' | 'args'> {
    const op = this.wanted(only(',^', 2), bad);
    this.close(bad);
    return { op, args: [] };
  }

  private replacing(): Pick<Call, 'op' | 'args'> {
    const op = this.wanted(slashThen, bad);
    const args = [this.argument(butFor('/'), '$\\')];
    this.wanted(only('/'), bad);
    if (this.peek !== '}') args.push(this.argument(butFor('}'), '$\\'));
    this.close(bad);
    return { op, args };
  }

  private trimming(sign: string): Pick<Call, 'op' | 'args'> {
    const op = this.wanted(only(sign, 2), bad);
    const args = [this.argument(butFor('}'))];
    this.close(bad);
    return { op, args };
  }

  private argument(accepts: Accepts, escapes: Reading['escapes'] = ''): Part {
    if (this.text.startsWith('${', this.at)) return this.call();
    const text = this.word(accepts, { opens: true, escapes });
    if (text === '') throw new SubstitutionError(noArgument);
    return { kind: 'text', text };
  }

  private wanted(accepts: Accepts, error: string): string {
    const found = this.word(accepts, {});
    if (found === '') throw new SubstitutionError(error);
    return found;
  }

  private word(accepts: Accepts, { opens = false, escapes = '' }: Reading): string {
    const { text } = this;
    const parts: string[] = [];
    let from = this.at;
    for (let nth = 1; this.at < text.length; nth++) {
      if (opens && text.startsWith('${', this.at)) break;
      if (this.isEscape(escapes)) {
        parts.push(text.slice(from, this.at));
        from = this.at + 1;
        this.at += 2;
        continue;
      }
      const character = String.fromCodePoint(text.codePointAt(this.at)!);
      if (!accepts(character, nth)) break;
      this.at += character.length;
    }
    parts.push(text.slice(from, this.at));
    return parts.join('');
  }

  /** Of a character that stands for itself, the sign before it is left out. */
  private isEscape(escapes: string): boolean {
    const [first, second] = [this.text[this.at]!, this.text[this.at + 1]];
    if (first === '$') return escapes.includes('$') && second === '$';
    return first === '\\' && escapes.includes('\\') && (second === '/' || second === '\\');
  }

  private close(error: string): void {
    if (this.peek !== '}') throw new SubstitutionError(error);
    this.at++;
  }

  private get peek(): string | undefined {
    return this.text[this.at];
  }
}
