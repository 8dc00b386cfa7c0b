import { onOneLine } from '../../base/text.ts';
import type { Path } from '../../base/value.ts';
import type { KubernetesVersion } from '../../kubernetes/releases/release.ts';
import { type Definition, definitionsIn } from '../../workspace/definitions.ts';
import { splitApiVersion } from '../../workspace/manifest.ts';
import {
  propertyNames,
  requiredNames,
  rootSchema,
  type SchemaNode,
  stepInto,
  textOf,
  typeLabel,
} from '../../workspace/schemaNode.ts';
import { fileAt, type Snapshot } from '../../workspace/snapshot.ts';
import { cursorAt } from '../place/cursor.ts';
import { type Location, placeIn } from '../place/location.ts';
import { shareText } from '../words/costs.ts';
import { constraints } from '../words/explain.ts';
import { inside, itemOf, shareOfRule, type WrittenRule, writtenRules } from './fieldDocs.ts';
import { preferredVersion } from './kindPages.ts';

/** A kind in one of its versions, by the file that defines it. */
export interface KindRef {
  readonly uri: string;
  readonly group: string;
  readonly kind: string;
  readonly version: string;
}

/** The kind that the cursor is about: the one that a CRD defines, or that of a resource. */
export function kindAt(snapshot: Snapshot, uri: string, offset: number): KindRef | undefined {
  const cursor = cursorAt(snapshot, uri, offset);
  const { manifest, path = [] } = cursor ?? {};
  if (!cursor || !manifest) return undefined;
  if (manifest.role !== 'crd') {
    const [definition] = cursor.definitions;
    return definition && kindRef(definition, splitApiVersion(manifest.apiVersion).version);
  }
  const definition = definitionsIn(cursor.file).find((one) => one.manifest === manifest);
  const version = path[1] === 'versions' ? definition?.versions[Number(path[2])] : undefined;
  return definition && kindRef(definition, version);
}

function kindRef(definition: Definition, version = preferredVersion(definition)): KindRef | undefined {
  const { file, group, kind } = definition;
  return version === undefined ? undefined : { uri: file.uri, group, kind, version };
}

/** What stands below a field, or below the object itself. */
export interface SchemaRow {
  readonly what: 'field' | 'rule';
  /** A field's name, or the text of a rule. */
  readonly name: string;
  /** Type and constraints in a few words; of a rule what it says when it is broken. */
  readonly detail: string;
  readonly description: string;
  /** From the object: `spec.users[].name`. */
  readonly path: string;
  /** The names of the fields that lead to it. */
  readonly names: readonly string[];
  readonly hasMore: boolean;
  /** Where its CRD declares it; undefined for what every object has. */
  readonly place: Location | undefined;
}

/** So many rows are shown below one field. */
const mostRows = 1000;
/** So many fields are looked through for a text. */
const mostLooked = 20_000;

/** The rows below the field that some names lead to: all, or those in or below which a text is. */
export function schemaRows(
  snapshot: Snapshot,
  { uri, group, kind, version }: KindRef,
  names: readonly string[],
  { filter = '', kubernetes }: { readonly filter?: string | undefined; readonly kubernetes: KubernetesVersion },
): SchemaRow[] {
  const file = fileAt(snapshot, uri);
  const definition = file && definitionsIn(file).find((one) => one.group === group && one.kind === kind);
  const root = definition && rootSchema(definition, `${group}/${version}`);
  const parent = root && parentAt(root, names);
  if (!parent) return [];
  const look: Look = { wanted: filter.toLowerCase(), left: mostLooked, kubernetes };
  const rows = [...ruleRows(parent, look), ...fieldRows(parent, look)];
  return rows.slice(0, mostRows);
}

interface Look {
  readonly wanted: string;
  /** How many more fields are looked at. */
  left: number;
  readonly kubernetes: KubernetesVersion;
}

/** A field with what leads to it. */
interface Parent {
  readonly node: SchemaNode;
  readonly path: string;
  readonly names: readonly string[];
}

function parentAt(root: SchemaNode, names: readonly string[]): Parent | undefined {
  let at: Parent | undefined = { node: root, path: '', names: [] };
  for (const name of names) at = at && childOf(at, name);
  return at;
}

/** Items of lists and values of maps are not rows of their own. */
function childOf({ node, path, names }: Parent, name: string): Parent | undefined {
  const { node: holder, suffix } = inside(node);
  const child = stepInto(holder, name, names.length === 0);
  const before = path + suffix;
  return child && { node: child, path: before === '' ? name : `${before}.${name}`, names: [...names, name] };
}

/** What every object has says nothing about a kind. */
const common = new Set(['apiVersion', 'kind', 'metadata']);

function childrenOf(parent: Parent): Parent[] {
  const isRoot = parent.names.length === 0;
  return propertyNames(inside(parent.node).node, isRoot)
    .filter((name) => !isRoot || !common.has(name))
    .flatMap((name) => childOf(parent, name) ?? []);
}

function fieldRows(parent: Parent, look: Look): SchemaRow[] {
  const required = requiredNames(inside(parent.node).node);
  return childrenOf(parent).flatMap((child): SchemaRow[] => {
    if (!holds(child, look)) return [];
    const { node, path, names } = child;
    const name = names.at(-1)!;
    const words = [
      typeLabel(node),
      ...(required.has(name) ? ['required'] : []),
      ...constraints(node).map(({ plain }) => plain),
    ];
    return [
      {
        ...{ what: 'field', name, detail: words.join(' · '), path, names, place: placeOf(node) },
        description: textOf(node, 'description').trim(),
        hasMore: childrenOf(child).length > 0 || allRules(node).length > 0,
      },
    ];
  });
}

/** Whether a field, or anything below it, has the text that is looked for. */
function holds(field: Parent, look: Look): boolean {
  if (look.wanted === '' || field.path.toLowerCase().includes(look.wanted)) return true;
  if (look.left-- <= 0) return false;
  return rulesWith(field, look).length > 0 || childrenOf(field).some((child) => holds(child, look));
}

/** The rules of a field, and of the items or values that are not rows of their own. */
function allRules(node: SchemaNode): (WrittenRule & { readonly at: SchemaNode })[] {
  const item = itemOf(node);
  const below = item ? allRules(item.node) : [];
  return [...writtenRules(node).map((rule) => ({ ...rule, at: node })), ...below];
}

function rulesWith(field: Parent, { wanted }: Look): ReturnType<typeof allRules> {
  const isWanted = field.path.toLowerCase().includes(wanted);
  return allRules(field.node).filter(
    ({ rule, message }) => isWanted || `${rule} ${message}`.toLowerCase().includes(wanted),
  );
}

function ruleRows(field: Parent, look: Look): SchemaRow[] {
  return rulesWith(field, look).map(({ rule, message, at, path }) => {
    const share = shareOfRule(at, path, look.kubernetes);
    return {
      ...{ what: 'rule', name: onOneLine(rule).trim(), detail: message, path: field.path, names: field.names },
      description: share === undefined ? '' : `${share < 1 ? 'under 1%' : shareText(share)} of the budget of one rule`,
      hasMore: false,
      place: placeOf(at, path),
    };
  });
}

function placeOf({ path, definition }: SchemaNode, below: Path = []): Location | undefined {
  return path && definition && placeIn(definition, [...path, ...below], below.length > 0 ? 'value' : 'key');
}
