// What is right of the editor, drawn of what the server answers.
import type { ExpressionCost, Tried, TriedObject, TriedValue, VersionCost } from '../../server/src/lsp/protocol.ts';
import type { Diagnostic, Range } from './client.ts';
import { button, element, redraw, withCode } from './dom.ts';
import type { Fix } from './editor.ts';

export interface Verdict {
  readonly name: string;
  readonly diagnostics: readonly Diagnostic[];
  /** What is judged in the file, or why nothing is. */
  readonly said: string | undefined;
  readonly isJudged: boolean;
}

export interface VerdictDoes {
  go(name: string, range: Range): void;
  explain(code: string): void;
  fixesOf(name: string, one: Diagnostic): readonly Fix[];
}

const words: Readonly<Record<number, { readonly word: string; readonly many: string; readonly sign: string }>> = {
  1: { word: 'error', many: 'errors', sign: '✗' },
  2: { word: 'warning', many: 'warnings', sign: '!' },
  3: { word: 'note', many: 'notes', sign: 'i' },
  4: { word: 'hint', many: 'hints', sign: '·' },
};

export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}

/** The line that sums the verdict up; `good` where nothing is wrong, and something was judged. */
export function summaryOf(verdicts: readonly Verdict[]): {
  readonly text: string;
  readonly mood: 'good' | 'bad' | 'so';
} {
  const all = verdicts.flatMap(({ diagnostics }) => diagnostics);
  const counts = Object.entries(words)
    .map(([severity, { word, many }]) => {
      const count = all.filter((one) => String(one.severity ?? 1) === severity).length;
      return count > 0 ? counted(count, word, many) : '';
    })
    .filter((text) => text !== '');
  if (all.some(({ severity = 1 }) => severity === 1)) return { text: counts.join(', '), mood: 'bad' };
  if (!verdicts.some(({ isJudged }) => isJudged)) return { text: 'Nothing here is judged yet', mood: 'so' };
  return { text: ['No errors', ...counts].join(', '), mood: 'good' };
}

export function drawVerdicts(panel: HTMLElement, verdicts: readonly Verdict[], does: VerdictDoes): void {
  redraw(panel, ...verdicts.filter(({ diagnostics, said }) => diagnostics.length > 0 || said).map(section));
  function section(verdict: Verdict): HTMLElement {
    const { name, diagnostics, said, isJudged } = verdict;
    return element(
      'section',
      { 'aria-label': name },
      element('h3', {}, name, said !== undefined && element('span', { class: 'said' }, said)),
      diagnostics.length > 0 && element('ul', { class: 'verdicts' }, ...diagnostics.map((one, i) => row(name, one, i))),
      diagnostics.length === 0 && isJudged && element('p', { class: 'fine' }, 'No findings.'),
    );
  }
  function row(name: string, one: Diagnostic, nth: number): HTMLElement {
    const { word, sign } = words[one.severity ?? 1]!;
    const { line } = one.range.start;
    const { code } = one;
    const key = `${name} ${nth}`;
    return element(
      'li',
      { class: word },
      element('span', { class: 'sign', title: word, role: 'img', 'aria-label': word }, sign),
      element(
        'div',
        {},
        element('p', { class: 'message' }, ...withCode(one.message)),
        element(
          'p',
          { class: 'row' },
          button(`line ${line + 1}`, () => does.go(name, one.range), { class: 'link', 'data-key': `go ${key}` }),
          code !== undefined &&
            button(code, () => does.explain(code), {
              class: 'link code',
              'data-key': `code ${key}`,
              'aria-label': `Explain ${code}`,
            }),
          ...does
            .fixesOf(name, one)
            .map(({ title, apply }, i) =>
              button(withCode(title), apply, { class: 'fix', 'data-key': `fix ${i} ${key}` }),
            ),
        ),
      ),
    );
  }
}

/** A text with a heading, such as a stored object. */
export function drawTexts(panel: HTMLElement, texts: readonly { name: string; text: string }[], nothing: string): void {
  redraw(
    panel,
    ...texts.map(({ name, text }) =>
      element(
        'section',
        {},
        element('h3', {}, name),
        element('pre', { class: 'text', tabindex: '0', 'aria-label': name }, text),
      ),
    ),
    texts.length === 0 && element('p', { class: 'empty' }, nothing),
  );
}

type Go = (range: Range) => void;

export interface FileCosts {
  readonly name: string;
  readonly versions: readonly VersionCost[];
}

export function drawCosts(
  panel: HTMLElement,
  files: readonly FileCosts[],
  go: (name: string, range: Range) => void,
): void {
  const sections = files.flatMap(({ name, versions }) =>
    versions.map((version) => versionCost(version, (range) => go(name, range))),
  );
  redraw(
    panel,
    ...sections,
    sections.length === 0 && element('p', { class: 'empty' }, 'No CRD here has rules whose cost is estimated.'),
  );
}

function versionCost({ kind, version, cost, share, fields, unknown }: VersionCost, go: Go): HTMLElement {
  return element(
    'section',
    {},
    element(
      'h3',
      {},
      `${kind} ${version}`,
      element('span', { class: 'said' }, `${cost}, ${percent(share)} of the budget`),
    ),
    meter(share),
    ...fields.flatMap(({ field, expressions }) => expressions.map((one) => expressionCost(field, one, go))),
    unknown > 0 && element('p', {}, `${counted(unknown, 'expression does', 'expressions do')} not compile.`),
  );
}

function expressionCost(
  field: string,
  { expression, cost, ofOne, explained, range }: ExpressionCost,
  go: Go,
): HTMLElement {
  return element(
    'div',
    { class: 'cost' },
    button(expression, () => go(range), { class: 'link code', 'data-key': `${field} ${expression}` }),
    element(
      'p',
      { class: 'said' },
      `${field || 'the object'} · ${cost}, ${percent(ofOne)} of what one expression may cost`,
    ),
    meter(ofOne),
    element('p', { class: 'said' }, ...withCode(explained)),
  );
}

function percent(share: number): string {
  return share > 0 && share < 1 ? 'less than 1 %' : `${Math.round(share)} %`;
}

/** The figure is beside it. */
function meter(share: number): HTMLElement {
  const bar = element('div', { class: share > 100 ? 'meter over' : 'meter', 'aria-hidden': 'true' }, element('i'));
  (bar.firstElementChild as HTMLElement).style.width = `${Math.min(share, 100)}%`;
  return bar;
}

// Values

const outcomes: Readonly<Record<TriedObject['outcome'], { readonly sign: string; readonly word: string }>> = {
  true: { sign: '✓', word: 'true' },
  false: { sign: '✗', word: 'false' },
  error: { sign: '!', word: 'error' },
  none: { sign: '–', word: 'not evaluated' },
  value: { sign: '=', word: 'value' },
};
const ofPolicy = { ...outcomes, true: { sign: '✓', word: 'let in' }, false: { sign: '✗', word: 'denied' } };

export function drawTried(panel: HTMLElement, tried: Tried | null, go: (uri: string, range: Range) => void): void {
  if (!tried) {
    redraw(panel, element('p', { class: 'empty' }, 'There is no rule, expression or policy here to evaluate.'));
    return;
  }
  const { title, expression, facts, problem, objects, isPolicy } = tried;
  redraw(
    panel,
    element('h3', {}, title, element('span', { class: 'said' }, facts.join(' · '))),
    element('pre', { class: 'expression' }, expression),
    problem !== undefined && element('p', { class: 'problem' }, problem),
    ...objects.map((one) => triedObject(one, isPolicy ? ofPolicy : outcomes, go)),
    objects.length === 0 &&
      problem === undefined &&
      element('p', { class: 'empty' }, 'No object here is judged by it. Add one in a tab.'),
  );
}

function triedObject(
  { name, file, uri, range, outcome, said, values }: TriedObject,
  named: typeof outcomes,
  go: (uri: string, range: Range) => void,
): HTMLElement {
  const { sign, word } = named[outcome];
  return element(
    'section',
    { class: `tried ${outcome}` },
    element(
      'h4',
      {},
      element('span', { class: 'sign', 'aria-hidden': 'true' }, sign),
      `${word} `,
      button(name === file ? name : `${name} in ${file}`, () => go(uri, range), {
        class: 'link',
        'data-key': `${uri} ${name}`,
      }),
    ),
    said !== '' && element('p', { class: 'said' }, ...withCode(said)),
    ...values.map((one) => triedValue(one, values.length > 1)),
  );
}

function triedValue({ at, outcome, said, lines }: TriedValue, isOneOfSeveral: boolean): HTMLElement {
  const { sign, word } = outcomes[outcome];
  const head = `${sign} ${word}${at === '' ? '' : ` · ${at}`}${isOneOfSeveral && said !== '' ? `: ${said}` : ''}`;
  return element(
    'div',
    { class: `value ${outcome}` },
    isOneOfSeveral && element('p', {}, head),
    lines.length > 0 && element('pre', { class: 'parts' }, lines.join('\n')),
  );
}
