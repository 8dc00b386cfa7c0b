import { isString, type Value, valueAt } from '../base/value.ts';
import { explainField, explainKind } from '../features/explain.ts';
import type { KubernetesVersion } from '../kubernetes/releases/release.ts';
import { compareVersions } from '../kubernetes/versionPriority.ts';
import type { Definition } from '../workspace/definitions.ts';
import {
  firstSentence,
  propertyNames,
  requiredNames,
  rootSchema,
  type SchemaNode,
  stepInto,
  textOf,
  typeLabel,
} from '../workspace/schemaNode.ts';
import { expandAll } from './inputs.ts';
import { type CrdOptions, openWorkspace } from './workspace.ts';

export interface ExplainOptions extends CrdOptions {
  /** A kind by any of its names, and the path of a field: `widget.spec.size`. */
  readonly what: string;
  /** Where the CRDs are. */
  readonly paths: readonly string[];
  /** The version of the kind; the one that kubectl takes without it. */
  readonly apiVersion: string | undefined;
  readonly version: KubernetesVersion;
}

/** Prints what a kind or one of its fields is, as Markdown; gives the exit code. */
export async function explain({ what, paths, apiVersion, version, ...crds }: ExplainOptions): Promise<number> {
  const workspace = await openWorkspace(await expandAll(paths), crds, { chosen: { kubernetesVersion: version.name } });
  const [name = '', ...steps] = what.split('.');
  const { definition, of } = found([...workspace.snapshot.definitions.values()].flat(), name, apiVersion);
  const root = rootSchema(definition, of);
  if (!root) throw new Error(`${definition.kind} has no schema in ${of}`);
  const { node, parent } = walk(root, steps, what);
  const text =
    steps.length === 0
      ? explainKind(definition, of)
      : explainField(steps.at(-1)!, node, parent, `${definition.kind} · ${of}`);
  process.stdout.write(`${text}\n${fieldsOf(node, steps.length === 0)}`);
  return 0;
}

function found(all: readonly Definition[], name: string, apiVersion: string | undefined) {
  const wanted = name.toLowerCase();
  const definition = all.find((one) => namesOf(one).includes(wanted));
  if (!definition) throw new Error(`no CRD of a kind named ${name} is known`);
  const [first] = [...definition.versions].sort(compareVersions);
  return { definition, of: apiVersion ?? `${definition.group}/${first}` };
}

/** What a kind may be called: kind, plural, singular, short names. */
function namesOf({ kind, manifest }: Definition): string[] {
  const names = ['plural', 'singular', 'shortNames'].flatMap(
    (key): Value | readonly Value[] => valueAt(manifest.value, ['spec', 'names', key]) ?? [],
  );
  return [kind, ...names].map((name) => (isString(name) ? name.toLowerCase() : ''));
}

interface Walked {
  readonly node: SchemaNode;
  readonly parent: SchemaNode | undefined;
}

/** Lists and maps are passed through: a path names fields alone, as for kubectl. */
function walk(root: SchemaNode, steps: readonly string[], what: string): Walked {
  let at: Walked = { node: root, parent: undefined };
  for (const [i, step] of steps.entries()) {
    const parent = inside(at.node);
    const node = propertyNames(parent, i === 0).includes(step) ? stepInto(parent, step, i === 0) : undefined;
    if (!node)
      throw new Error(`${what}: there is no field ${step}; there are ${propertyNames(parent, i === 0).join(', ')}`);
    at = { node, parent };
  }
  return at;
}

/** What the items of a list, or the values of a map, are. */
function inside(node: SchemaNode): SchemaNode {
  const below = node.schema.has('items') ? stepInto(node, 0, false) : undefined;
  return below ? inside(below) : node;
}

function fieldsOf(node: SchemaNode, isRoot: boolean): string {
  const parent = inside(node);
  const required = requiredNames(parent);
  const rows = propertyNames(parent, isRoot).map((name) => {
    const field = stepInto(parent, name, isRoot);
    const about = field ? firstSentence(textOf(field, 'description')) : '';
    return `- ${name} \`${field ? typeLabel(field) : 'any'}\`${required.has(name) ? ' (required)' : ''}${about ? `: ${about}` : ''}\n`;
  });
  return rows.length === 0 ? '' : `\nFields:\n\n${rows.join('')}`;
}
