import { lineStartBefore, linesAround } from '../../base/text.ts';
import type { Wordless } from '../../rules/model/diagnostic.ts';
import { ruleOf } from '../../rules/model/registry.ts';
import { refusal } from '../../rules/model/says.ts';
import { saysNotGiven } from '../../workspace/notGiven.ts';
import { wordsIn } from './replaced.ts';

// What stands for a value that somebody or something fills in before an object is applied: tables of what it looks like.

/** Findings that a form counts for, where it does not count for all: by what their rule says it is about. */
type About = 'names' | 'forms' | 'words' | 'choices' | 'types' | 'keys' | 'texts' | 'base64';

interface Form {
  readonly example: string;
  readonly pattern: RegExp;
  readonly about?: About;
  /** What is looked at, where it is not the value behind the key or dash of the line. */
  readonly of?: 'refused' | 'line' | 'chart';
}

/** What nobody means as a value, wherever it is. */
const anywhere: readonly Form[] = [
  { example: '<MY_NAME>', pattern: /<[A-Z][A-Z0-9_-]{2,}>/ },
  { example: '__MY_NAME__', pattern: /__[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)*__/ },
  { example: '((MY_NAME))', pattern: /\(\([A-Z][A-Z0-9_]*\)\)/ },
  { example: '@name@, of configure scripts', pattern: /(?:^|[^\w.])@[A-Za-z]\w*@(?!\w)/ },
  { example: '%NAME%', pattern: /^%[%\w]*%$/ },
  { example: '%{NODE_IP}% and #{NODE_IP}#', pattern: /%\{\w{1,80}\}%|#\{\w{1,80}\}#/ },
  { example: 'shop-%NAME%.example.com', pattern: /%[A-Z][A-Z0-9_]{1,60}%/, about: 'names' },
  {
    example: 'MAC_ADDRESS # kpt-set: ${mac-address}',
    pattern: /[:-] ["']?[A-Z][A-Z0-9]*_[A-Z0-9_]{1,80}["']?[ \t]{1,20}# kpt-set: /,
    about: 'words',
    of: 'line',
  },
  { example: '{0}, of texts with numbered places', pattern: /\{\d\}/ },
  { example: '#{MY_NAME}, which YAML takes for a comment', pattern: /[:-]\s+#\{\w{1,64}\}\s*$/, of: 'line' },
  {
    example: 'nothing, and a comment behind it such as "replace with your image"',
    pattern:
      /^\s*(?:- +)?[\w.-]+:[ \t]{1,20}(?:(?:""|'')[ \t]{1,20})?# ?(?:[Rr]eplace|[Ff]ill|[Cc]hange|[Ss]et|[Pp]ut|[Ee]nter)\b.{0,60}\b[Yy]our\b/,
    of: 'line',
  },
  {
    example: 'template-placeholder and placeholder-cpu-limit',
    pattern: /^["']?(?:[a-z][\w-]{1,60}[-_]placeholder|placeholder(?:[-_]\w[\w-]{0,60})?)["']?$/i,
    about: 'types',
  },
  {
    example: 'placeholder-port, where a number or one of a few words fits',
    pattern: /^"placeholder(?:-[A-Za-z\d-]{1,60})?"/,
    of: 'refused',
  },
  {
    example: 'placeholder_type, the same; in a name an underscore may be a slip',
    pattern: /^"placeholder[-_]\w[\w-]{0,60}"/,
    about: 'choices',
    of: 'refused',
  },
  {
    example: '"{{ host }}.example.com", where no braces are taken; what is quoted stays a text and of the wrong type',
    pattern: /^"[^{"]{0,200}\{\{/,
    about: 'words',
    of: 'refused',
  },
  {
    example: 'vault:v1:8SDd3WHDOjf7mq69CyCqYjBXAiQQAVZRkFM13ok481zoCmHnSeDX9g==, which a program deciphers',
    pattern: /^["']?[a-z][\w-]{1,40}(?::[\w-]{1,60}){1,4}:[\w+/=-]{20}/,
    about: 'base64',
  },
  { example: '_, for the name that kustomize gives a Namespace', pattern: /^["']?_["']?$/, about: 'names' },
  {
    example: "(keys[?name=='a']), which a test works out",
    pattern: /^\s*(?:- +)?\(.{1,200}\):/,
    about: 'keys',
    of: 'line',
  },
  { example: 'base64-encoded-key', pattern: /\bbase64[- ]encoded\b/i, about: 'base64' },
  { example: '<< Name >>, where braces are for something else', pattern: /<<\s*[A-Za-z][\w.-]*\s*>>/ },
  {
    example: '$NAME, of envsubst; in braces it is a value that is not known',
    pattern: /^["']?\$[A-Z][A-Z0-9_]*["']?$/,
  },
  { example: '$(NAME), of make, and of kustomize where nothing gives it', pattern: /^["']?\$\([A-Za-z_]\w*\)["']?$/ },
  { example: '"{{NAME}}"', pattern: /^["']\{\{ ?[A-Z][A-Z0-9_]{0,80} ?\}\}["']$/ },
  { example: 'a-<name> and <ReleaseName>-a', pattern: /<[A-Za-z][\w -]*>/, about: 'names' },
  {
    example: 'shop.A.B.C.D.example.com, for the four numbers of an address',
    pattern: /^"[a-z0-9.-]{0,200}A[.-]B[.-]C[.-]D\b/,
    about: 'names',
    of: 'refused',
  },
  {
    example: 'DEFINED-IN-SECRETS: three words in capitals, which nobody writes as a name or an address',
    pattern: /^"(?:[a-z0-9*][a-z0-9*.-]{0,200}\.)?[A-Z]{2,60}(?:-[A-Z]{2,60}){2,8}[".]/,
    about: 'names',
    of: 'refused',
  },
  {
    example: 'FILLED BY THE OPERATOR: no name, label or resource has capitals and blanks or underscores',
    pattern: /^"[A-Z][A-Z0-9]*(?:[ _][A-Z0-9]+)+"/,
    about: 'names',
    of: 'refused',
  },
  {
    example: 'release-name-CHART-NAME, of a chart that is there to be copied',
    pattern: /^"[a-z][a-z0-9.-]{0,200}-[A-Z]{3,60}(?:-[A-Z]{3,60})+\b/,
    about: 'names',
    of: 'refused',
  },
  {
    example: 'shop.MY_DOMAIN.org: no name has capitals and underscores',
    pattern: /^"(?:[a-z0-9*][a-z0-9*.-]{0,200}[.-])?[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+(?:[.-][\w.-]{1,200})?"/,
    about: 'names',
    of: 'refused',
  },
  {
    example: 'CHANGE-NAMESPACE',
    pattern: /^"(?:CHANGE|REPLACE|INSERT|ENTER|YOUR)(?:-[A-Z]{2,60}){1,8}[".]/,
    about: 'names',
    of: 'refused',
  },
  {
    example: 'MY_PREFIX/shop.git: no address begins with capitals and underscores',
    pattern: /^"[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+\/[\w./-]{1,200}"/,
    about: 'forms',
    of: 'refused',
  },
  { example: 'x.x.x.x/16', pattern: /^"x{1,3}(?:\.x{1,3}){3}(?:\/\d{1,2})?"/i, about: 'names', of: 'refused' },
  {
    example: 'replace this with the name of your node',
    // A description may begin with such a verb too: `set up the nightly backup`.
    pattern: /^"(?:replace|insert|enter|put|fill in|change|set) (?:(?:this|your) [^"]{1,300}|[^"]{1,300} here)"/i,
    about: 'names',
    of: 'refused',
  },
  { example: 'someSecretName', pattern: /^"[Ss]ome[A-Z][A-Za-z\d]{2,60}"/, about: 'names', of: 'refused' },
  {
    example: 'ingressClass and secretName: what belongs there, in letters that no name has',
    pattern: /^"(?:(?:ingress|storage|runtime|priority)Class(?:Name)?|(?:secret|configMap|claim|serviceAccount)Name)"/,
    about: 'names',
    of: 'refused',
  },
  { example: 'set-me-if-enabled', pattern: /^"[^"]{0,60}\bset-me\b/, of: 'refused' },
  {
    example: '<CHARTNAME> of a starter of Helm, in a map that is shown whole',
    pattern: /\\u003c[A-Z][A-Z0-9_-]{2,}\\u003e/,
    of: 'refused',
  },
  {
    example: '{"app":"<ReleaseName>"}, a map that is shown whole',
    pattern: /^\{.{0,300}\\u003c[A-Za-z][\w -]*\\u003e/,
    about: 'names',
    of: 'refused',
  },
  {
    example: 'mysql-$NAME, of envsubst, and a name that is made of it',
    pattern: /^(?:"[^"$]{0,200}": [\w ]{1,40})?"[^"$]{0,200}\$[A-Z][A-Z0-9_]{0,80}/,
    about: 'names',
    of: 'refused',
  },
  { example: 'XXX and registry-XXX', pattern: /^"(?:[a-z\d.-]{1,200}[.-])?X{3,20}"/, about: 'names', of: 'refused' },
  { example: '"{name}", which a program formats', pattern: /^"\{[a-z]\w{0,60}\}"/, about: 'names', of: 'refused' },
  { example: 'your-key-id-here', pattern: /^"your-[\w-]{1,80}-here"/, about: 'forms', of: 'refused' },
  { example: 'base64token', pattern: /^["']?base64[-_]?[a-z]{2,40}["']?$/, about: 'base64' },
  { example: 'CHART-TEMPLATE', pattern: /^"[A-Z]{3,60}-TEMPLATE"/, about: 'names', of: 'refused' },
  {
    example: '{"app":"$NAME"}, a map that is shown whole',
    pattern: /^\{.{0,300}"\$[A-Z][A-Z0-9_]*"/,
    about: 'names',
    of: 'refused',
  },
  { example: '****, masked before somebody showed it', pattern: /^\*{2,}(?=\n|$)/, about: 'texts' },
  {
    example: '[${ITEMS}], where YAML would have a map begin',
    pattern: /\[\s*\$\{[A-Za-z_][^{}]{0,200}\}/,
    about: 'texts',
    of: 'line',
  },
  {
    example: '"seconds": ${seconds}, and in braces, where YAML would have a map begin',
    pattern: /(?:"\s{0,20}:|\{[^{}]{0,200}:)\s{0,20}\$\{[A-Za-z_]\w{0,80}\}\s{0,20}(?:[,}\]]|$)/,
    about: 'texts',
    of: 'line',
  },
  {
    example: '${LINES} or ${indent(lines, 4)}, alone in a line that no key begins',
    pattern: /^[ \t]*\$\{[A-Za-z_][^{}]{0,200}\}[ \t]*$/,
    about: 'texts',
    of: 'line',
  },
  {
    example: 'placeholder-ports, alone in a line that no key begins',
    pattern: /^[ \t]*placeholder(?:[-_]\w[\w-]{0,60})?[ \t]*$/,
    about: 'texts',
    of: 'line',
  },
  { example: 'MY_PORT', pattern: /^[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+$/, about: 'types' },
  { example: 'DEFINED-IN-SECRETS', pattern: /^["']?[A-Z]{2,60}(?:-[A-Z]{2,60}){2,8}["']?$/, about: 'base64' },
  { example: 'MY_PASSWORD', pattern: /^[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+$/, about: 'base64' },
  { example: 'PORT', pattern: /^(?!(?:TRUE|FALSE|NONE|NULL)$)[A-Z][A-Z0-9]{3,}$/, about: 'types' },
  { example: '"<port>"', pattern: /^["']?<[a-z\d][\w -]*>["']?$/, about: 'types' },
  { example: 'caBundle: CRT', pattern: /\bcaBundle:\s+["']?[A-Z_]{2,}["']?\s*$/, about: 'base64', of: 'line' },
  {
    example: '${VERSION} of a chart, which its release fills in',
    pattern: /^[\w.+-]{0,20}(?:\$|\{\{|@\w|%\w)/,
    of: 'chart',
  },
  {
    example: 'MY_KEY: "", and with a value it is more likely an environment variable in the wrong place',
    pattern: /^\s*(?:- +)?[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+:\s+["']{2}\s*(?:#.*)?$/,
    about: 'keys',
    of: 'line',
  },
];

/** What is shorter is more likely an abbreviation that is meant, or somebody's try at a name. */
const wholeName = /^[A-Z][A-Z0-9_]{7,}$/;

/** What may be meant elsewhere, and is for the reader of a document to fill in. Quotes are taken off before. */
const inDocuments: readonly Form[] = [
  { example: '...', pattern: /^$|(?:\.{3}|…)$/ },
  { example: 'the certificate in base64', pattern: /^(?=.{0,300}[a-z] ).{0,300}\bbase64\b/i },
  { example: '[MY NAME]', pattern: /^\[[A-Z][A-Z0-9_ -]*\]$/ },
  { example: '{name}', pattern: /^\{[A-Za-z][\w -]*\}$/ },
  { example: '$$name$$', pattern: /\$\$\w{1,64}\$\$/ },
  { example: '**name**', pattern: /^\*\*.+\*\*$/ },
  { example: 'MY_NAME', pattern: /^[A-Z][A-Z0-9]*_[A-Z0-9_]*$/ },
  { example: 'one | other', pattern: /^\w[\w -]{0,60}\|[\w |-]{1,200}$/ },
  { example: 'token_placeholder', pattern: /^[\w-]{1,60}[-_]placeholder$/i, about: 'base64' },
  { example: 'tokenbase64', pattern: /^[A-Za-z]{1,40}[-_]?base64$/i, about: 'base64' },
  {
    example: 'my-token',
    pattern: /^(?:my|your|api|app|some|example|secret|sensitive)-[a-z-]{2,60}\d?$/,
    about: 'base64',
  },
  { example: '<name>', pattern: /^[^<]*<[A-Za-z*{][^<=>]*>/ },
  { example: 'shop <1>, with a callout of AsciiDoc', pattern: / ?<\d{1,2}>$/ },
  { example: '{image}:{tag}', pattern: /^\{[A-Za-z][\w-]*\}[:/.-]/ },
  { example: 'NAME', pattern: /^(?:[A-Z]{2,20}[_-])*(?:NAME|NAMESPACE)$/, about: 'names' },
];

/** Words for what belongs there: `APP-tls`, `shop.DOMAIN.COM`, `IP2`. One alone may be a slip; who writes several has left a file open. */
const belonging =
  /^"(?:[a-z0-9*][a-z0-9*.-]{0,200}[.-])?(?:NAME|NAMESPACE|APP|(?:MY|YOUR)?DOMAIN|HOST|HOSTNAME|IP)\d?(?:[.-][\w.-]{1,200})?"/;

const longestPlaced = 300;

type Told = Pick<Wordless, 'code' | 'says'>;

const isAbout: Readonly<Record<About, (one: Told) => boolean>> = {
  names: ({ code }) => code.startsWith('metadata/') || code.startsWith('builtin/'),
  forms: ({ code }) => ruleOf(code)?.ofForm === true,
  words: ({ code }) => (ruleOf(code)?.ofForm === true && ruleOf(code)?.ofType !== true) || code.endsWith('/enum'),
  choices: ({ code }) => code.endsWith('/enum') || code.endsWith('/unsupported'),
  types: ({ code, says }) => ruleOf(code)?.ofType === true && says.isOfBase64 !== true,
  keys: ({ code }) => ruleOf(code)?.ofKey === true,
  texts: ({ code }) => ruleOf(code)?.ofText === true,
  base64: ({ says }) => says.isOfBase64 === true,
};

const countsFor = (one: Told) => (form: Form) => form.about === undefined || isAbout[form.about](one);

/** Whether something puts another value in the place of one that a finding is about, wherever the file is. */
export function isFilledIn(diagnostic: Wordless, text: string): boolean {
  const { code, range, says } = diagnostic;
  const isShort = range.end - range.start <= longestPlaced;
  const line = isShort ? linesAround(text, range) : '';
  // A key that is wrong is so whatever is behind it.
  const value = isAbout.keys(diagnostic) ? text.slice(range.start, range.end) : valueIn(line);
  const said = { refused: refusal(says) ?? '', chart: says.chartVersion ?? '' };
  const isIn = ({ of, pattern }: Form) =>
    of === 'refused' || of === 'chart' ? pattern.test(said[of]) : isShort && pattern.test(of === 'line' ? line : value);
  if (isShort && saysNotGiven(unquoted(value))) return true;
  if (isShort && !isAbout.keys(diagnostic) && isToReplace(line, text, range)) return true;
  if (isAbout.names(diagnostic) && belonging.test(said.refused) && isLeftOpen(text)) return true;
  if (anywhere.filter(countsFor(diagnostic)).some(isIn)) return true;
  return isShort && code.endsWith('/name') && isAbout.forms(diagnostic) && wholeName.test(unquoted(value));
}

/** Whether several values have words for what belongs there, each another one: the same name twice may be a slip that was copied. */
function isLeftOpen(text: string): boolean {
  const values = text.split('\n').flatMap((line) =>
    line
      .split('#')[0]!
      .split(/[,[\]{}]/)
      .map(belongingIn),
  );
  return new Set(values.filter((value) => value !== undefined)).size > 1;
}

/** The value of a line, or of a part of one in braces or brackets, where it is such a word. */
function belongingIn(part: string, nth: number): string | undefined {
  const behind = part.lastIndexOf(': ') + 1;
  const key = part.slice(0, behind).trim();
  const value = unquoted(part.slice(behind).trim().replace(/^- /, ''));
  // `- name: HOST`, as variables of an environment are called.
  const isVariable = (key === '- name:' || (key === 'name:' && nth > 0)) && /^[A-Z]+\d?$/.test(value);
  return !isVariable && belonging.test(`"${value}"`) ? value : undefined;
}

/** Whether one of the values that a finding is about is for the reader of a document to fill in, or the key that it is about. */
export function isOpen(diagnostic: Wordless, { text }: { readonly text: string }): boolean {
  const { range } = diagnostic;
  if (range.end - range.start > longestPlaced) return false;
  const forms = inDocuments.filter(countsFor(diagnostic));
  // `SECRETNAME.example.com`
  const isPart = (one: string) => isAbout.forms(diagnostic) && one.split(/[-.]/).some((part) => wholeName.test(part));
  const isForm = (one: string) => forms.some(({ pattern }) => pattern.test(unquoted(one))) || isPart(unquoted(one));
  if (isAbout.keys(diagnostic)) return isForm(text.slice(range.start, range.end)) || isInBraces(text, range);
  if (isAbout.texts(diagnostic) && /^\s*(?:\.{3}|…)\s*$|: <\d{1,2}>\s*$/.test(lineAbove(text, range.start)))
    return true;
  const lines = linesAround(text, range).split(/\r?\n/);
  const values = [...lines, ...firstOfBlock(lines.at(-1)!, text.slice(range.end, range.end + longestPlaced))];
  if (values.some((line) => valueIn(line) !== '' && isForm(valueIn(line)))) return true;
  if (isAbout.base64(diagnostic) && /\b[Rr]eplace\b|\bbase64\b/.test(commentAbove(text, range.start))) return true;
  return lines.length === 1 && isLeftEmpty(lines[0]!, text.slice(range.end));
}

/** The first line of a text that begins below `key: |`. */
function firstOfBlock(line: string, behind: string): string[] {
  return /[|>][-+]?[ \t]*$/.test(line) ? behind.split(/\r?\n/).slice(1, 2) : [];
}

/** `{name}`, which YAML takes for a map with a key. */
function isInBraces(text: string, { start, end }: Wordless['range']): boolean {
  return text[start - 1] === '{' && text[end] === '}' && /^[A-Za-z][\w-]*$/.test(text.slice(start, end));
}

export function lineAbove(text: string, at: number): string {
  const end = lineStartBefore(text, at) - 1;
  return end <= 0 ? '' : text.slice(lineStartBefore(text, end), end);
}

/** How far below a comment is looked for, in characters. */
const longestBelow = 1000;

/** Whether what is missing stands below in a comment, with something in angle brackets to fill in. */
export function isInComment({ says, range }: Wordless, text: string): boolean {
  const below = text.slice(range.start, range.start + longestBelow).split(/\r?\n/);
  const required = says.required?.map((field) => field.slice(field.lastIndexOf('.') + 1)) ?? [];
  const names = [...(says.names ?? []), ...required.slice(-1)];
  const at = below.findIndex((line) => names.includes(/^\s*# ?([\w-]{1,100}):/.exec(line)?.[1] ?? ''));
  if (at === -1) return false;
  const behind = below.slice(at).findIndex((line) => !/^\s*#/.test(line));
  return below
    .slice(at, behind === -1 ? undefined : at + behind)
    .some((line) => /[:-] *"?<[A-Za-z][\w -]*>/.test(line));
}

/** `spec: {}`, with nothing in it yet. */
export function isEmptyMap({ range }: Wordless, text: string): boolean {
  return /^[ \t]*(?:- +)?[\w.-]{1,200}:[ \t]{1,20}\{[ \t]{0,20}\}[ \t\r]*(?:#.*)?$/.test(linesAround(text, range));
}

/** Whether all fields that are missing are there with nothing behind them, as a document leaves them: `email:`. */
export function areLeftEmpty({ says: { required = [] }, range }: Wordless, text: string): boolean {
  const [first] = required;
  if (first === undefined) return false;
  const names = required.map((field) => field.slice(field.lastIndexOf('.') + 1));
  const around = first.slice(0, Math.max(0, first.lastIndexOf('.')));
  // It is told at a key of the object itself, or at the one that the object is behind.
  const isInside =
    around === '' || around.endsWith(']') || names.some((name) => text.startsWith(`${name}:`, range.start));
  const lines = linesOfObject(text, range.start, isInside);
  const isIn = (name: string) =>
    lines.some((line, i) => line.startsWith(`${name}:`) && isLeftEmpty(line, lines.slice(i, i + 20).join('\n')));
  return names.every(isIn);
}

/** The lines of an object, without the blanks that all of its keys have, from one of its keys on or from the key it is behind. */
function linesOfObject(text: string, at: number, isInside: boolean): string[] {
  const [document = ''] = text.slice(at).split(/\r?\n---/, 1);
  const [first = '', ...below] = document.split(/\r?\n/);
  const column = at - lineStartBefore(text, at);
  const isIdle = (line: string) => /^\s*(?:#.*)?$/.test(line);
  const behind = below.findIndex((line) => !isIdle(line) && indentOf(line) < column + Number(!isInside));
  const lines = below.slice(0, behind === -1 ? undefined : behind);
  const inner = isInside ? column : indentOf(lines.find((line) => !isIdle(line)) ?? '');
  return [...(isInside ? [first] : []), ...lines.map((line) => line.slice(inner))];
}

/** Whether the comment right above says so of a value. */
export function isCalledPlaceholder(diagnostic: Wordless, text: string): boolean {
  const isOfValue = !isAbout.keys(diagnostic) && ruleOf(diagnostic.code)?.ofMissing !== true;
  return isOfValue && /\bplaceholders?\b/i.test(commentAbove(text, diagnostic.range.start));
}

/** `image: ""` below `# Replace this with the built image`. */
function isToReplace(line: string, text: string, { start, end }: Wordless['range']): boolean {
  const isEmpty = ['""', "''"].includes(valueIn(line)) || isLeftEmpty(line, text.slice(end));
  if (!isEmpty) return false;
  return /# ?(?:[Rr]eplace|[Cc]hange|[Ee]nter|[Pp]ut|[Ff]ill in) (?:this|your|the)\b/.test(commentAbove(text, start));
}

/** The comment in the lines right above. */
function commentAbove(text: string, at: number): string {
  const above = text
    .slice(Math.max(0, at - longestPlaced), lineStartBefore(text, at))
    .split('\n')
    .slice(0, -1);
  return above.slice(above.findLastIndex((line) => !/^\s*#/.test(line)) + 1).join(' ');
}

/** The words in capitals of the value that a finding is about. */
export function openWords({ range }: Wordless, text: string): string[] {
  return range.end - range.start > longestPlaced ? [] : wordsIn(valueIn(linesAround(text, range)));
}

/** Whether a line is a key and nothing is below it but comments, so that it is empty until a reader fills it in. */
function isLeftEmpty(line: string, behind: string): boolean {
  if (!/^[ \t]*(?:- +)?[\w.-]+:[ \t]*(?:[|>][-+]?[ \t]*)?(?:#.*)?$/.test(line)) return false;
  const next = behind
    .split('\n')
    .slice(1)
    .find((one) => !/^\s*(?:#.*)?$/.test(one));
  // Behind the dash of an item the key begins; the items of a list may begin where its key does.
  const isBeside = next !== undefined && indentOf(next) === line.search(/[^ -]/) && !/^ *- /.test(next);
  return next === undefined || isBeside || indentOf(next) <= indentOf(line);
}

const indentOf = (line: string) => line.search(/[^ ]/);

const unquoted = (text: string) => text.replace(/^["']/, '').replace(/["']$/, '');

/** What is behind the key or dash of a line, without a comment. */
function valueIn(line: string): string {
  const comment = line.search(/[ \t]#/);
  const text = comment === -1 ? line : line.slice(0, comment);
  return text
    .replace(/^[ \t]*(?:- +)?(?:(?:[\w./-]+|"[\w./-]+"):[ \t]+)?/, '')
    .trim()
    .replace(/,$/, '');
}
