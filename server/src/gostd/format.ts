/** Go's Sprintf without arguments, which is what becomes of a text that is taken for a format by mistake. */
export function formatNothing(text: string): string {
  const reader: Reader = { text, at: 0, lastClose: text.lastIndexOf(']') };
  let out = '';
  for (let next = text.indexOf('%'); next !== -1; next = text.indexOf('%', reader.at)) {
    out += text.slice(reader.at, next);
    reader.at = next + 1;
    out += directive(reader);
  }
  return out + text.slice(reader.at);
}

interface Reader {
  readonly text: string;
  at: number;
  readonly lastClose: number;
}

function directive(r: Reader): string {
  skip(r, /[#0+\- ]/);
  const first = index(r);
  const width = number(r);
  let second = false;
  let precision = '';
  if (r.text[r.at] === '.') {
    r.at++;
    second = index(r);
    precision = number(r);
  }
  const third = index(r);
  const missing = `${width === '*' ? '%!(BADWIDTH)' : ''}${precision === '*' ? '%!(BADPREC)' : ''}`;
  const point = r.text.codePointAt(r.at);
  if (point === undefined) return `${missing}%!(NOVERB)`;
  const verb = String.fromCodePoint(point);
  r.at += verb.length;
  if (verb === '%') return `${missing}%`;
  return `${missing}%!${verb}(${first || second || third ? 'BADINDEX' : 'MISSING'})`;
}

function skip(r: Reader, one: RegExp): void {
  while (r.at < r.text.length && one.test(r.text[r.at]!)) r.at++;
}

/** Whether an index in brackets is given; one that is not closed is only its bracket. */
function index(r: Reader): boolean {
  if (r.text[r.at] !== '[') return false;
  r.at++;
  if (r.at <= r.lastClose) r.at = r.text.indexOf(']', r.at) + 1;
  return true;
}

function number(r: Reader): string {
  const start = r.at;
  if (r.text[r.at] === '*') r.at++;
  else skip(r, /\d/);
  return r.text.slice(start, r.at);
}
