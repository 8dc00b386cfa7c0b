// The regular expression literals of a source file. Comments, strings and templates are stepped over; a slash begins an
// expression where no value stands before it.

export interface Literal {
  readonly source: string;
  readonly flags: string;
  readonly line: number;
}

const tokens =
  /^#![^\n]*|\/\/[^\n]*|\/\*[\s\S]*?\*\/|'(?:\\[\s\S]|[^'\\\n])*'|"(?:\\[\s\S]|[^"\\\n])*"|\/((?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n[])+)\/([a-z]*)|[A-Za-z_$][\w$]*|\d[\w.]*|\s+|[\s\S]/y;

const beforeExpression = new Set(['return', 'typeof', 'case', 'in', 'of', 'throw', 'else', 'yield', 'await']);

export function literalsOf(text: string): Literal[] {
  const found: Literal[] = [];
  let before = '';
  /** Depths of braces at which a template goes on. */
  const templates: number[] = [];
  let depth = 0;
  for (let at = 0; at < text.length; ) {
    if (text[at] === '`' || (text[at] === '}' && templates.at(-1) === depth)) {
      if (text[at] === '}') templates.pop();
      at = endOfTemplate(text, at + 1);
      if (text[at - 1] === '{') templates.push(depth);
      before = text[at - 1] === '{' ? '{' : '`';
      continue;
    }
    tokens.lastIndex = at;
    let [token, source, flags = ''] = tokens.exec(text)! as unknown as [string, string?, string?];
    if (source !== undefined && endsValue(before)) [token, source] = ['/', undefined];
    if (source !== undefined) found.push({ source, flags, line: text.slice(0, at).split('\n').length });
    if (token === '{') depth++;
    if (token === '}') depth--;
    if (!/^(?:\s|\/\/|\/\*)/.test(token)) before = token;
    at += token.length;
  }
  return found;
}

function endsValue(token: string): boolean {
  return /^(?:[\w$]+|[)\]}'"`].*|['"].*)$/s.test(token) && !beforeExpression.has(token);
}

/** Behind the closing backquote, or behind a brace that opens. */
function endOfTemplate(text: string, from: number): number {
  const end = /(?:\\[\s\S]|\$(?!\{)|[^`\\$])*(?:`|\$\{)/y;
  end.lastIndex = from;
  return from + end.exec(text)![0].length;
}
