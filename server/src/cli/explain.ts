import { printable } from '../base/printable.ts';
import { isString, type Value, valueAt } from '../base/value.ts';
import { explainField, explainKind } from '../features/explain.ts';
import { type FieldDoc, fieldDoc, inside, kindPage, ruleText } from '../features/fieldDocs.ts';
import { preferredVersion } from '../features/kindPages.ts';
import { plainText } from '../features/markdown.ts';
import type { KubernetesVersion } from '../kubernetes/releases/release.ts';
import type { Definition } from '../workspace/definitions.ts';
import {
  firstSentence,
  propertyNames,
  requiredNames,
  rootSchema,
  type SchemaNode,
  stepInto,
} from '../workspace/schemaNode.ts';
import { expandAll } from './inputs.ts';

import { type CrdOptions, openWorkspace } from './workspace.ts';

export const explainFormats = ['text', 'json', 'markdown'] as const;
export type ExplainFormat = (typeof explainFormats)[number];

export interface ExplainOptions extends CrdOptions {
  /** A kind by any of its names, and the path of a field: `widget.spec.size`. */
  readonly what: string;
  /** Where the CRDs are. */
  readonly paths: readonly string[];
  /** The version of the kind; the one that kubectl takes without it. */
  readonly apiVersion: string | undefined;
  readonly version: KubernetesVersion;
  readonly format: ExplainFormat;
  /** The fields of fields too. */
  readonly recursive: boolean;
}

/** What is explained: a field of a kind, or the kind. */
interface Explained {
  readonly definition: Definition;
  readonly of: string;
  readonly walked: Walked;
  readonly doc: FieldDoc;
}

/** Prints what a kind or one of its fields is; gives the exit code. */
export async function explain(options: ExplainOptions): Promise<number> {
  const { what, paths, apiVersion, version, format, recursive, ...crds } = options;
  const workspace = await openWorkspace(await expandAll(paths), crds, { chosen: { kubernetesVersion: version.name } });
  const [name = '', ...steps] = what.split('.');
  const { definition, of } = found([...workspace.snapshot.definitions.values()].flat(), name, apiVersion);
  const root = rootSchema(definition, of);
  if (!root) throw new Error(`${definition.kind} has no schema in ${of}`);
  const walked = walk(root, steps, what);
  const where = { name: steps.at(-1) ?? '', path: walked.path, required: walked.required };
  const doc = fieldDoc(walked.node, where, { deep: recursive, kubernetes: version });
  process.stdout.write(writers[format]({ definition, of, walked, doc }));
  return 0;
}

function found(all: readonly Definition[], name: string, apiVersion: string | undefined) {
  const wanted = name.toLowerCase();
  const definition = all.find((one) => namesOf(one).includes(wanted));
  if (!definition) throw new Error(`no CRD of a kind named ${name} is known`);
  return { definition, of: apiVersion ?? `${definition.group}/${preferredVersion(definition)}` };
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
  readonly path: string;
  readonly required: boolean;
}

/** Lists and maps are passed through: a path names fields alone, as for kubectl. */
function walk(root: SchemaNode, steps: readonly string[], what: string): Walked {
  let at: Walked = { node: root, parent: undefined, path: '', required: false };
  for (const [i, step] of steps.entries()) {
    const { node: parent, suffix } = inside(at.node);
    const names = propertyNames(parent, i === 0);
    const node = names.includes(step) ? stepInto(parent, step, i === 0) : undefined;
    if (!node) throw new Error(`${what}: there is no field ${step}; there are ${names.join(', ') || 'none'}`);
    const path = `${at.path}${suffix}${i === 0 ? '' : '.'}${step}`;
    at = { node, parent, path, required: requiredNames(parent).has(step) };
  }
  return at;
}

const writers: Readonly<Record<ExplainFormat, (explained: Explained) => string>> = {
  text: textOf,
  json: ({ definition, of, doc }) =>
    `${JSON.stringify({ version: 1, kind: definition.kind, apiVersion: of, ...doc }, undefined, 2)}\n`,
  markdown: markdownOf,
};

function markdownOf({ definition, of, walked: { node, parent }, doc }: Explained): string {
  const head =
    doc.path === '' ? explainKind(definition, of) : explainField(doc.name, node, parent, `${definition.kind} · ${of}`);
  return `${kindPage(head, { ...doc, rules: doc.path === '' ? doc.rules : [] })}\n`;
}

function textOf({ definition, of, doc }: Explained): string {
  const [group = '', version = ''] = of.split('/');
  const about = [...section('DESCRIPTION', doc.description.split('\n')), ...section('CONSTRAINTS', doc.constraints)];
  const rules = section('RULES', doc.rules.map(ruleText));
  const fields = section('FIELDS', fieldLines(doc, ''));
  const head = [`KIND:     ${definition.kind}`, `GROUP:    ${group}`, `VERSION:  ${version}`];
  const field = doc.path === '' ? [] : ['', `FIELD: ${labelOf({ ...doc, name: doc.path })}`];
  const lines = [...head, ...field, ...about, ...rules, ...fields];
  return lines.map((line) => `${printable(line)}\n`).join('');
}

function section(title: string, lines: readonly string[]): string[] {
  const shown = lines.filter((line) => line.trim() !== '');
  return shown.length === 0
    ? []
    : ['', `${title}:`, ...shown.map((line) => `    ${line.startsWith(' ') ? line : plainText(line)}`)];
}

function labelOf({ name, type, required }: FieldDoc): string {
  return `${name} <${type}>${required ? ' -required-' : ''}`;
}

/** Fields of fields are indented, and alone; otherwise each has its first sentence. */
function fieldLines({ fields }: FieldDoc, indent: string): string[] {
  return fields.flatMap((field) => {
    const about = indent === '' && field.fields.length === 0 ? firstSentence(field.description) : '';
    const label = `${indent}${labelOf(field)}`;
    return [about === '' ? label : `${label}: ${about}`, ...fieldLines(field, `${indent}  `)];
  });
}
