/**
 * Text that a template engine still has to fill in. Nothing is said about such text, since nobody knows what it
 * becomes; but charts often wrap a whole CRD in `{{- if … }}` lines, and such a CRD is still good to know.
 *
 * Everything here looks at each character a fixed number of times: anyone may send us such a text.
 */

/** How much a text looks like a template: for certain, only if it cannot be read as YAML, or not at all. */
export type Likeness = 'yes' | 'if-unreadable' | 'no';

export function templateLikeness(text: string, braces: boolean, uri: string, languageId: string | undefined): Likeness {
  if (languageId === 'helm' || isForFreeMarker(uri, text)) return 'yes';
  if (!braces) return 'no';
  if (ofYtt.test(text) || ofPython.test(text)) return 'yes';
  if (uri.includes('/templates/') && hasAction(text)) return 'yes';
  // Policies and ApplicationSets hold braces in plain values and blocks of text, and can be read all the same.
  return someLine(text, (line) => isActions(line) || isStatement(line) || hasUnquotedAction(line) || isBlank(line))
    ? 'if-unreadable'
    : 'no';
}

/** Whether anything in a text may be an action, a blank, or a comment of ytt. */
export function hasBraces(text: string): boolean {
  const hasOwn = text.includes('{{') || text.includes('{%') || text.includes('#@') || ofFreeMarker.test(text);
  return hasOwn || isBlank(text) || ofPython.test(text);
}

/** Directives of FreeMarker, such as `<#if config.active??>`, and what ends them. */
const ofFreeMarker = /<\/?#[a-z]{2,12}\b/;

/** Whether a file is called `name.ftl.yaml`, and has something for FreeMarker to fill in. */
export function isForFreeMarker(uri: string, text: string): boolean {
  return /\.ftl\.[a-z]{3,4}$/i.test(uri) && (text.includes('${') || ofFreeMarker.test(text));
}

function isBlank(text: string): boolean {
  return blank.test(text) || token.test(text);
}

/** What ytt works out is in comments: `#@ load(…)`, `name: #@ data.values.name`. */
const ofYtt =
  /^[ \t]{0,200}#@ ?(?:(?:load|if|for|def|end)\b|(?:data|overlay|schema|yaml)\/)|[:-][ \t]{1,4}#@[ \t]{1,4}\S/m;

/** What Python's `format` fills in: `name: {self.path.name}`, `image: {images[server]}`. */
const ofPython = /[:-][ \t]{1,4}\{[A-Za-z_]\w{0,23}(?:(?:\.\w{1,16}){1,2}|\[[\w-]{1,30}\])\}/;

/** `hasBraces` looks so far around a change: no beginning by which it knows something is longer. */
export const aroundChange = 72;

/**
 * What a script fills in: `ip: {PREFIX}.16`, to a reader of YAML a map with a text behind it, and `name: @NAME@`, which begins
 * with what begins nothing.
 */
const blank = /[:-][ \t]{1,4}(?:\{[A-Za-z][\w-]{0,63}\}[^\s,}\]:]|@[A-Z][A-Z0-9_]{0,63}@)/;

/** A line that is nothing but `<ANNOTATIONS>`, in place of what belongs there. */
const token = /<[A-Z][A-Z0-9_]{2,60}>(?<=^[ \t]{0,80}(?:- )?<[A-Z0-9_]{3,61}>)[ \t]{0,4}\r?$/m;

/** The text with lines that are nothing but template actions blanked out, every other place unmoved. */
export function blankTemplateLines(text: string): string {
  return text.replace(/[^\r\n]+/g, (line) => (isActions(line) ? ' '.repeat(line.length) : line));
}

function hasAction(text: string): boolean {
  const open = text.indexOf('{{');
  return open !== -1 && text.indexOf('}}', open + 2) !== -1;
}

function someLine(text: string, test: (line: string) => boolean): boolean {
  for (let start = 0; start < text.length; ) {
    const lineFeed = text.indexOf('\n', start);
    const end = lineFeed === -1 ? text.length : lineFeed;
    if (test(text.slice(start, end))) return true;
    start = end + 1;
  }
  return false;
}

/** Whether a line holds one action or several, and nothing beside them but blanks. */
function isActions(line: string): boolean {
  const text = line.trim();
  let at = 0;
  // Once a quote has no other one, as in a comment, quotes say nothing.
  let isQuoting = true;
  while (text.startsWith('{{', at)) {
    let end = isQuoting ? endOfAction(text, at + 2) : text.indexOf('}}', at + 2);
    if (end === -1 && isQuoting) {
      isQuoting = false;
      end = text.indexOf('}}', at + 2);
    }
    if (end === -1) return false;
    at = end + 2;
    while (text[at] === ' ' || text[at] === '\t') at++;
  }
  return at > 0 && at === text.length;
}

/** Where an action ends, of which a text in it may have braces as well: `{{link "https://example.com/{{ .Tag }}.zip" .Tag}}`. */
function endOfAction(text: string, start: number): number {
  let quote = '';
  for (let at = start; at < text.length; at++) {
    const char = text[at]!;
    if (quote === '' && text.startsWith('}}', at)) return at;
    if (quote === '') quote = char === '"' || char === '`' ? char : '';
    else if (char === '\\' && quote === '"') at++;
    else if (char === quote) quote = '';
  }
  return -1;
}

/** A line of Jinja or FreeMarker that begins with something to do. */
function isStatement(line: string): boolean {
  const text = line.trimStart();
  return text.startsWith('{%') || (text.startsWith('<') && text.search(ofFreeMarker) === 0);
}

/** An action that begins a plain value or an item, such as `name: {{ .Release.Name }}-x`, or that is in one. */
function hasUnquotedAction(line: string): boolean {
  const at = line.indexOf('{{');
  if (at === -1) return false;
  const before = line.slice(0, at);
  const colon = before.search(/:[ \t]/);
  const value = (colon === -1 ? before.trimStart().replace(/^-(?=[ \t])/, '') : before.slice(colon + 1)).trimStart();
  return !/^[|>'"]/.test(value) && (colon !== -1 || before.trimStart().startsWith('-'));
}
