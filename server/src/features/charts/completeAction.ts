/** What can be written in an action of a template. */
import type { Range } from '../../base/text.ts';
import { functionDoc } from '../../helm/functionDocs.ts';
import { functionNames } from '../../helm/render.ts';
import type { Completion, CompletionKind } from '../complete/completion.ts';
import { type Markdown, md, own } from '../words/markdown.ts';
import type { Action, Chain, Token } from './actions.ts';
import { definitionsOf } from './definitions.ts';
import { objectWords } from './objectWords.ts';
import { namedBefore, type Scope, scopedOf, stepsOf, variablesIn } from './scopes.ts';
import type { Seen } from './seen.ts';
import { aboutCell, detailOf, membersAt } from './values.ts';

const keywords: readonly (readonly [word: string, words: string])[] = [
  ['if', 'What is below is rendered where the condition is not empty.'],
  ['else', 'What is below is rendered where the condition above is empty.'],
  ['end', 'Ends if, with, range, define or block.'],
  ['with', 'What is below is rendered where a value is not empty, with the dot as that value.'],
  ['range', 'What is below is rendered for each item, with the dot as the item.'],
  ['define', 'Defines a template by a name.'],
  ['template', 'Renders a template by its name. It cannot be piped on as include can.'],
  ['block', 'Defines a template by a name, and renders it.'],
  ['break', 'Ends the innermost range.'],
  ['continue', 'Goes on with the next item of the innermost range.'],
];

export function completeAction(seen: Seen, action: Action, offset: number): Completion[] {
  if (action.isComment) return [];
  const { actions, scopes } = scopedOf(seen.file);
  const scope = scopes[actions.indexOf(action)]!;
  const at = action.tokens.findIndex(({ start, end }) => start < offset && offset <= end);
  const token = action.tokens[at];
  if (token?.kind === 'string') return inString(seen, action.tokens, at, scope, offset);
  if (token?.kind === 'chain') return inChain(seen, token, scope, offset);
  if (token?.kind === 'other' && /\d/.test(token.text)) return [];
  const isWord = token?.kind === 'word';
  const range = isWord ? { start: token.start, end: token.end } : { start: offset, end: offset };
  const isFirst = isWord ? at === 0 : action.tokens.every(({ start }) => start >= offset);
  return [
    ...(isFirst
      ? keywords.map(([word, words]) => item(word, 'keyword', range, { order: `0${word}`, documentation: own(words) }))
      : []),
    ...(isWord ? [] : chainStarts(seen, scope, range)),
    ...functions(range),
  ];
}

function functions(range: Range): Completion[] {
  return [...functionNames].map((name) => {
    const doc = functionDoc(name);
    const order = `${/^must|_/.test(name) ? 4 : 3}${name}`;
    return item(name, 'function', range, { order, ...(doc && { detail: doc.call, documentation: md`${doc.words}` }) });
  });
}

/** Variables, and what is behind the dot, where nothing is written yet. */
function chainStarts(seen: Seen, scope: Scope, range: Range): Completion[] {
  const variables = variablesIn(scope).map((name) => item(name, 'variable', range, { order: `1${name}` }));
  const members = scope.dot ? membersOf(seen, scope.dot, range) : [];
  return [
    ...variables,
    ...members.map((one) => ({ ...one, label: `.${one.label}`, text: `.${one.text}`, order: `2${one.order}` })),
  ];
}

function inChain(seen: Seen, token: Chain, scope: Scope, offset: number): Completion[] {
  const { head, start, parts } = token;
  const headEnd = start + head.length;
  if (head !== '' && offset <= headEnd) {
    const range = { start, end: headEnd };
    return variablesIn(scope).map((name) => item(name, 'variable', range, { order: `1${name}` }));
  }
  const at = parts.findIndex(({ end }) => offset <= end);
  const whole = { start, end: at === -1 ? offset : parts[at]!.end };
  const before = stepsOf(scope, { ...token, parts: at === -1 ? [] : parts.slice(0, at) });
  const range = at === -1 ? { start: offset, end: offset } : { start: parts[at]!.start, end: parts[at]!.end };
  if (!before) return [];
  const owner = seen.file.text.slice(start, (parts[at === -1 ? parts.length - 1 : at - 1] ?? { end: headEnd }).end);
  return [...membersOf(seen, before, range), ...indexed(seen, before, whole, owner)];
}

/** Keys that no dot leads to, such as those with a dash: `index` takes them. */
function indexed(seen: Seen, steps: readonly string[], range: Range, owner: string): Completion[] {
  return membersAt(seen, steps).flatMap(({ name, cell }) => {
    if (!cell || isName(name)) return [];
    const text = `(index ${owner === '' ? '.' : owner} ${JSON.stringify(name)})`;
    const detail = detailOf(cell.value);
    const rest = { detail, order: `5${name}`, documentation: aboutCell(seen, cell), typed: `${owner}.${name}` };
    return [item(text, 'field', range, rest)];
  });
}

/** Whether a dot can lead to a key. */
function isName(key: string): boolean {
  return /^[\p{L}_][\p{L}\p{N}_]*$/u.test(key);
}

function membersOf(seen: Seen, steps: readonly string[], range: Range): Completion[] {
  return membersAt(seen, steps).flatMap(({ name, cell }, i) => {
    if (!isName(name)) return [];
    const words = objectWords([...steps, name]);
    const documentation = words === undefined ? cell && aboutCell(seen, cell) : own(words);
    const detail = cell ? detailOf(cell.value) : 'function';
    const isFunction = cell === undefined;
    const order = String(i).padStart(4, '0');
    return [
      item(name, isFunction ? 'function' : 'field', range, { detail, order, ...(documentation && { documentation }) }),
    ];
  });
}

/** The name of a template behind `include`, or a key behind `index`. */
function inString(seen: Seen, tokens: readonly Token[], at: number, scope: Scope, offset: number): Completion[] {
  const token = tokens[at]!;
  if (token.kind !== 'string' || offset < token.content.start || offset > token.content.end) return [];
  const before = tokens[at - 1];
  const range = token.isClosed ? token.content : { start: token.content.start, end: wordEnd(seen.file.text, offset) };
  if (before?.kind === 'word' && (before.text === 'include' || before.text === 'template')) {
    const rest = token.isClosed ? '' : `" .`;
    return definitionsOf(seen.folder).map(({ name, file }) =>
      item(name, 'function', range, { order: name, detail: file.path, text: `${name}${rest}` }),
    );
  }
  const named = namedBefore(tokens, at, scope);
  if (!named) return [];
  return membersAt(seen, named.steps).flatMap(({ name, cell }, i) =>
    cell
      ? [
          item(name, 'field', range, {
            order: String(i).padStart(4, '0'),
            detail: detailOf(cell.value),
            documentation: aboutCell(seen, cell),
          }),
        ]
      : [],
  );
}

function wordEnd(text: string, offset: number): number {
  return offset + /^[\w.\-/]*/.exec(text.slice(offset, offset + 200))![0].length;
}

interface Rest {
  readonly order: string;
  readonly text?: string;
  readonly detail?: string;
  readonly documentation?: Markdown;
  readonly typed?: string;
}

function item(label: string, kind: CompletionKind, range: Range, rest: Rest): Completion {
  return { label, kind, range, text: label, snippet: false, ...rest };
}
