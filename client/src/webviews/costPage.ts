import type { ExpressionCost, FieldCost, VersionCost } from '../../../server/src/lsp/protocol.ts';
import { button, drawing, element, redraw, tell, worded } from './dom.ts';
import { type Box, treemap } from './treemap.ts';

export interface CostPage {
  readonly versions: readonly VersionCost[];
  readonly words: CostWords;
}

export interface CostWords {
  readonly nothing: string;
  readonly noRules: string;
  readonly summary: string;
  readonly unknown: string;
  readonly map: string;
  readonly hint: string;
  readonly table: string;
  readonly whole: string;
  readonly field: string;
  readonly expression: string;
  readonly cost: string;
  readonly share: string;
  readonly ofOne: string;
  readonly labels: string;
  readonly more: string;
}

const root = element('main');
document.body.append(root);

/** In the map, of 100 by 60 parts; a field has a strip with its name. */
const size = { width: 100, height: 60 };
const strip = 4;
/** Nobody can tell more boxes apart; the table has them all. */
const mostFields = 60;

drawing<CostPage>(({ versions, words }) => {
  if (versions.length === 0) redraw(root, element('h1', {}, words.nothing));
  else redraw(root, ...versions.map((version, i) => section(version, i, words)));
});

function section(version: VersionCost, nth: number, words: CostWords): HTMLElement {
  const { kind, version: name, cost, share, fields, unknown } = version;
  const shown = fields.filter((one) => one.share > 0).slice(0, mostFields);
  const explained = element('pre', { class: 'explained', 'aria-live': 'polite' }, words.hint);
  return element(
    'section',
    { 'aria-label': `${kind} ${name}` },
    element('h1', {}, `${kind} ${name}`),
    element('p', {}, fields.length === 0 ? words.noRules : worded(words.summary, cost, percent(share))),
    fields.length > 0 ? bar(share) : undefined,
    unknown > 0 ? element('p', {}, worded(words.unknown, unknown)) : undefined,
    shown.length > 0 ? mapOf(shown, nth, words, explained) : undefined,
    fields.length > mostFields ? element('p', {}, worded(words.more, fields.length - mostFields)) : undefined,
    shown.length > 0 ? explained : undefined,
    fields.length > 0 ? tableOf(fields, nth, words) : undefined,
  );
}

/** How much of the limit is spent: a bar that is as long as that, and what is over is another color. */
function bar(share: number): HTMLElement {
  const [spent, label] = [Math.min(100, share), percent(share)];
  const values = {
    'aria-valuemin': '0',
    'aria-valuemax': '100',
    'aria-valuenow': spent.toFixed(1),
    'aria-label': label,
  };
  const whole = element('div', {
    class: ['bar', ...(share > 100 ? ['spent'] : [])].join(' '),
    role: 'meter',
    ...values,
  });
  const part = element('div');
  part.style.width = `${spent.toFixed(3)}%`;
  // Little is not nothing.
  if (share > 0) part.style.minWidth = '2px';
  whole.append(part);
  return whole;
}

/** One stop of the tab key; arrows go from one expression to the next, Enter goes to it. */
function mapOf(fields: readonly FieldCost[], nth: number, words: CostWords, explained: HTMLElement): HTMLElement {
  const boxes = treemap(
    fields.map(({ share }) => share),
    { left: 0, top: 0, ...size },
  );
  const map = element('div', { class: 'map', role: 'group', 'aria-label': words.map });
  const stops: HTMLButtonElement[] = [];
  for (const [i, field] of fields.entries()) {
    const box = boxes[i]!;
    const group = place(element('div', { class: 'field' }), box);
    const name = element('div', { class: 'field-name', 'aria-hidden': 'true' }, labelOf(field.field, words));
    group.append(name);
    const inner = treemap(
      field.expressions.map(({ share }) => share),
      { left: 0, top: 0, width: box.width, height: Math.max(0, box.height - strip) },
    );
    for (const [j, one] of field.expressions.entries()) {
      if (one.share === 0) continue;
      const stop = expressionBox(field, one, `${nth} ${i} ${j}`, words, explained);
      place(stop, inner[j]!, box, strip);
      stops.push(stop);
      group.append(stop);
    }
    map.append(group);
  }
  stops.forEach((stop, i) => {
    stop.tabIndex = i === 0 ? 0 : -1;
    stop.addEventListener('focus', () => {
      for (const other of stops) other.tabIndex = other === stop ? 0 : -1;
    });
  });
  map.addEventListener('keydown', (event) => {
    const to = nextStop(event.key, stops.indexOf(document.activeElement as HTMLButtonElement), stops.length);
    if (to === undefined) return;
    event.preventDefault();
    stops[to]?.focus();
  });
  return map;
}

function nextStop(key: string, at: number, count: number): number | undefined {
  if (key === 'ArrowRight' || key === 'ArrowDown') return Math.min(count - 1, at + 1);
  if (key === 'ArrowLeft' || key === 'ArrowUp') return Math.max(0, at - 1);
  if (key === 'Home') return 0;
  return key === 'End' ? count - 1 : undefined;
}

function expressionBox(
  field: FieldCost,
  one: ExpressionCost,
  key: string,
  words: CostWords,
  explained: HTMLElement,
): HTMLButtonElement {
  const { expression, share, cost, ofOne, range } = one;
  const label = worded(words.labels, labelOf(field.field, words), expression, percent(share), cost, percent(ofOne));
  const box = button('', () => tell({ does: 'open', range }), {
    ...{
      class: ['box', ...(ofOne > 100 ? ['over'] : [])].join(' '),
      'data-key': key,
      'aria-label': label,
      title: label,
    },
  });
  // What costs more than it may says so in words too.
  box.append(element('span', {}, `${ofOne > 100 ? '! ' : ''}${percent(share)}`), element('code', {}, expression));
  box.addEventListener('focus', () => {
    explained.textContent = `${label}\n${one.explained}`;
  });
  return box;
}

/** Puts an element where its box is within another one, whose first lines are taken. */
function place<One extends HTMLElement>(
  one: One,
  box: Box,
  within: Pick<Box, 'width' | 'height'> = size,
  taken = 0,
): One {
  const part = (value: number, all: number) => `${all === 0 ? 0 : (value / all) * 100}%`;
  one.style.left = part(box.left, within.width);
  one.style.top = part(box.top + taken, within.height);
  one.style.width = part(box.width, within.width);
  one.style.height = part(box.height, within.height);
  return one;
}

function tableOf(fields: readonly FieldCost[], nth: number, words: CostWords): HTMLElement {
  const head = [words.field, words.expression, words.cost, words.share, words.ofOne];
  const rows = fields.flatMap((field, i) =>
    field.expressions.map((one, j) => {
      const name = labelOf(field.field, words);
      const key = `table ${nth} ${i} ${j}`;
      return element(
        'tr',
        {},
        element(
          'td',
          {},
          button(name, () => tell({ does: 'open', range: field.range }), { 'data-key': `${key} field` }),
        ),
        element(
          'td',
          {},
          button(one.expression, () => tell({ does: 'open', range: one.range }), { 'data-key': key }),
        ),
        element('td', { class: 'number' }, one.cost),
        element('td', { class: 'number' }, percent(one.share)),
        element('td', { class: 'number' }, `${one.ofOne > 100 ? '! ' : ''}${percent(one.ofOne)}`),
      );
    }),
  );
  return element(
    'table',
    {},
    element('caption', {}, words.table),
    element('thead', {}, element('tr', {}, ...head.map((name) => element('th', { scope: 'col' }, name)))),
    element('tbody', {}, ...rows),
  );
}

function labelOf(field: string, words: CostWords): string {
  return field === '' ? words.whole : field;
}

function percent(share: number): string {
  if (share > 0 && share < 0.1) return '< 0.1 %';
  return `${share >= 10 ? Math.round(share).toLocaleString() : share.toFixed(1)} %`;
}
