import type { Tried, TriedObject, TriedValue } from '../../../server/src/lsp/protocol.ts';
import { button, drawing, element, redraw, tell, worded } from './dom.ts';

export interface TryPage {
  readonly tried: Tried | null;
  readonly words: TryWords;
}

/** What the page says, in the language of the editor. */
export interface TryWords {
  readonly nothing: string;
  readonly noObjects: string;
  readonly scratch: string;
  readonly values: string;
  readonly open: string;
  readonly more: string;
  readonly whole: string;
  readonly summary: string;
  readonly noMatches: string;
  readonly outcomes: Readonly<Record<TriedObject['outcome'], string>>;
  /** Of whole objects that a policy judges. */
  readonly policyOutcomes: TryWords['outcomes'];
}

/** Beside its word; colour only repeats what both say. */
const signs: Readonly<Record<TriedObject['outcome'], string>> = {
  true: '✓',
  false: '✗',
  error: '!',
  none: '–',
  value: '=',
};

const head = element('header');
const status = element('p', { role: 'status' });
const list = element('main');
document.body.append(head, status, list);

/** Objects that are unfolded stay so. */
const unfolded = new Set<string>();

drawing<TryPage>(({ tried, words }) => {
  if (!tried) {
    redraw(head, element('h1', {}, words.nothing));
    redraw(list);
    status.textContent = '';
    return;
  }
  const { rule, title, expression, kubernetes, problem, facts, objects, more, isPolicy } = tried;
  const outcomes = isPolicy ? words.policyOutcomes : words.outcomes;
  redraw(
    head,
    element('h1', {}, title),
    element('pre', { class: 'expression' }, expression),
    element('p', { class: 'facts' }, [...facts, `Kubernetes ${kubernetes}`].join(' · ')),
    problem === undefined ? undefined : element('pre', { class: 'problem' }, problem),
    rule && button(words.scratch, () => tell({ does: 'scratch' }), { 'data-key': 'scratch' }),
  );
  say(problem === undefined ? summaryOf(objects, words, outcomes) : '');
  redraw(
    list,
    ...objects.map((object, i) =>
      objectRow(object, i, { words, outcomes, isRule: rule !== undefined, isOpen: !rule && !isPolicy }),
    ),
    more > 0 ? element('p', {}, worded(words.more, more)) : undefined,
    objects.length === 0 && problem === undefined
      ? element('p', {}, isPolicy ? words.noMatches : words.noObjects)
      : undefined,
  );
});

/** Said aloud by screen readers: only where it is another than before. */
function say(text: string): void {
  if (status.textContent !== text) status.textContent = text;
}

function summaryOf(objects: readonly TriedObject[], words: TryWords, named: TryWords['outcomes']): string {
  const outcomes = Object.keys(signs) as TriedObject['outcome'][];
  return outcomes
    .map((outcome) => ({ outcome, count: objects.filter((one) => one.outcome === outcome).length }))
    .filter(({ outcome, count }) => count > 0 && outcome !== 'value')
    .map(({ outcome, count }) => worded(words.summary, named[outcome], count))
    .join(', ');
}

interface Drawing {
  readonly words: TryWords;
  readonly outcomes: TryWords['outcomes'];
  readonly isRule: boolean;
  readonly isOpen: boolean;
}

function objectRow(object: TriedObject, nth: number, { words, outcomes, isRule, isOpen }: Drawing): HTMLElement {
  const { name, file, uri, range, outcome, said, values, more } = object;
  const key = `${uri} ${name} ${nth}`;
  const row = element(
    'details',
    { class: outcome },
    element(
      'summary',
      { 'data-key': key },
      element('span', { class: 'sign', 'aria-hidden': 'true' }, signs[outcome]),
      element('span', { class: 'outcome' }, outcomes[outcome]),
      element('span', { class: 'name' }, name),
      element('span', { class: 'said' }, said),
    ),
    element(
      'p',
      {},
      button(worded(words.open, file), () => tell({ does: 'open', uri, range }), { 'data-key': `open ${key}` }),
      isRule && values.length > 0
        ? button(words.values, () => tell({ does: 'values', uri, range }), { 'data-key': `values ${key}` })
        : undefined,
    ),
    ...values.map((value) => valueRow(value, values.length > 1, words)),
    more > 0 ? element('p', {}, worded(words.more, more)) : undefined,
  );
  // What went wrong is what one looks for.
  row.open = unfolded.has(key) || isOpen;
  row.addEventListener('toggle', () => (row.open ? unfolded.add(key) : unfolded.delete(key)));
  return row;
}

/** Of a single value the row above says all but its parts. */
function valueRow({ at, outcome, said, lines }: TriedValue, isOneOfSeveral: boolean, words: TryWords): HTMLElement {
  const where = `${signs[outcome]} ${words.outcomes[outcome]} · ${at === '' ? words.whole : at}`;
  return element(
    'section',
    {},
    element('h2', {}, isOneOfSeveral && said !== '' ? `${where}: ${said}` : where),
    element('pre', { class: 'parts' }, lines.join('\n')),
  );
}
