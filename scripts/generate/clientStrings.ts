// The texts in the client's code: which go through `vscode.l10n.t`, and which read like words for people and do not.

export interface ClientString {
  readonly text: string;
  readonly line: number;
  /** It is what `l10n.t` is given. */
  readonly translated: boolean;
  /** It is words for people that no translation reaches. */
  readonly bypasses: boolean;
}

const tokens = new RegExp(
  [
    /\/\/[^\n]*|\/\*[\s\S]*?\*\//, // comments
    /'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"/, // texts
    /`(?:[^`\\]|\\.)*`/, // templates
    /(?<=[(,=:[!&|?{};]\s*)\/(?![/*])(?:[^/\\\n[]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/[a-z]*/, // regular expressions
  ]
    .map(({ source }) => `(${source})`)
    .join('|'),
  'g',
);

/** Names stay as they are in every language, those of keys too. */
const names = /Kubernetes CRD & CEL|Kubernetes|^(?:Home|End)$/g;

/** A page of HTML, or the rules of a style sheet. */
const markup = /^\s*(?:<!DOCTYPE|[\w:.,# -]+\{[^}]*:)/;

export function clientStrings(code: string): ClientString[] {
  return [...code.matchAll(tokens)].flatMap((match) => {
    const [whole, , quoted, template] = match;
    if (quoted === undefined && template === undefined) return [];
    const before = code.slice(0, match.index).trimEnd();
    const translated = /\bl10n\.t\($/.test(before) && quoted !== undefined;
    // The log is for reports, which people read whose language is another.
    const isLogged = /\blog\.(?:trace|debug|info|warn|error|append)\($/.test(before);
    const text = quoted === undefined ? whole.slice(1, -1) : unquoted(whole);
    const bypasses = !translated && !isLogged && !markup.test(text) && readsLikeWords(text);
    return [{ text, line: before.split('\n').length, translated, bypasses }];
  });
}

function unquoted(literal: string): string {
  const escapes: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r' };
  return literal.slice(1, -1).replace(/\\(.)/g, (_, char: string) => escapes[char] ?? char);
}

/** Two words beside each other, or one as it would begin a sentence. */
function readsLikeWords(text: string): boolean {
  const words = text.replace(/\$\{[^}]*\}/g, '·').replace(names, '·');
  return /[A-Za-z]{2,}[,.;:]? [A-Za-z]{2,}/.test(words) || /(?:^|[\s>])[A-Z][a-z]+(?:[\s<…:]|\.?$)/.test(words);
}

/** The bundle that translations are made from. */
export function bundle(codes: readonly string[]): Readonly<Record<string, string>> {
  const texts = codes.flatMap((code) => clientStrings(code).filter(({ translated }) => translated));
  const sorted = [...new Set(texts.map(({ text }) => text))].sort();
  return Object.fromEntries(sorted.map((text) => [text, text]));
}
