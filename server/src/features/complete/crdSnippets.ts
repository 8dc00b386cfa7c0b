import { lineStartBefore, type Range } from '../../base/text.ts';
import { isList, isMap, isString, type Path, type Value, valueAt } from '../../base/value.ts';
import { compareVersions } from '../../kubernetes/versionPriority.ts';
import type { Manifest } from '../../workspace/manifest.ts';
import type { PlacedDocument } from '../../yaml/parse.ts';
import { rangeOf } from '../../yaml/place.ts';
import type { Cursor } from '../place/cursor.ts';
import { isPropertyName, keywordsAt } from '../place/keywordsAt.ts';
import { keysBeside } from '../place/marked.ts';
import type { Completion } from './completion.ts';
import { escapeSnippet } from './skeleton.ts';

// Larger pieces that are offered in CRDs: properties by their type, rules, a new version.

interface Piece {
  readonly label: string;
  readonly detail: string;
  readonly lines: readonly string[];
}

const property = (label: string, ...lines: string[]): Piece => ({
  label: `${label} property`,
  detail: 'a new property',
  lines: [`\${1:name}:`, ...lines.map((line) => `  ${line}`)],
});

const properties: readonly Piece[] = [
  property('string', 'type: string', 'description: ${2}', 'maxLength: ${3:253}'),
  property('integer', 'type: integer', 'description: ${2}', 'minimum: ${3:0}'),
  property('number', 'type: number', 'description: ${2}'),
  property('boolean', 'type: boolean', 'description: ${2}', 'default: ${3|false,true|}'),
  property('object', 'type: object', 'description: ${2}', 'properties:', '  ${3:field}:', '    type: ${4:string}'),
  property('array', 'type: array', 'description: ${2}', 'maxItems: ${3:100}', 'items:', '  type: ${4:string}'),
  property(
    'array by keys',
    'type: array',
    'description: ${2}',
    'maxItems: ${3:100}',
    'x-kubernetes-list-type: map',
    'x-kubernetes-list-map-keys: [${4:name}]',
    'items:',
    '  type: object',
    '  required: [${4:name}]',
    '  properties:',
    '    ${4:name}:',
    '      type: string',
    '      maxLength: ${5:63}',
  ),
  property(
    'map',
    'type: object',
    'description: ${2}',
    'maxProperties: ${3:100}',
    'additionalProperties:',
    '  type: ${4:string}',
  ),
  property('int-or-string', 'x-kubernetes-int-or-string: true', 'description: ${2}'),
  property('any', 'x-kubernetes-preserve-unknown-fields: true', 'description: ${2}'),
];

const rules: readonly Piece[] = [
  {
    label: 'validation rule',
    detail: 'a rule and the message when it is broken',
    lines: ['rule: ${1:self.size > 0}', 'message: ${2:size must be above 0}'],
  },
  {
    label: 'immutable field',
    detail: 'a rule that runs only on updates',
    lines: ['rule: self == oldSelf', 'message: ${1:the field cannot be changed}'],
  },
];

/** Where pieces are put, and how far their further lines stand in. */
interface Writing {
  readonly range: Range;
  readonly lead: string;
  readonly indent: string;
}

/** Pieces for a map or list of a CRD in which an entry can be written. */
export function crdSnippets({ manifest, placed }: Cursor, map: Path, { range, lead, indent }: Writing): Completion[] {
  return piecesFor(manifest!, placed, map).map(
    ({ label, detail, lines }, i): Completion => ({
      label,
      kind: 'snippet',
      detail,
      range,
      text: lines.map((line, at) => (at === 0 ? lead : line === '' ? '' : indent) + line).join('\n'),
      snippet: true,
      order: `2${String(i).padStart(4, '0')}`,
    }),
  );
}

function piecesFor(manifest: Manifest, placed: PlacedDocument, map: Path): readonly Piece[] {
  const { value } = manifest;
  const last = map.at(-1);
  const inSchema = map.includes('openAPIV3Schema');
  if (inSchema && last === 'properties' && isPropertyName([...map, '']))
    return keywordsAt(value, map)?.names ? [] : properties;
  const inList = typeof last === 'number' ? map.at(-2) : last;
  const asItem = (pieces: readonly Piece[]) => (typeof last === 'number' ? pieces : pieces.map(itemOf));
  if (typeof last === 'number' && !isEmptyItem(valueAt(value, map))) return [];
  if (inSchema && inList === 'x-kubernetes-validations') return asItem(rules);
  return inList === 'versions' && map.length <= 3 ? asItem(newVersion(manifest, placed)) : [];
}

function isEmptyItem(value: Value | undefined): boolean {
  return keysBeside(value).size === 0;
}

function itemOf({ label, detail, lines }: Piece): Piece {
  return { label, detail, lines: lines.map((line, i) => (i === 0 ? `- ${line}` : `  ${line}`)) };
}

/** A version with the text of the one that objects are stored in. */
function newVersion({ value, at }: Manifest, { document }: PlacedDocument): Piece[] {
  const versions = valueAt(value, ['spec', 'versions']);
  if (!isList(versions)) return [];
  const i = versions.findIndex((version) => isMap(version) && version.get('storage') === true);
  const range = rangeOf(document, [...at, 'spec', 'versions', i], 'value');
  const stored = versions[i];
  const name = isMap(stored) ? stored.get('name') : undefined;
  if (!range || !isString(name)) return [];
  const column = range.start - lineStartBefore(document.text, range.start);
  const rows = document.text
    .slice(range.start, range.end)
    .trimEnd()
    .split(/\r\n|\r|\n/);
  const lines = rows.map((row, at) => escapeSnippet(at === 0 ? row : row.slice(Math.min(column, row.search(/\S|$/)))));
  const changed = lines.map((line) =>
    line.replace(/^name:.*/, `name: \${1:${nextName(versions)}}`).replace(/^storage:.*/, 'storage: false'),
  );
  return [{ label: `version like ${name}`, detail: 'a new version, copied from the stored one', lines: changed }];
}

/** A name for the version after all there are: `v2` after `v1`. */
function nextName(versions: readonly Value[]): string {
  const names = versions.flatMap((version) => (isMap(version) ? [version.get('name')] : [])).filter(isString);
  const [newest = ''] = names.sort(compareVersions);
  const number = /^v(\d+)((?:alpha|beta)\d+)?$/.exec(newest);
  if (!number) return 'v1';
  return number[2] === undefined ? `v${Number(number[1]) + 1}` : `v${number[1]}`;
}
