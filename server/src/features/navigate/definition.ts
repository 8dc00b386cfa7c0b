import { movedRange } from '../../base/text.ts';
import { type DocumentPath, isList, isMap, isString, type ManifestPath, valueAt } from '../../base/value.ts';
import type { Expr } from '../../cel/ast.ts';
import { unwrapOptional } from '../../cel/types.ts';
import { unescapeName } from '../../kubernetes/cel/escape.ts';
import { locate } from '../../rules/judging/locate.ts';
import { type PathStep, pathSteps } from '../../rules/lints/jsonPath.ts';
import type { BuiltinAt } from '../../workspace/builtin.ts';
import type { Definition } from '../../workspace/definitions.ts';
import { isTestFile } from '../../workspace/fileNames.ts';
import { inDocument } from '../../workspace/manifest.ts';
import { typedValues } from '../../workspace/policyPlace.ts';
import { policyTypesFor } from '../../workspace/policyTypes.ts';
import { objectNamed, objectsBelow, type RulePlace } from '../../workspace/rulePlace.ts';
import { rootSchema, type SchemaNode, schemaAt } from '../../workspace/schemaNode.ts';
import { kubernetesFor, type Snapshot } from '../../workspace/snapshot.ts';
import { type Cursor, cursorAt } from '../place/cursor.ts';
import { type ExpressionAt, expressionAt } from '../place/expressionAt.ts';
import { type Location, placeIn } from '../place/location.ts';
import { nodeAt, nodesOf } from '../place/nodesAt.ts';
import { outlineUri, placeInOutline } from './builtinOutline.ts';
import { definitionInTests } from './definitionInTests.ts';
import { fieldAt } from './fieldsOf.ts';

/** Where the thing under the cursor is defined. */
export function definitionAt(snapshot: Snapshot, uri: string, offset: number): Location[] {
  const cursor = cursorAt(snapshot, uri, offset);
  const expression = cursor && expressionAt(snapshot, cursor);
  if (cursor && expression) {
    if (expression.place.written !== undefined) return inExpression(cursor, expression);
    return [...inPolicy(cursor, expression), ...inKinds(snapshot, cursor, expression)];
  }
  if (!cursor || (cursor.target.at !== 'key' && cursor.target.at !== 'value')) return [];
  if (!cursor.manifest) return isTestFile(uri) ? definitionInTests(snapshot, cursor) : [];
  if (cursor.manifest.role === 'crd') return inJsonPath(cursor);
  if (cursor.builtin) return [inOutline(cursor, cursor.builtin, kubernetesFor(snapshot, uri).name)];
  return cursor.definitions.flatMap((definition) => inCrd(definition, cursor.manifest!.apiVersion, cursor.path));
}

function inOutline({ path }: Cursor, { kinds, kind }: BuiltinAt, release: string): Location {
  return { uri: outlineUri(kind, release), range: placeInOutline(kinds, kind, release, path) };
}

function inCrd(definition: Definition, apiVersion: string, path: ManifestPath): Location[] {
  if (path.length === 1 && (path[0] === 'kind' || path[0] === 'apiVersion')) {
    return [placeIn(definition, ['spec', 'names', 'kind'], 'value')];
  }
  const root = rootSchema(definition, apiVersion);
  const node = root && schemaAt(root, path);
  return node?.path ? [placeIn(definition, node.path, 'key')] : [];
}

/** Paths of printer columns, selectable fields, rules and the scale subresource lead into the schema of their version. */
function inJsonPath(cursor: Cursor): Location[] {
  const { manifest, placed, file } = cursor;
  const path = namedByPath(cursor);
  if (!manifest || !path) return [];
  const { start, end } = locate(placed.document, inDocument(manifest, path), 'key');
  return [{ uri: file.uri, range: movedRange({ start, end }, placed.start) }];
}

/** The schema of the property that the step under the cursor names, in a path of a CRD. */
export function namedByPath({ manifest, path, target, offset }: Cursor): ManifestPath | undefined {
  const text = manifest && valueAt(manifest.value, path);
  const [spec, versions, index] = path;
  if (!manifest || !isString(text) || spec !== 'spec' || versions !== 'versions' || index === undefined)
    return undefined;
  if (target.at !== 'value' || !String(path.at(-1)).endsWith('Path')) return undefined;
  // The path of a rule starts at the node that the rule is on.
  const schemaPath =
    path.at(-1) === 'fieldPath' ? path.slice(0, -3) : ['spec', 'versions', index, 'schema', 'openAPIV3Schema'];
  const schema = valueAt(manifest.value, schemaPath);
  if (!isMap(schema)) return undefined;
  const steps = stepsUntil(pathSteps(text) ?? [], offset - target.range.start);
  const root: SchemaNode = {
    schema,
    path: schemaPath,
    definition: undefined,
    ...(schemaPath.length > 5 ? { isWhole: true } : {}),
  };
  const node = schemaAt(
    root,
    steps.map((step) => (step === 'items' ? 0 : step.field)),
  );
  return node?.path && node.path.length > schemaPath.length ? node.path : undefined;
}

/** The steps of a path as far as the one at an offset. */
function stepsUntil(steps: readonly PathStep[], offset: number): readonly PathStep[] {
  const next = steps.findIndex((step) => step !== 'items' && step.start >= offset);
  const until = next === -1 ? steps : steps.slice(0, next);
  const last = until.findLastIndex((step) => step !== 'items');
  const step = until[last];
  return step && step !== 'items' && offset <= step.end ? until.slice(0, last + 1) : until;
}

function inExpression(cursor: Cursor, expression: ExpressionAt): Location[] {
  const { expr } = expression.place.compiled;
  const read = fieldAt(expr, expression.offset);
  if (read) return fieldOf(cursor, expression, read.operand, read.field);
  const node = nodeAt(expr, expression.offset);
  if (node?.kind === 'ident') return variableOf(cursor, expression, node);
  return [];
}

/** The schema node of a field that a rule reads. */
function fieldOf(cursor: Cursor, { place }: ExpressionAt, operand: Expr, field: string): Location[] {
  const path = fieldPath(place, operand, field);
  if (!path) return [];
  return inSameFile(cursor, path, 'key');
}

/** A place in the document that the cursor is in. */
function inSameFile({ file, placed }: Cursor, path: DocumentPath, at: 'key' | 'value'): Location[] {
  const { start, end } = locate(placed.document, path, at);
  return [{ uri: file.uri, range: movedRange({ start, end }, placed.start) }];
}

/** Where a policy declares the variable under the cursor. */
function inPolicy(cursor: Cursor, { place, offset }: ExpressionAt): Location[] {
  const node = nodeAt(place.compiled.expr, offset);
  if (node?.kind !== 'select' || node.operand.kind !== 'ident' || node.operand.name !== 'variables') return [];
  const variables = cursor.manifest && valueAt(cursor.manifest.value, ['spec', 'variables']);
  if (!isList(variables)) return [];
  const at = variables.findIndex((one) => isMap(one) && one.get('name') === node.field);
  if (at === -1) return [];
  const path = inDocument(cursor.manifest!, ['spec', 'variables', at, 'name']);
  return inSameFile(cursor, path, 'value');
}

/** Where the CRDs of a policy's kinds have the field under the cursor. */
function inKinds(snapshot: Snapshot, { file, manifest, path }: Cursor, { place, offset }: ExpressionAt): Location[] {
  const read = fieldAt(place.compiled.expr, offset);
  const types = read && manifest && policyTypesFor(snapshot, file.uri, manifest, path);
  if (!read || !types) return [];
  const { object, params } = typedValues(types, place.kubernetes);
  const receiver = unwrapOptional(read.operand.type).name;
  const below = (root: string) => (`${receiver}.`.startsWith(`${root}.`) ? receiver.slice(root.length) : undefined);
  const found = [
    ...types.objects.map((kind) => ({ kind, steps: object && below(object.name) })),
    ...(types.params ? [{ kind: types.params, steps: params && below(params.name) }] : []),
  ];
  return found.flatMap(({ kind, steps }) => {
    const { definition, structural, decl, path } = kind;
    const isThere = steps !== undefined && decl !== undefined;
    const around = isThere ? objectNamed(structural, decl, kind.kind, kind.kind + steps) : undefined;
    const name = unescapeName(read.field) ?? read.field;
    if (!definition || !around?.structural.properties?.has(name)) return [];
    return [placeIn(definition, [...path, ...around.path, 'properties', name], 'key')];
  });
}

/** The path in its document of the schema node of a field that a rule reads. */
export function fieldPath(
  { structural, decl, node }: RulePlace,
  operand: Expr,
  field: string,
): DocumentPath | undefined {
  const object = structural && decl && objectsBelow(structural, decl).get(unwrapOptional(operand.type).name);
  return object && [...node, ...object.path, 'properties', unescapeName(field) ?? field];
}

/** Where a macro declares a variable; for `self` the node that the rule guards. */
function variableOf(cursor: Cursor, { place, toFile }: ExpressionAt, ident: Expr & { kind: 'ident' }): Location[] {
  const { uri } = cursor.file;
  if (ident.name === 'self' || ident.name === 'oldSelf') return inSameFile(cursor, place.node, 'key');
  const declared = [...nodesOf(place.compiled.expr)]
    .filter((node) => node.macro && node.kind === 'comprehension' && ident.start >= node.start && ident.end <= node.end)
    .flatMap((node) => node.macro!.args.filter((arg) => arg.kind === 'ident' && arg.name === ident.name))
    .at(-1);
  return declared ? [{ uri, range: toFile({ start: declared.start, end: declared.end }) }] : [];
}
