import { multiplyU64, toU64, type U64 } from '../../base/u64.ts';
import { isMap, type Path, type Value, valueAt } from '../../base/value.ts';
import { type Compiled, compile } from '../../cel/compile.ts';
import { type DeclType, maxCardinality } from '../../kubernetes/cel/declType.ts';
import { environmentMinor, type SchemaEnv, schemaEnvironment } from '../../kubernetes/cel/environment.ts';
import { escapeName } from '../../kubernetes/cel/escape.ts';
import { schemaDeclType } from '../../kubernetes/cel/rules.ts';
import { schemaType } from '../../kubernetes/crd/decode.ts';
import { decodeInto } from '../../kubernetes/decode.ts';
import { lowerSchema } from '../../kubernetes/schema/lower.ts';
import type { SchemaProps } from '../../kubernetes/schema/props.ts';
import type { Structural } from '../../kubernetes/schema/structural.ts';
import type { KubernetesVersion } from '../../kubernetes/versions.ts';
import type { Manifest } from '../../workspace/manifest.ts';
import { type ScalarMap, scalarMap } from '../../yaml/scalarMap.ts';

/** A CEL expression of a CRD, with all that is known where it stands. */
export interface RulePlace {
  readonly keyword: 'rule' | 'messageExpression';
  readonly compiled: Compiled;
  readonly schemaEnv: SchemaEnv;
  /** The schema node that the rule guards, and its type. */
  readonly structural: Structural | undefined;
  readonly decl: DeclType | undefined;
  /** How often at most the rule is evaluated in one object. */
  readonly repeats: U64;
  /** The path of that node in the document. */
  readonly node: Path;
  /** Between the document's text and the decoded expression. */
  readonly map: ScalarMap;
  readonly kubernetes: KubernetesVersion;
}

const validations = 'x-kubernetes-validations';

/** The expression at a path of a manifest's document. */
export function rulePlace(manifest: Manifest, path: Path, kubernetes: KubernetesVersion): RulePlace | undefined {
  const [list, , keyword] = path.slice(-3);
  if (list !== validations || (keyword !== 'rule' && keyword !== 'messageExpression')) return undefined;
  const map = scalarMap(manifest.document, path);
  if (!map) return undefined;
  const node = path.slice(0, -3);
  const found = typedNode(manifest, node.slice(manifest.at.length), kubernetes);
  const optional = flagBeside(manifest, path);
  const schemaEnv = schemaEnvironment(kubernetes, environmentMinor(kubernetes, false), found?.decl, optional);
  const compiled = compile(map.value, schemaEnv.env);
  const { structural, decl, repeats = decl ? Number(maxCardinality(decl)) : 1 } = found ?? {};
  return { keyword, compiled, schemaEnv, structural, decl, repeats, node, map, kubernetes };
}

function flagBeside(manifest: Manifest, path: Path): boolean {
  const rule = valueAt(manifest.value, path.slice(manifest.at.length, -1));
  return isMap(rule) && rule.get('optionalOldSelf') === true;
}

interface TypedNode {
  readonly structural: Structural;
  readonly decl: DeclType | undefined;
  /** The product of the limits of the lists and maps around; undefined where one of them has none. */
  readonly repeats: U64 | undefined;
}

/** The node of a version's schema, typed from the schema's root as the API server does. */
function typedNode(manifest: Manifest, node: Path, kubernetes: KubernetesVersion): TypedNode | undefined {
  const at = node.indexOf('openAPIV3Schema');
  const root = rootOf(manifest.value, node.slice(0, at + 1), kubernetes);
  return root && descend(root, node.slice(at + 1));
}

const roots = new WeakMap<object, Map<string, TypedNode | undefined>>();

function rootOf(crd: Value & object, path: Path, kubernetes: KubernetesVersion): TypedNode | undefined {
  const known = roots.get(crd) ?? new Map<string, TypedNode | undefined>();
  roots.set(crd, known);
  const key = `${kubernetes.name} ${path.join('/')}`;
  if (!known.has(key)) known.set(key, typedRoot(crd, path, kubernetes));
  return known.get(key);
}

/** A schema with mistakes is typed as far as it can be decoded. */
function typedRoot(crd: Value & object, path: Path, kubernetes: KubernetesVersion): TypedNode | undefined {
  const written = valueAt(crd, path);
  if (!isMap(written)) return undefined;
  const schema: SchemaProps = {};
  decodeInto(schemaType, schema, written, kubernetes);
  const lowered = lowerSchema(schema);
  if ('error' in lowered) return undefined;
  return { structural: lowered.structural, decl: schemaDeclType(lowered.structural, true, kubernetes), repeats: 1 };
}

function descend(root: TypedNode, path: Path): TypedNode | undefined {
  let at: TypedNode | undefined = root;
  for (let i = 0; i < path.length && at; i++) {
    const step = path[i];
    if (step === 'properties') at = property(at, String(path[++i]));
    else if (step === 'items') at = element(at, at.structural.items);
    else if (step === 'additionalProperties') at = element(at, at.structural.additionalProperties?.schema);
    else return undefined;
  }
  return at;
}

function property({ structural, decl, repeats }: TypedNode, name: string): TypedNode | undefined {
  const found = structural.properties?.get(name);
  const escaped = escapeName(name);
  return found && { structural: found, decl: escaped === undefined ? undefined : decl?.fields?.get(escaped), repeats };
}

/** The items of a list or the values of a map. */
function element({ structural, decl, repeats }: TypedNode, schema: Structural | undefined): TypedNode | undefined {
  const { maxItems, maxProperties } = structural.validation ?? {};
  const most = structural.type === 'array' ? maxItems : maxProperties;
  const limit = most === undefined ? undefined : toU64(most < 0n ? 0n : most);
  const within = repeats === undefined || limit === undefined ? undefined : multiplyU64(repeats, limit);
  return schema && { structural: schema, decl: decl?.element, repeats: within };
}

export interface ObjectNode extends TypedNode {
  /** From the node that the rule guards, in the schema. */
  readonly path: Path;
}

/** The schema node and type of every object type that can be met from a node, by the type's name. */
export function objectsBelow(structural: Structural, decl: DeclType): ReadonlyMap<string, ObjectNode> {
  const found = new Map<string, ObjectNode>();
  collect({ structural, decl, repeats: 1, path: [] }, found);
  return found;
}

function collect(node: ObjectNode, into: Map<string, ObjectNode>): void {
  const { structural, decl, path } = node;
  if (!decl) return;
  if (decl.fields) into.set(decl.type.name, node);
  const below = (child: TypedNode | undefined, steps: Path) =>
    child && collect({ ...child, path: [...path, ...steps] }, into);
  for (const name of structural.properties?.keys() ?? []) below(property(node, name), ['properties', name]);
  below(element(node, structural.items), ['items']);
  below(element(node, structural.additionalProperties?.schema), ['additionalProperties']);
}
