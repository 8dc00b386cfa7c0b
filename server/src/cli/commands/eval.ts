import { createInterface } from 'node:readline';
import { printable } from '../../base/printable.ts';
import type { Path, Value } from '../../base/value.ts';
import { isMap, valueAt } from '../../base/value.ts';
import { completeRule } from '../../features/complete/completeRule.ts';
import { kindNow } from '../../files/folders.ts';
import { partValues } from '../../kubernetes/cel/partValues.ts';
import { type Trial, tryExpression } from '../../kubernetes/cel/tryExpression.ts';
import { valText } from '../../kubernetes/cel/valText.ts';
import { storedResource } from '../../kubernetes/cr/create.ts';
import { noFields } from '../../kubernetes/cr/form.ts';
import { structuralAt } from '../../kubernetes/cr/schemaAt.ts';
import { type ServedCrd, serveCrd } from '../../kubernetes/cr/served.ts';
import type { KubernetesVersion } from '../../kubernetes/releases/release.ts';
import { definitionsFor } from '../../workspace/definitions.ts';
import { type Manifest, splitApiVersion } from '../../workspace/manifest.ts';
import { looseRule } from '../../workspace/rulePlace.ts';
import type { SourceFile } from '../../workspace/sourceFile.ts';
import { listingAt, sourcesAt } from '../inputs.ts';
import { command } from '../table/command.ts';
import { flag, text } from '../table/option.ts';
import { crdOptions, kubernetes, oneVersion } from '../table/shared.ts';
import { complainOf, print, promptOutput } from '../terminal.ts';
import { type CrdOptions, openWorkspace } from '../workspace.ts';

interface EvaluateOptions extends CrdOptions {
  /** Undefined where expressions are read from standard input, one a line. */
  readonly expression: string | undefined;
  /** Undefined where there is no object: `self` is then empty. */
  readonly resource: string | undefined;
  /** The file of the object before the change. */
  readonly old: string | undefined;
  /** The path of `self` in the object; '' for all of it. */
  readonly at: string;
  readonly version: KubernetesVersion;
  /** Whether the values of the parts are printed. */
  readonly trace: boolean;
}

/** Evaluates an expression as a rule of a resource's CRD, or all that are typed; gives the exit code. */
async function evaluate(options: EvaluateOptions): Promise<number> {
  const trial = await trialOf(options);
  if (options.expression === undefined) return await prompt(options, trial);
  const answered = answer(options.expression, trial, options);
  if ('problem' in answered) throw new Error(answered.problem);
  print(...answered.lines);
  return answered.failed ? 1 : 0;
}

/** Where the expressions of a run are tried. */
async function trialOf(options: EvaluateOptions): Promise<Trial> {
  const { resource, version, at } = options;
  if (resource === undefined) return { schema: noFields, isRoot: false, value: new Map(), old: undefined };
  const listing = await listingAt([resource]);
  const workspace = await openWorkspace(
    listing,
    { ...options, paths: [resource] },
    { chosen: { kubernetesVersion: version.name } },
  );
  const file = await onlySource(resource);
  const snapshot = await workspace.knowing(workspace.snapshot, file);
  const manifest = objectIn(file, resource);
  const definition = definitionsFor(snapshot.definitions, manifest, file.uri)[0];
  if (!definition) throw new Error(`no CRD of ${manifest.kind} (${manifest.apiVersion}) is known; name it with --crds`);
  const crd = serveCrd(definition.manifest.value, version);
  if ('error' in crd) throw new Error(`the CRD cannot be served: ${crd.error}`);
  const path = pathOf(at);
  const schema = schemaOf(crd, manifest, path);
  const value = valueOf(manifest, crd, path, version, resource);
  const old = options.old === undefined ? undefined : await oldValue(options.old, crd, path, version);
  const isRoot = path.length === 0 || schema.extensions.embeddedResource;
  return { schema, isRoot, value, old };
}

/** What is printed for an expression, or why it cannot be evaluated. */
type Answer = { readonly problem: string } | { readonly lines: readonly string[]; readonly failed: boolean };

function answer(expression: string, trial: Trial, { version, trace }: EvaluateOptions): Answer {
  const parts = partValues();
  const tried = tryExpression(expression, trial, version, trace ? parts.watch : undefined);
  if ('problem' in tried) return tried;
  const failed = 'error' in tried.result;
  const result = 'error' in tried.result ? `error: ${tried.result.error}` : valText(tried.result.value);
  const about = [`type: ${tried.type}`, `cost: ${tried.cost} here, at most ${tried.most}`];
  const lines = [result, ...about, ...(trace ? ['', ...parts.lines(tried.expr, expression)] : [])];
  return { lines, failed };
}

/** Answers line by line; on a terminal with a prompt, history and completion. */
async function prompt(options: EvaluateOptions, trial: Trial): Promise<number> {
  const output = promptOutput();
  const isTerminal = output !== undefined;
  const lines = createInterface({
    input: process.stdin,
    terminal: isTerminal,
    ...(output && { output, prompt: 'cel> ', completer: completerOf(trial, options) }),
  });
  lines.on('SIGINT', () => lines.close());
  if (isTerminal) lines.prompt();
  let code = 0;
  for await (const line of lines) {
    if (line.trim() !== '') code = Math.max(code, respond(answer(line, trial, options)));
    if (isTerminal) lines.prompt();
  }
  return isTerminal ? 0 : code;
}

function respond(answered: Answer): number {
  if ('problem' in answered) {
    complainOf(answered.problem);
    return 2;
  }
  print(...answered.lines);
  return answered.failed ? 1 : 0;
}

/** What could follow, as in a rule of a CRD. */
function completerOf({ schema, isRoot }: Trial, { version }: EvaluateOptions) {
  return (line: string): [string[], string] => {
    const found = completeRule(looseRule(line, schema, isRoot, version), line.length);
    const start = found[0]?.range.start ?? line.length;
    const typed = line.slice(start);
    const labels = found
      .map(({ label }) => printable(label.replace(/\(.*/s, '(')))
      .filter((label) => label.startsWith(typed));
    return [[...new Set(labels)], typed];
  };
}

async function onlySource(name: string): Promise<SourceFile> {
  const files: SourceFile[] = [];
  for await (const file of sourcesAt([name], await listingAt([name])))
    if (typeof file === 'string') throw new Error(file);
    else files.push(file);
  const [file, ...more] = files;
  if (!file || more.length > 0) throw new Error('eval takes one file');
  return file;
}

function objectIn({ manifests }: SourceFile, name: string): Manifest {
  const found = manifests.find(({ role }) => role !== 'crd');
  if (!found) throw new Error(`${name} holds no custom resource`);
  return found;
}

/** `spec.ports[0]`, with or without a dot before it. */
function pathOf(text: string): Path {
  const steps = text.match(/[^.[\]]+|\[\d+\]/g) ?? [];
  return steps.map((step) => (step.startsWith('[') ? Number(step.slice(1, -1)) : step));
}

function schemaOf(crd: ServedCrd, { apiVersion }: Manifest, path: Path) {
  const root = crd.versions.get(splitApiVersion(apiVersion).version)?.structural;
  const schema = root && structuralAt(root, path);
  if (!schema) throw new Error(`the CRD has no schema for ${path.join('.') || 'the object'} in ${apiVersion}`);
  return schema;
}

/** As rules see it: pruned, with defaults. */
function valueOf(manifest: Manifest, crd: ServedCrd, path: Path, kubernetes: KubernetesVersion, name: string): Value {
  const stored = storedResource(manifest.value, crd, { kubernetes });
  const value = isMap(stored) ? valueAt(stored, path) : undefined;
  if (value === undefined) throw new Error(`${name} has nothing at ${path.join('.') || 'its root'}`);
  return value;
}

async function oldValue(name: string, crd: ServedCrd, path: Path, version: KubernetesVersion): Promise<Value> {
  const file = await onlySource(name);
  return valueOf(objectIn(file, name), crd, path, version, name);
}

/** Whether a lone argument names a file: one that is there, or that was meant to be. */
function isFile(name = ''): boolean {
  return name === '-' || /\.(ya?ml|json)$/i.test(name) || kindNow(name) !== undefined;
}

export const evalCommand = command({
  name: 'eval',
  about: "evaluates a CEL expression over a resource, as one of its CRD's rules",
  inShort:
    'evaluates a CEL expression over a resource: value, type, cost, and with `--trace` the values of its parts; without an expression it asks for them',
  takes: "['EXPRESSION'] [RESOURCE]",
  explains: `Evaluates a CEL expression over a resource, as a rule of its CRD at the root or at a path: prints type, value and cost.

Without an expression it asks for them, one on each line, with history and completion by Tab on a terminal; without a resource self is empty. - is a resource on standard input.`,
  options: {
    at: text('PATH', 'self is what is there, such as spec or spec.ports; default: the whole object'),
    old: text('RESOURCE', 'oldSelf comes from this file', { completes: 'file' }),
    trace: flag('also print the values of the parts'),
    kubernetes,
    ...crdOptions,
  },
  exits: 'Exit code 0: it was evaluated, 1: evaluation ended in an error, 2: wrong usage, or it does not compile.',
  examples: [
    "kube-crd eval 'self.minReplicas <= self.replicas' --at spec --crds config/crd widget.yaml",
    "kube-crd eval --trace 'self.spec.parts.all(p, p.size > 0)' --crds config/crd widget.yaml",
    'kube-crd eval --crds config/crd widget.yaml',
    "kube-crd eval '[3, 1].min() + 1'",
  ],
  run: async ({ at = '', ...values }, [...given]) => {
    if (given.length > 2) throw new Error('eval takes an expression and one file');
    const resource = given.length === 2 || isFile(given[0]) ? given.pop() : undefined;
    const expression = given.pop();
    return evaluate({ ...values, expression, resource, at, version: await oneVersion(values.kubernetes, resource) });
  },
});
