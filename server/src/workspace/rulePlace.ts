import { memo } from '../base/memo.ts';
import { multiplyU64, toU64, type U64 } from '../base/u64.ts';
import type { DocumentPath } from '../base/value.ts';
import { isMap, type Path, type Value, type ValueMap, valueAt } from '../base/value.ts';
import { type Compiled, compile } from '../cel/compile.ts';
import { maxCodePoints } from '../cel/limits.ts';
import { runeCount } from '../gostd/bytes.ts';
import { type SchemaProps, schemaStruct } from '../kubernetes/api/schema.ts';
import { type DeclType, maxCardinality } from '../kubernetes/cel/declType.ts';
import { type SchemaEnv, schemaEnvironment } from '../kubernetes/cel/environment.ts';
import { escapeName, unescapeName } from '../kubernetes/cel/escape.ts';
import { schemaDeclType } from '../kubernetes/cel/rules.ts';
import { decodeInto } from '../kubernetes/decode.ts';
import { environmentName } from '../kubernetes/releases/environments.ts';
import type { KubernetesVersion } from '../kubernetes/releases/release.ts';
import { lowerSchema } from '../kubernetes/schema/lower.ts';
import type { Structural } from '../kubernetes/schema/structural.ts';
import { type ScalarMap, scalarMap } from '../yaml/scalarMap.ts';
import type { Manifest } from './manifest.ts';

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
  /** The path of that node in the document, and the schema as it is written there. */
  readonly node: DocumentPath;
  readonly written: Value | undefined;
  /** Between the document's text and the decoded expression. */
  readonly map: ScalarMap;
  readonly kubernetes: KubernetesVersion;
  /** Whether the API server estimates what it costs before it takes it. */
  readonly isEstimated: boolean;
  /** The variables that it may read, each with what it stands for. */
  readonly variables: ReadonlyMap<string, string>;
}

const ruleVariables: ReadonlyMap<string, string> = new Map([
  ['self', 'The value that the rule applies to, as it would be stored.'],
  ['oldSelf', 'The value before the update. A rule that uses it runs only on updates.'],
]);

const validations = 'x-kubernetes-validations';

/** The expression at a path of a manifest's document. */
export function rulePlace(
  manifest: Manifest,
  path: DocumentPath,
  kubernetes: KubernetesVersion,
): RulePlace | undefined {
  const [list, , keyword] = path.slice(-3);
  if (list !== validations || (keyword !== 'rule' && keyword !== 'messageExpression')) return undefined;
  const map = scalarMap(manifest.document, path);
  // A longer one is none, and editing is not helped with it.
  if (!map || runeCount(map.value) > maxCodePoints) return undefined;
  const node = path.slice(0, -3);
  const found = typedNode(manifest, node.slice(manifest.at.length), kubernetes);
  const optional = flagBeside(manifest, path);
  const schemaEnv = schemaEnvironment(kubernetes, environmentName(kubernetes, false), found?.decl, optional);
  const compiled = compile(map.value, schemaEnv.env);
  const written = valueAt(manifest.value, node.slice(manifest.at.length));
  const { structural, decl, repeats = decl ? Number(maxCardinality(decl)) : 1 } = found ?? {};
  const about = { map, kubernetes, isEstimated: true, variables: ruleVariables };
  return { keyword, compiled, schemaEnv, structural, decl, repeats, node, written, ...about };
}

/** An expression that is in no document, as a rule of a schema. */
export function looseRule(
  text: string,
  structural: Structural,
  isRoot: boolean,
  kubernetes: KubernetesVersion,
): RulePlace {
  const decl = schemaDeclType(structural, isRoot, kubernetes);
  const schemaEnv = schemaEnvironment(kubernetes, environmentName(kubernetes, false), decl, false);
  const map: ScalarMap = { value: text, toText: (at) => at, toTextEnd: (at) => at + 1, toValue: (at) => at };
  const compiled = compile(text, schemaEnv.env);
  return {
    keyword: 'rule',
    compiled,
    schemaEnv,
    structural,
    decl,
    repeats: 1,
    node: [],
    written: undefined,
    map,
    kubernetes,
    isEstimated: true,
    variables: ruleVariables,
  };
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

/** The node of a version's schema with its type. */
function typedNode(manifest: Manifest, node: Path, kubernetes: KubernetesVersion): TypedNode | undefined {
  const at = node.indexOf('openAPIV3Schema') + 1;
  const below = node.slice(at);
  // The names of root and embedded objects have types that only what is around them tells.
  if (below.length === 0 || below.includes('metadata')) {
    const root = typed(valueAt(manifest.value, node.slice(0, at)), true, kubernetes);
    return root && descend(root, below);
  }
  if (!isVisible(below)) return undefined;
  const own = typed(valueAt(manifest.value, node), false, kubernetes);
  return own && { ...own, repeats: repeatsAt(manifest.value, node, at) };
}

/** Whether a way into a schema leads to values, and not into junctors. */
function isVisible(steps: Path): boolean {
  for (let i = 0; i < steps.length; i++) {
    if (steps[i] === 'properties') i++;
    else if (steps[i] !== 'items' && steps[i] !== 'additionalProperties') return false;
  }
  return true;
}

/** Types a schema as it is written. What did not change keeps its type, wherever else the CRD did. */
function typed(written: Value | undefined, isRoot: boolean, kubernetes: KubernetesVersion): TypedNode | undefined {
  return isMap(written) ? typedOnce(written, isRoot, kubernetes) : undefined;
}

const typedOnce = memo(typeSchema);

/** A schema with mistakes is lowered as far as it can be decoded. */
export function lowered(written: ValueMap, kubernetes: KubernetesVersion): Structural | undefined {
  const schema: SchemaProps = {};
  decodeInto(schemaStruct.decoding, schema, written, kubernetes);
  const made = lowerSchema(schema);
  return 'error' in made ? undefined : made.structural;
}

function typeSchema(written: ValueMap, isRoot: boolean, kubernetes: KubernetesVersion): TypedNode | undefined {
  const structural = lowered(written, kubernetes);
  if (!structural) return undefined;
  const isResource = isRoot || structural.extensions.embeddedResource;
  return { structural, decl: schemaDeclType(structural, isResource, kubernetes), repeats: 1 };
}

/** The product of the limits of the lists and maps around a node; undefined where one of them has none. */
function repeatsAt(crd: Value, node: Path, from: number): U64 | undefined {
  let repeats: U64 | undefined = 1;
  for (let i = from; i < node.length && repeats !== undefined; i++) {
    if (node[i] === 'properties') i++;
    else {
      const limit = valueAt(crd, [...node.slice(0, i), node[i] === 'items' ? 'maxItems' : 'maxProperties']);
      repeats = typeof limit === 'bigint' ? multiplyU64(repeats, toU64(limit < 0n ? 0n : limit)) : undefined;
    }
  }
  return repeats;
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

/** The same of the object type of one name, which says by what steps it is met. `root` is the name of the whole. */
export function objectNamed(
  structural: Structural,
  decl: DeclType,
  root: string,
  name: string,
): ObjectNode | undefined {
  if (!`${name}.`.startsWith(`${root}.`)) return undefined;
  let at: ObjectNode | undefined = { structural, decl, repeats: 1, path: [] };
  for (const step of name.split('.').slice(root.split('.').length)) {
    const [below, steps] = inside(at, step);
    at = below && { ...below, path: [...at.path, ...steps] };
    if (!at) return undefined;
  }
  return at.decl?.fields && at;
}

function inside(node: TypedNode, step: string): readonly [TypedNode | undefined, Path] {
  if (step === '@idx') return [element(node, node.structural.items), ['items']];
  if (step === '@elem') return [element(node, node.structural.additionalProperties?.schema), ['additionalProperties']];
  const key = unescapeName(step) ?? step;
  return [property(node, key), ['properties', key]];
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
