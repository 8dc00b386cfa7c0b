import { isMap, type Path, type Value, valueAt } from '../../base/value.ts';
import { type Compiled, compile } from '../../cel/compile.ts';
import type { DeclType } from '../../kubernetes/cel/declType.ts';
import { environmentMinor, type SchemaEnv, schemaEnvironment } from '../../kubernetes/cel/environment.ts';
import { escapeName } from '../../kubernetes/cel/escape.ts';
import { schemaDeclType } from '../../kubernetes/cel/rules.ts';
import { readCrd } from '../../kubernetes/crd/read.ts';
import { lowerSchema } from '../../kubernetes/schema/lower.ts';
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
  return { keyword, compiled, schemaEnv, structural: found?.structural, decl: found?.decl, node, map, kubernetes };
}

function flagBeside(manifest: Manifest, path: Path): boolean {
  const rule = valueAt(manifest.value, path.slice(manifest.at.length, -1));
  return isMap(rule) && rule.get('optionalOldSelf') === true;
}

interface TypedNode {
  readonly structural: Structural;
  readonly decl: DeclType | undefined;
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

function typedRoot(crd: Value & object, path: Path, kubernetes: KubernetesVersion): TypedNode | undefined {
  const read = readCrd(crd, kubernetes);
  const version = path[2];
  if ('error' in read || typeof version !== 'number') return undefined;
  const schema = read.crd.spec.versions?.[version]?.schema?.openAPIV3Schema;
  const lowered = schema && lowerSchema(schema);
  if (!lowered || 'error' in lowered) return undefined;
  return { structural: lowered.structural, decl: schemaDeclType(lowered.structural, true, kubernetes) };
}

function descend(root: TypedNode, path: Path): TypedNode | undefined {
  let at: TypedNode | undefined = root;
  for (let i = 0; i < path.length && at; i++) {
    const step = path[i];
    if (step === 'properties') at = property(at, path[++i]);
    else if (step === 'items') at = at.structural.items && { structural: at.structural.items, decl: at.decl?.element };
    else if (step === 'additionalProperties') {
      const values: Structural | undefined = at.structural.additionalProperties?.schema;
      at = values && { structural: values, decl: at.decl?.element };
    } else return undefined;
  }
  return at;
}

function property({ structural, decl }: TypedNode, name: string | number | undefined): TypedNode | undefined {
  const found = structural.properties?.get(String(name));
  const escaped = escapeName(String(name));
  return found && { structural: found, decl: escaped === undefined ? undefined : decl?.fields?.get(escaped) };
}

/** The schema node and type of every object type that can be met from a node, by the type's name. */
export function objectsBelow(structural: Structural, decl: DeclType): ReadonlyMap<string, TypedNode> {
  const found = new Map<string, TypedNode>();
  collect({ structural, decl }, found);
  return found;
}

function collect({ structural, decl }: TypedNode, into: Map<string, TypedNode>): void {
  if (!decl) return;
  if (decl.fields) into.set(decl.type.name, { structural, decl });
  for (const name of structural.properties?.keys() ?? []) {
    const child = property({ structural, decl }, name);
    if (child) collect(child, into);
  }
  const element = structural.items ?? structural.additionalProperties?.schema;
  if (element) collect({ structural: element, decl: decl.element }, into);
}
