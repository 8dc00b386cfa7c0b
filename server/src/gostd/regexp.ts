import { RE2JS, RE2JSSyntaxException } from 're2js';
import { isPlainPattern } from './plainRegexp.ts';

export type GoRegexp =
  | {
      readonly ok: true;
      readonly regexp: RE2JS;
      /** Whether the pattern is found anywhere in a text. */
      matches(text: string): boolean;
      /** Whether that takes no longer than it takes to read the text. */
      readonly isPlain: boolean;
      /** What finding the pattern in a text may take: RE2 may look at all of the pattern at each character. */
      work(text: string): number;
    }
  | { readonly ok: false; readonly error: string };

/** A pattern that can be looked for. */
export type Matcher = Extract<GoRegexp, { readonly ok: true }>;

const compiled = new Map<string, GoRegexp>();
/** How many patterns are kept, and of how many characters together. */
const kept = 1000;
const keptCharacters = 4_000_000;
let characters = 0;

/** Compiles a pattern as Go's regexp package does; the error is Go's text. */
export function compileGoRegexp(pattern: string): GoRegexp {
  const known = compiled.get(pattern);
  if (known) return known;
  if (compiled.size >= kept || characters > keptCharacters) {
    compiled.clear();
    characters = 0;
  }
  characters += pattern.length;
  const result = attempt(pattern);
  compiled.set(pattern, result);
  return result;
}

/** What Go may refuse for its depth or size is longer, whatever is in it. */
const longestPlain = 500;

function attempt(pattern: string): GoRegexp {
  const work = (text: string) => pattern.length * text.length;
  if (pattern.length <= longestPlain && isPlainPattern(pattern)) {
    const plain = new RegExp(pattern);
    let made: RE2JS | undefined;
    return {
      ok: true,
      // Hardly anybody asks for it, and the first one takes some milliseconds.
      get regexp() {
        made ??= RE2JS.compile(pattern);
        return made;
      },
      matches: (text) => plain.test(text),
      isPlain: true,
      work,
    };
  }
  try {
    const regexp = RE2JS.compile(pattern);
    return { ok: true, regexp, matches: (text) => regexp.matcher(text).find(), isPlain: false, work };
  } catch (error) {
    if (!(error instanceof RE2JSSyntaxException)) throw error;
    // Go lets two groups share a name.
    if (error.error.startsWith('duplicate capture group')) return attempt(withoutGroupNames(pattern));
    return { ok: false, error: `error parsing regexp: ${error.error}: \`${error.input ?? ''}\`` };
  }
}

function withoutGroupNames(pattern: string): string {
  return pattern.replace(/\\[\s\S]|\(\?P?<\w+>/g, (part) => (part.startsWith('\\') ? part : '('));
}
