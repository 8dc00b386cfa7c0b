import { isString, type Value, valueAt } from '../../base/value.ts';
import { pluralOf } from '../../features/complete/schemaNames.ts';
import { type FieldDoc, fieldDoc, inside, kindPage, ruleText } from '../../features/views/fieldDocs.ts';
import { preferredVersion } from '../../features/views/kindPages.ts';
import { explainField, explainKind } from '../../features/words/explain.ts';
import { explainBuiltinKind } from '../../features/words/explainBuiltin.ts';
import { type Markdown, plainText } from '../../features/words/markdown.ts';
import { builtinKindsOf } from '../../kubernetes/builtin/kinds.ts';
import type { KubernetesVersion } from '../../kubernetes/releases/release.ts';
import { compareVersions } from '../../kubernetes/versionPriority.ts';
import { rootOfBuiltin } from '../../workspace/builtin.ts';
import type { Definition } from '../../workspace/definitions.ts';
import { splitApiVersion } from '../../workspace/manifest.ts';
import {
  firstSentence,
  propertyNames,
  requiredNames,
  rootSchema,
  type SchemaNode,
  stepInto,
} from '../../workspace/schemaNode.ts';
import { type PageFormat, pageFormats, rulePageText } from '../rulePages.ts';
import { command } from '../table/command.ts';
import { flag, text } from '../table/option.ts';
import { crdOptions, format, kubernetes, oneVersion, pathsOr } from '../table/shared.ts';
import { emit, json, linesText } from '../terminal.ts';
import { builtinFile, type CrdOptions, definitionsAt } from '../workspace.ts';

interface ExplainOptions extends CrdOptions {
  /** A kind by any of its names, and the path of a field: `widget.spec.size`. */
  readonly what: string;
  /** Where the CRDs are. */
  readonly paths: readonly string[];
  /** The version of the kind; the one that kubectl takes without it. */
  readonly apiVersion: string | undefined;
  readonly version: KubernetesVersion;
  readonly format: PageFormat;
  /** The fields of fields too. */
  readonly recursive: boolean;
}

/** What is explained: a field of a kind, or the kind. */
interface Explained extends Kind {
  readonly walked: Walked;
  readonly doc: FieldDoc;
}

/** A kind in one of its versions. */
interface Kind {
  readonly kind: string;
  /** Group and version. */
  readonly of: string;
  readonly root: SchemaNode | undefined;
  readonly head: () => Markdown;
}

/** Prints what a kind or one of its fields is; gives the exit code. */
async function explain(options: ExplainOptions): Promise<number> {
  const { what, paths, apiVersion, version, format, recursive, ...crds } = options;
  if (what.includes('/')) {
    emit(rulePageText(what, format));
    return 0;
  }
  const [name = '', ...steps] = what.split('.');
  const builtin = await builtinKind(name.toLowerCase(), apiVersion, version);
  const known = await definitionsAt(paths, crds, version, { mayBeEmpty: builtin !== undefined });
  const kind = definedKind(known.flat(), name.toLowerCase(), apiVersion) ?? builtin;
  if (!kind) throw new Error(`no CRD of a kind named ${name} is known, and Kubernetes has none built in`);
  const { root, of } = kind;
  if (!root) throw new Error(`${kind.kind} has no schema in ${of}`);
  const walked = walk(root, steps, what);
  const where = { name: steps.at(-1) ?? '', path: walked.path, required: walked.required };
  const doc = fieldDoc(walked.node, where, { deep: recursive, kubernetes: version });
  emit(writers[format]({ ...kind, walked, doc }));
  return 0;
}

function definedKind(all: readonly Definition[], name: string, apiVersion: string | undefined): Kind | undefined {
  const definition = all.find((one) => namesOf(one).includes(name));
  if (!definition) return undefined;
  const of = apiVersion ?? `${definition.group}/${preferredVersion(definition)}`;
  return { kind: definition.kind, of, root: rootSchema(definition, of), head: () => explainKind(definition, of) };
}

/** Short names of built-in kinds, as kubectl takes them. */
const shortNames: ReadonlyMap<string, string> = new Map([
  ...([
    ['cm', 'configmap'],
    ['cj', 'cronjob'],
    ['csr', 'certificatesigningrequest'],
    ['deploy', 'deployment'],
  ] as const),
  ...([
    ['ds', 'daemonset'],
    ['ep', 'endpoints'],
    ['ev', 'event'],
    ['hpa', 'horizontalpodautoscaler'],
  ] as const),
  ...([
    ['ing', 'ingress'],
    ['limits', 'limitrange'],
    ['netpol', 'networkpolicy'],
    ['no', 'node'],
  ] as const),
  ...([
    ['ns', 'namespace'],
    ['pc', 'priorityclass'],
    ['pdb', 'poddisruptionbudget'],
    ['po', 'pod'],
  ] as const),
  ...([
    ['pv', 'persistentvolume'],
    ['pvc', 'persistentvolumeclaim'],
    ['quota', 'resourcequota'],
  ] as const),
  ...([
    ['rc', 'replicationcontroller'],
    ['rs', 'replicaset'],
    ['sa', 'serviceaccount'],
    ['sc', 'storageclass'],
  ] as const),
  ...([
    ['sts', 'statefulset'],
    ['svc', 'service'],
  ] as const),
]);

/** A kind that Kubernetes has built in; of several versions the one that kubectl would take. */
async function builtinKind(
  name: string,
  apiVersion: string | undefined,
  version: KubernetesVersion,
): Promise<Kind | undefined> {
  const kinds = builtinKindsOf(await builtinFile(), version);
  const wanted = shortNames.get(name) ?? name;
  const isNamed = (kind: string) => kind === wanted || pluralOf(kind) === wanted;
  const [kind] = [...kinds.kinds.values()]
    .filter((one) => !one.isGone && isNamed(one.kind.toLowerCase()))
    .filter((one) => apiVersion === undefined || one.apiVersion === apiVersion)
    .sort((a, b) => Number(a.group !== '') - Number(b.group !== '') || compareVersions(a.version, b.version));
  if (!kind) return undefined;
  const root = rootOfBuiltin(kinds, kind);
  const head = () => explainBuiltinKind({ kinds, kind, node: root });
  return { kind: kind.kind, of: kind.apiVersion, root, head };
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

const writers: Readonly<Record<PageFormat, (explained: Explained) => string>> = {
  text: textOf,
  json: ({ kind, of, doc }) => `${json({ version: 1, kind, apiVersion: of, ...doc }, 2)}\n`,
  markdown: markdownOf,
};

function markdownOf({ kind, of, head: headOf, walked: { node, parent }, doc }: Explained): string {
  const head = doc.path === '' ? headOf() : explainField(doc.name, node, parent, `${kind} · ${of}`);
  return `${kindPage(head, { ...doc, rules: doc.path === '' ? doc.rules : [] }).source}\n`;
}

function textOf({ kind, of, doc }: Explained): string {
  const { group, version } = splitApiVersion(of);
  const about = [
    ...section('DESCRIPTION', doc.description.split('\n')),
    ...section(
      'CONSTRAINTS',
      doc.constraints.map(({ plain }) => plain),
    ),
  ];
  const rules = section(
    'RULES',
    doc.rules.map((rule) => ruleText(rule).plain),
  );
  const fields = section('FIELDS', fieldLines(doc, ''));
  const head = [`KIND:     ${kind}`, ...(group === '' ? [] : [`GROUP:    ${group}`]), `VERSION:  ${version}`];
  const field = doc.path === '' ? [] : ['', `FIELD: ${labelOf({ ...doc, name: doc.path })}`];
  const lines = [...head, ...field, ...about, ...rules, ...fields];
  return linesText(lines);
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

export const explainCommand = command({
  name: 'explain',
  about: 'explains a kind or a field, as kubectl explain does, with constraints, defaults and rules',
  inShort:
    'explains a kind or a field, as `kubectl explain` does, with constraints, defaults, and rules with their cost; `--recursive` for all levels',
  takes: 'KIND[.FIELD]... [PATH]...',
  explains: `Explains a kind or a field of the CRDs found at the paths, the folder it runs in by default, or of the kinds that \
Kubernetes has built in; - is standard input. A rule is explained by its code, such as cr/enum.`,
  options: {
    recursive: flag('the fields of fields too'),
    format: format(pageFormats, 'text'),
    apiVersion: text('VERSION', 'group/version; default: the version that kubectl takes'),
    kubernetes,
    ...crdOptions,
  },
  examples: [
    'kube-crd explain widget.spec.size config/crd',
    'kube-crd explain --recursive widget config/crd',
    'kube-crd explain deployment.spec.strategy',
  ],
  run: async (values, [what, ...paths]) => {
    if (what === undefined) throw new Error('explain takes the name of a kind');
    const version = await oneVersion(values.kubernetes, paths[0]);
    return explain({ ...values, what, paths: pathsOr(paths), version });
  },
});
