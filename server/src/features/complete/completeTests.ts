import { movedRange, type Range, runAtEnd } from '../../base/text.ts';
import { isMap, isString, type Path, type Value, valueAt } from '../../base/value.ts';
import { groundOfExpressions } from '../../crdtest/evaluateRun.ts';
import { aroundPolicies } from '../../crdtest/policyDocumentRun.ts';
import { rulesIn } from '../../crdtest/rulePath.ts';
import { nameOf } from '../../kubernetes/policy/admit.ts';
import { typeOf } from '../../kubernetes/policy/evaluations.ts';
import { ruleTitles } from '../../rules/model/registry.ts';
import type { Definition } from '../../workspace/definitions.ts';
import { rootSchema, typeLabel } from '../../workspace/schemaNode.ts';
import { kubernetesFor, type Snapshot } from '../../workspace/snapshot.ts';
import { folderOf, relative } from '../../workspace/uri.ts';
import { quoteIfNeeded } from '../../yaml/quoting.ts';
import { tolerantValueOf } from '../../yaml/tolerantValue.ts';
import { type Cursor, schemaOf } from '../place/cursor.ts';
import { type Form, type Marked, marked } from '../place/marked.ts';
import { testedBy } from '../place/objectIn.ts';
import { type Field, keyCompletion, keySnippet } from './completeFields.ts';
import type { Completion } from './completion.ts';
import { fieldPaths, type PathOfField } from './fieldPaths.ts';
import { type MaySay, saidOf, warningsOf } from './saidOf.ts';

/** What tests have to offer at a place. */
interface Offer {
  readonly items: readonly Completion[];
  /** Whether there is nothing else that could be written there. */
  readonly isAll: boolean;
}

const nothing: Offer = { items: [], isAll: false };

/** What could be written in a file of tests, beside what its schema and that of its CRD say. */
export function completeTests(snapshot: Snapshot, cursor: Cursor): Offer {
  const spot = spotOf(cursor);
  const put = (form: Form) => marked(snapshot, cursor, spot.around, form, { lead: spot.lead });
  const asValue = put('value');
  const asked = asValue && valueAsked(asValue.cursor.target.path);
  if (asValue && asked) return valuesOf(snapshot, asValue, asked, spot);
  const key = keyOf(cursor, put);
  return key ? keysOf(key, spot) : nothing;
}

/** What a completion replaces, and what stands there. */
interface Spot {
  /** What stands for it in the document, quotes included. */
  readonly around: Range;
  readonly range: Range;
  readonly typed: string;
  readonly lead: string;
  readonly hasColon: boolean;
}

function spotOf({ target, placed, offset }: Cursor): Spot {
  const { text } = placed.document;
  const isWord = target.at === 'key' || target.at === 'value';
  const own = isWord ? target.range : { start: runAtEnd(text, /[\w.-]/, offset), end: offset };
  const isQuoted = target.at === 'key' && /["']/.test(text[own.start] ?? '');
  const inner = isQuoted ? { start: own.start + 1, end: Math.max(own.start + 1, own.end - 1) } : own;
  const inFile = ({ start, end }: Range) => movedRange({ start, end }, placed.start);
  return {
    around: inFile(own),
    range: inFile(inner),
    typed: text.slice(inner.start, Math.max(inner.start, offset)),
    lead: target.at === 'value' && text[own.start - 1] === ':' ? ' ' : '',
    hasColon: isQuoted || /^[ \t]*:/.test(text.slice(own.end, own.end + 20)),
  };
}

/** What is asked for as a value at a path of tests. */
type Asked = 'crd' | 'crdKind' | 'apiVersion' | 'kind' | 'base' | 'rule' | 'evaluate' | 'of' | keyof typeof saidAs;

function valueAsked(path: Path): Asked | undefined {
  const [list, , key] = path;
  const last = path.at(-1);
  if (list === 'crd') return path.length === 1 ? 'crd' : last === 'kind' ? 'crdKind' : undefined;
  if (list === 'bases') return path.length === 3 ? typeMeta(last) : undefined;
  if (list !== 'cases') return undefined;
  if (key === 'errors' || key === 'warnings') return inErrors(path.slice(3));
  if (key === 'each') return path[4] === 'errors' ? inErrors(path.slice(5)) : last === 'error' ? 'contains' : undefined;
  if (key === 'rule') return 'rule';
  if ((key === 'evaluate' || key === 'of') && path.length === 3) return key;
  const isSpec = path.length === (key === 'create' ? 4 : key === 'update' || key === 'status' ? 5 : 0);
  return isSpec ? (last === 'base' ? 'base' : typeMeta(last)) : undefined;
}

function typeMeta(key: string | number | undefined): Asked | undefined {
  return key === 'apiVersion' || key === 'kind' ? key : undefined;
}

/** How what the server says is written in an item of `errors` or `warnings`. */
const saidAs = {
  item: (said: MaySay) => said.words,
  contains: (said: MaySay) => said.words,
  message: (said: MaySay) => said.message,
  field: (said: MaySay) => said.field,
  code: (said: MaySay) => said.code,
};

function inErrors([nth, key, ...more]: Path): Asked | undefined {
  if (typeof nth !== 'number' || more.length > 0) return undefined;
  if (key === undefined) return 'item';
  return key === 'contains' || key === 'message' || key === 'field' || key === 'code' ? key : undefined;
}

function valuesOf(snapshot: Snapshot, { cursor }: Marked, asked: Asked, spot: Spot): Offer {
  const { file, placed, target } = cursor;
  const definition = testedBy(placed.document, file.uri, snapshot.definitions);
  const root = tolerantValueOf(placed.document) ?? null;
  const all = (rows: readonly Row[]): Offer => ({ items: rows.map((row, i) => toValue(row, i, spot)), isAll: true });
  if (asked === 'crd') return all(crdRows(snapshot, file.uri));
  if (asked === 'crdKind') return all(kindRows(snapshot));
  if (asked === 'base') return all(namesOf(valueAt(root, ['bases'])));
  if (asked === 'evaluate' || asked === 'of') return all(evaluatedRows(snapshot, cursor, asked));
  if (!definition) return { items: [], isAll: asked !== 'item' };
  if (asked === 'kind') return all([{ text: definition.kind, detail: definition.group }]);
  if (asked === 'apiVersion') return all(definition.versions.map((one) => ({ text: `${definition.group}/${one}` })));
  if (asked === 'rule') return all(ruleRows(definition));
  if (target.path[2] === 'warnings') {
    const came = warningsOf(placed.document, target.path, definition, kubernetesFor(snapshot, file.uri));
    return all(came.map((one) => ({ text: saidAs[asked](one), detail: one.because })));
  }
  const field = valueAt(root, [...target.path.slice(0, -1), 'field']);
  const kubernetes = kubernetesFor(snapshot, file.uri);
  const known = asked === 'field' || !isString(field) ? undefined : field;
  const said = saidOf(placed.document, target.path, definition, kubernetes, known);
  const rows = said.map((one) => ({ text: saidAs[asked](one), detail: one.because }));
  if (asked === 'field')
    return all([...rows.filter(({ detail }) => detail === 'comes now'), ...fieldRows(definition, spot)]);
  if (asked === 'code') return all([...rows, ...codeRows()]);
  return asked === 'item' ? { ...all([...rows, andMore]), isAll: false } : all(rows);
}

interface Row {
  readonly text: string;
  readonly detail?: string;
}

const andMore: Row = { text: 'and more', detail: 'there may be other errors' };

function toValue({ text, detail }: Row, i: number, { range, lead }: Spot): Completion {
  const order = `0${String(i).padStart(4, '0')}`;
  const written = lead + quoteIfNeeded(text);
  return { label: text, kind: 'value', ...(detail && { detail }), range, text: written, snippet: false, order };
}

/** The CRDs of the workspace by their way from the tests, the nearest first. */
function crdRows({ definitions }: Snapshot, uri: string): Row[] {
  const own = [...definitions.values()].flat().filter(({ file }) => file.origin === undefined);
  const ways = own.map((one) => ({ text: relative(folderOf(uri), one.file.uri), detail: one.kind }));
  return ways.sort((a, b) => a.text.split('/').length - b.text.split('/').length || (a.text < b.text ? -1 : 1));
}

function kindRows({ definitions }: Snapshot): Row[] {
  return [...definitions.values()].flatMap(([one]) => (one ? [{ text: one.kind, detail: one.group }] : []));
}

/** The places of expressions, and of what holds several, or the names of the objects that they are in. */
function evaluatedRows(snapshot: Snapshot, { file, placed }: Cursor, asked: 'evaluate' | 'of'): Row[] {
  const files = aroundPolicies(snapshot, file.uri, placed.document).policyFiles ?? [];
  const { asked: known } = groundOfExpressions(files, [kubernetesFor(snapshot, file.uri)]);
  const rows = [...known.values()].flat().map(({ object, evaluation }) => {
    return asked === 'of'
      ? { text: nameOf(object), detail: typeOf(object).kind }
      : { text: evaluation.at, detail: `asked about ${evaluation.input}` };
  });
  return [...new Map(rows.filter(({ text }) => text !== '').map((row) => [row.text, row])).values()];
}

function namesOf(map: Value | undefined): Row[] {
  return isMap(map) ? [...map.keys()].map((text) => ({ text })) : [];
}

function ruleRows({ manifest, versions }: Definition): Row[] {
  const all = versions.flatMap((_, i) => {
    const schema = valueAt(manifest.value, ['spec', 'versions', i, 'schema', 'openAPIV3Schema']);
    return rulesIn(schema).map(({ text, path }) => ({
      text,
      detail: String(valueAt(schema, [...path, 'rule']) ?? ''),
    }));
  });
  return [...new Map(all.map((row) => [row.text, row])).values()];
}

function fieldRows(definition: Definition, { typed }: Spot): Row[] {
  const apiVersion = `${definition.group}/${definition.described[0] ?? definition.versions[0] ?? ''}`;
  const root = rootSchema(definition, apiVersion);
  return root ? fieldPaths(root, typed).map(({ text, node }) => ({ text, detail: typeLabel(node) })) : [];
}

/** What may be said about a custom resource, beside its warnings. */
function codeRows(): Row[] {
  const codes = Object.entries(ruleTitles).filter(([code]) => /^(?:cr|metadata|embedded)\//.test(code));
  return codes.map(([text, detail]) => ({ text, detail }));
}

/** The mark as a key; where it has its colon already, the key itself. */
function keyOf(cursor: Cursor, put: (form: Form) => Marked | undefined): Marked | undefined {
  return put('key') ?? (cursor.target.at === 'key' ? { cursor, flow: true } : undefined);
}

/** Keys that are paths: those of patches and of a table's rows. */
function keysOf({ cursor, flow }: Marked, spot: Spot): Offer {
  const { path } = cursor.target;
  const root = schemaOf(cursor);
  if (!root || cursor.definitions.length === 0) return nothing;
  const isRow = path[0] === 'cases' && path[2] === 'each' && path.length === 5;
  const isPatch = path[0] === 'cases' && path.at(-2) === 'with' && (path.length === 5 || path.length === 6);
  if (!isRow && !isPatch) return nothing;
  const paths = fieldPaths(root, spot.typed).map((one, i) => toKey(one, i, spot, flow));
  return { items: isRow ? [...paths, ...errorKeys(spot)] : paths, isAll: true };
}

function toKey(
  { text, node, parent }: PathOfField,
  i: number,
  { range, lead, hasColon }: Spot,
  flow: boolean,
): Completion {
  const field: Field = { name: text, node, parent, required: false, order: `1${String(i).padStart(4, '0')}` };
  return keyCompletion(field, range, hasColon ? text : lead + keySnippet(field, '', flow), !hasColon);
}

const rowKeys: readonly Row[] = [
  { text: 'error', detail: 'a part of the message that comes' },
  { text: 'errors', detail: 'the errors that come' },
];

function errorKeys({ range, hasColon }: Spot): Completion[] {
  return rowKeys.map(({ text, detail = '' }, i) => {
    return {
      label: text,
      kind: 'field',
      detail,
      range,
      text: hasColon ? text : `${text}: `,
      snippet: false,
      order: `0${i}`,
    };
  });
}
