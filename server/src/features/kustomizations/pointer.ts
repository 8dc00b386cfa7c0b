/** Paths of JSON 6902 patches, such as `/spec/template/spec/containers/0/image`, by the schema of the kind that is patched. */

import { escapedStep, unescapedStep } from '../../base/jsonPointer.ts';
import type { Range } from '../../base/text.ts';
import { isString, type Value, valueAt } from '../../base/value.ts';
import { builtinKindsFor } from '../../workspace/builtin.ts';
import { type Snapshot, withOpen } from '../../workspace/snapshot.ts';
import { sourceFile } from '../../workspace/sourceFile.ts';
import { documentAt } from '../../yaml/parse.ts';
import { pathAt } from '../../yaml/place.ts';
import { scalarMap } from '../../yaml/scalarMap.ts';
import { type Hover, hover } from '../at/hover.ts';
import { complete } from '../complete/complete.ts';
import type { Completion } from '../complete/completion.ts';
import { own } from '../words/markdown.ts';
import type { InPatch } from './inlinePatch.ts';

const operations: readonly (readonly [name: string, words: string])[] = [
  ['add', 'Adds a field, or an item of a list; `-` at the end of the path is behind the last item.'],
  ['replace', 'Gives a field another value. It has to be there.'],
  ['remove', 'Takes a field or item away. It has to be there.'],
  ['move', 'Takes a value from one place to another.'],
  ['copy', 'Puts the value of one place at another.'],
  ['test', 'Fails where a value is not this one.'],
];

/** What can be written in an operation; undefined where the cursor is in something else. */
export function completeOperation(place: InPatch): Completion[] | undefined {
  const at = scalarIn(place);
  if (!at) return undefined;
  if (at.key === 'op') {
    return operations.map(([name, words], i) => ({
      ...{ label: name, kind: 'value', range: place.back(at.range), text: name, snippet: false, order: String(i) },
      documentation: own(words),
    }));
  }
  if (at.key !== 'path' && at.key !== 'from') return undefined;
  const before = at.text.slice(0, at.offset);
  const slash = before.lastIndexOf('/');
  const steps = before
    .slice(1, Math.max(1, slash))
    .split('/')
    .filter((step) => step !== '');
  const start = at.range.start + (slash + 1);
  const range = place.back({ start, end: at.range.end });
  const lead = slash === -1 ? '/' : '';
  return fieldsBelow(place, steps).map(({ label, detail, documentation, order }) => ({
    ...{
      label,
      kind: 'field',
      range,
      text: lead + escapedStep(label),
      snippet: false,
      order,
    },
    ...(detail !== undefined && { detail }),
    ...(documentation && { documentation }),
  }));
}

/** The card of the field that a path leads to. */
export function hoverOperation(place: InPatch): Hover | undefined {
  const at = scalarIn(place);
  if (at?.key !== 'path' && at?.key !== 'from') return undefined;
  const next = at.text.indexOf('/', Math.max(1, at.offset));
  const steps = at.text
    .slice(1, next === -1 ? undefined : next)
    .split('/')
    .map(unescapedStep);
  const name = steps.at(-1) ?? '';
  for (const { snapshot, uri, text } of objectsFor(place, steps.slice(0, -1))) {
    const put = `${text}${name}: `;
    const card = hover(withOpen(snapshot, sourceFile(uri, put, { made: true })), uri, put.length - name.length - 1);
    if (card) return { ...card, range: place.back(at.range) };
  }
  return undefined;
}

/** The scalar of an operation that the cursor is in. */
function scalarIn({ source, offset }: InPatch) {
  const placed = documentAt(source.stream, offset);
  const found = placed && pathAt(placed.document, offset - placed.start);
  const [index, key] = found?.path ?? [];
  if (!placed || found?.path.length !== 2 || typeof index !== 'number' || found.where === 'key') return undefined;
  const map = scalarMap(placed.document, found.path);
  const text = map?.value ?? '';
  const start = map && text !== '' ? placed.start + map.toText(0) : offset;
  const range: Range = { start, end: start + text.length };
  return { key, text, range, offset: Math.min(text.length, offset - start) };
}

/** Of a list only what its items have, as of any item. */
function fieldsBelow(place: InPatch, steps: readonly string[]): readonly Completion[] {
  for (const { snapshot, uri, text } of objectsFor(place, steps.map(unescapedStep))) {
    const found = complete(withOpen(snapshot, sourceFile(uri, text, { made: true })), uri, text.length);
    if (found.length > 0) return found.filter(({ label }) => /^[\w.$/-]+$/.test(label));
  }
  return [];
}

/** Objects of the kinds that a patch may be for, each up to a place in it. */
function objectsFor({ snapshot, source, target }: InPatch, steps: readonly string[]) {
  const uri = `${source.uri}-object.yaml`;
  return apiVersionsOf(snapshot, source.uri, target).map(([apiVersion, kind]) => {
    let text = `apiVersion: ${apiVersion}\nkind: ${kind}\n`;
    let indent = '';
    for (const step of steps) {
      if (/^(?:\d+|-)$/.test(step)) {
        text += `${indent}- `;
        // What follows is behind the dash.
        indent += '  ';
        continue;
      }
      const isBehindDash = text.endsWith('- ');
      text += `${isBehindDash ? '' : indent}${step}:\n`;
      indent += '  ';
    }
    return { snapshot, uri, text: text.endsWith('- ') ? text : text + indent };
  });
}

/** The kinds that a target may mean, with their versions. */
function apiVersionsOf(
  snapshot: Snapshot,
  uri: string,
  target: Value | undefined,
): readonly (readonly [string, string])[] {
  const [kind, group, version] = ['kind', 'group', 'version'].map((key) => valueAt(target, [key]));
  if (!isString(kind)) return [];
  const fits = (apiVersion: string) =>
    (!isString(version) || apiVersion.endsWith(version)) && (!isString(group) || apiVersion.startsWith(`${group}/`));
  const own = [...snapshot.definitions.values()]
    .flat()
    .filter((one) => one.kind === kind)
    .flatMap((one) => one.versions.map((name) => `${one.group}/${name}`));
  const builtin = [...(builtinKindsFor(snapshot, uri)?.kinds.keys() ?? [])]
    .filter((name) => name.endsWith(`/${kind}`))
    .map((name) => name.slice(0, -kind.length - 1));
  return [...own, ...builtin].filter(fits).map((apiVersion) => [apiVersion, kind] as const);
}

/** Whether a patch is a list of operations. */
export function isOperations({ source }: InPatch): boolean {
  return /^\s*(?:#[^\n]*\n\s*)*(?:-|\[)/.test(source.text);
}
