import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';
import { memo } from '../../server/src/base/memo.ts';
import { type Fence, parseMarkdown, type Section, settings } from '../support/markdown.ts';
import { encodeExact } from './protocol.ts';

/** One case: its name within its file, and the request as a line of the oracle's protocol. */
export interface Case {
  readonly name: string;
  readonly op: string;
  readonly request: string;
  readonly line: number;
}

export interface CaseFile {
  /** Its path below `cases/`, without the ending. */
  readonly name: string;
  readonly cases: readonly Case[];
}

export const conformanceFolder = path.resolve('test/conformance');
const casesFolder = path.join(conformanceFolder, 'cases');

export function loadCases(belongs: (name: string) => boolean = () => true): CaseFile[] {
  const files = readdirSync(casesFolder, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.md'));
  return files.sort().flatMap((file) => {
    const name = file.slice(0, -'.md'.length).split(path.sep).join('/');
    if (!belongs(name)) return [];
    return [{ name, cases: distinct(name, readCases(readFileSync(path.join(casesFolder, file), 'utf8'))) }];
  });
}

function distinct(file: string, cases: Case[]): Case[] {
  const seen = new Set<string>();
  for (const { name, line } of cases) {
    if (seen.has(name)) throw new Error(`${file}.md:${line}: a case named "${name}" stands above already`);
    seen.add(name);
  }
  return cases;
}

/** Whether a real API server answers these, and so only for its own version. */
export function overHttp({ name }: CaseFile): boolean {
  return name.startsWith('http/');
}

/** Folders of cases that code of another project answers, the same for every version of Kubernetes, by its oracle. */
const otherOracles: Readonly<Record<string, string>> = {
  rgd: 'kro',
  xrd: 'crossplane',
  golang: 'golang',
  helm: 'made',
  kustomize: 'made',
  flux: 'made',
  argo: 'made',
};

/** The oracle that is no release's and answers these; undefined for Kubernetes' own. */
export function otherOracle({ name }: CaseFile): string | undefined {
  return otherOracles[name.split('/')[0]!];
}

/** The cases of one Markdown file. */
export function readCases(text: string): Case[] {
  const sections = parseMarkdown(text);
  const shared = sections.filter((section) => section.level < 2);
  const fences = shared.flatMap((section) => section.fences);
  const defaults = Object.assign({}, ...shared.map((section) => settings(section.prose)));
  return sections
    .filter((section) => section.level >= 2)
    .flatMap((section) => sectionCases(section, fences, { ...defaults, ...settings(section.prose) }));
}

type Settings = Readonly<Record<string, string>>;
type Roles = ReadonlyMap<string, Fence>;

function sectionCases(section: Section, inherited: readonly Fence[], set: Settings): Case[] {
  const cel = section.fences.filter((fence) => role(fence) === 'cel' || role(fence) === 'cel one');
  const roles = new Map([...inherited, ...section.fences].map((fence) => [role(fence), fence]));
  const at = (error: unknown) => new Error(`line ${section.line}, "${section.title}": ${error}`);
  try {
    if (cel.length > 0) return cel.flatMap((fence) => expressions(section, fence, roles, set));
    const templates = section.fences.filter(({ info }) => info === 'gotmpl');
    if (templates.length > 0) return templates.flatMap((fence) => oneLineCharts(section, fence, roles));
    const { op, ...members } = whole(roles, set);
    return [
      {
        name: section.title,
        op: String(op),
        request: encodeExact({ op, ...members, ...flags(set) }),
        line: section.line,
      },
    ];
  } catch (error) {
    throw at(error);
  }
}

/** A fence's role: `yaml old-crd` and `json old-crd` are both `old-crd`; `cel one` and `cel` speak for themselves. */
function role(fence: Fence): string {
  return fence.info.replace(/^(yaml|json)\s+/, '');
}

function expressions(section: Section, fence: Fence, roles: Roles, set: Settings): Case[] {
  const lines = role(fence) === 'cel one' ? [fence.text.replace(/\n$/, '')] : fence.text.split('\n');
  const context = {
    schema: content(roles, 'self-schema'),
    self: content(roles, 'self'),
    oldSelf: content(roles, 'old-self'),
  };
  return lines.flatMap((expr, i) => {
    if (expr.trim() === '' || (lines.length > 1 && expr.startsWith('//'))) return [];
    const request = encodeExact({ op: 'cel', expr, ...context, ...flags(set) });
    return [{ name: `${section.title} › ${expr}`, op: 'cel', request, line: fence.line + i }];
  });
}

function flags(set: Settings): Record<string, unknown> {
  const flag = (name: string) => (set[name] === 'true' ? true : undefined);
  return {
    format: set.format,
    subresource: set.subresource,
    fieldValidation: set.fieldValidation,
    environment: set.environment,
    stored: flag('stored'),
    notEstablished: flag('notEstablished'),
    apply: flag('apply'),
  };
}

/** Operations that ask about an object and nothing else. */
const objectAlone: ReadonlySet<string | undefined> = new Set([
  ...['builtin', 'builtin.validate', 'policy', 'hosts', 'rgd', 'xrd'],
]);

function whole(roles: Roles, set: Settings): Record<string, unknown> {
  if (set.op === 'helm') return { op: set.op, ...chartQuestion(roles) };
  if (set.op === 'helm.template') return { op: set.op, ...chartQuestion(roles), ...templateOptions(set) };
  if (set.op === 'kustomize') return { op: set.op, ...treeQuestion(roles, set) };
  if (set.op === 'flux.build') return { op: set.op, ...fluxQuestion(roles, set), ...treeQuestion(roles, set) };
  if (set.op === 'argo.build')
    return { op: set.op, application: roles.get('application')?.text, ...treeQuestion(roles, set) };
  if (set.op === 'flux.substitute' || set.op === 'flux.values') return { op: set.op, ...fluxQuestion(roles, set) };
  if (set.op === 'go.crd') {
    // A header is in the file alone.
    const texts = set.options?.includes('headerFile') ? true : undefined;
    return { op: set.op, obj: goFiles(roles), options: set.options, texts };
  }
  const text = roles.get('text');
  if (text) return { op: 'yaml', text: text.info.startsWith('json') ? JSON.parse(text.text) : text.text };
  if (set.op === 'policy.types') {
    const crd = crdOf(roles, set, '');
    return { op: set.op, obj: objectOf(roles, set, 'obj', undefined), crds: crd === undefined ? [] : [crd] };
  }
  if (set.op === 'policy.eval') {
    const beside = ['self', 'oldSelf', 'params', 'namespace'].map((name) => [name, content(roles, name)] as const);
    return { op: set.op, obj: objectOf(roles, set, 'obj', undefined), ...Object.fromEntries(beside) };
  }
  if (set.op === 'hosts.eval')
    return { op: set.op, obj: objectOf(roles, set, 'obj', undefined), self: content(roles, 'self') };
  if (set.op !== undefined && objectAlone.has(set.op)) {
    const obj = objectOf(roles, set, 'obj', undefined);
    const hasUpdates = set.op === 'policy' || set.op === 'builtin.validate';
    const isUpdate = hasUpdates && (roles.has('old') || roles.has('set-old'));
    return { op: set.op, obj, old: isUpdate ? objectOf(roles, set, 'old', content(roles, 'obj')) : undefined };
  }
  const crd = crdOf(roles, set, '');
  if (crd === undefined) throw new Error('no fence says what is asked');
  const obj = objectOf(roles, set, 'obj', undefined);
  const old = objectOf(roles, set, 'old', roles.has('set-old') || set.op === 'cr.update' ? obj : undefined);
  if (obj !== undefined) return { op: set.op ?? (old === undefined ? 'cr.create' : 'cr.update'), crd, obj, old };
  const oldCrd =
    crdOf(roles, set, 'old-') ??
    (roles.has('old-set') ? changed(crdOf(baseRoles(roles), set, ''), roles, 'old-set') : undefined);
  return { op: set.op ?? (oldCrd === undefined ? 'crd.create' : 'crd.update'), crd, old: oldCrd };
}

/** The new CRD before its own changes: `old-set` starts from there. */
function baseRoles(roles: Roles): Roles {
  return new Map([...roles].filter(([name]) => name !== 'set'));
}

function crdOf(roles: Roles, set: Settings, prefix: '' | 'old-'): unknown {
  const text = roles.get(`${prefix}crd`);
  if (text && set.format === 'yaml') return text.text;
  if (text?.info.startsWith('json')) return { rawJson: compact(text.text) };
  const schema = content(roles, `${prefix}schema`);
  if (!text && schema === undefined) return undefined;
  const crd = text ? content(roles, `${prefix}crd`) : widgets(schema);
  return changed(crd, roles, `${prefix}set`);
}

function objectOf(roles: Roles, set: Settings, name: 'obj' | 'old', base: unknown): unknown {
  const text = roles.get(name);
  if (text && set.format === 'yaml') return text.text;
  if (text?.info.startsWith('json')) return { rawJson: compact(text.text) };
  const found = text ? content(roles, name) : base;
  return found === undefined ? undefined : changed(found, roles, `set-${name}`);
}

/** Raw JSON goes out on one line; its line ends can only be blanks between tokens. */
function compact(json: string): string {
  return json.replaceAll('\n', ' ').trim();
}

function content(roles: Roles, name: string): unknown {
  const fence = roles.get(name);
  if (fence === undefined) return undefined;
  if (fence.info.startsWith('json')) return { rawJson: compact(fence.text) };
  return parsed(fence);
}

// Many cases share a fence; none changes what is in it.
const parsed = memo((fence: Fence): unknown =>
  parse(fence.text, { intAsBigInt: true, mapAsMap: true, uniqueKeys: false, merge: false }),
);

function changed(root: unknown, roles: Roles, name: string): unknown {
  const changes = content(roles, name);
  if (!(changes instanceof Map)) return root;
  const copy = structuredClone(root);
  for (const [where, value] of changes) setAt(copy, String(where).split('.'), value);
  return copy;
}

function setAt(root: unknown, steps: readonly string[], value: unknown): void {
  let at = root;
  for (const step of steps.slice(0, -1)) {
    if (!Array.isArray(at) && at instanceof Map && !at.has(step)) at.set(step, new Map());
    at = Array.isArray(at) ? at[Number(step)] : at instanceof Map ? at.get(step) : undefined;
  }
  const last = steps.at(-1)!.replaceAll('%2E', '.');
  if (Array.isArray(at)) at[Number(last)] = value;
  else if (!(at instanceof Map)) throw new Error(`set: nothing at ${steps.join('.')}`);
  else if (value === '$remove') at.delete(last);
  else at.set(last, value);
}

const chartFile = 'apiVersion: v2\nname: c\nversion: 1.2.3\n';

/** A chart: files by their paths, and the values that are given, all in fences. */
function chartQuestion(roles: Roles): Record<string, unknown> {
  const files: Record<string, string> = { 'Chart.yaml': chartFile };
  const values: string[] = [];
  for (const [name, { text }] of roles) {
    const path = /^file (\S+)$/.exec(name)?.[1];
    if (path !== undefined) files[path] = text;
    else if (name === 'values') files['values.yaml'] = text;
    else if (name === 'given') values.push(text);
  }
  return { files, values };
}

function templateOptions({ noHooks, crds, kubeVersion }: Settings): Record<string, unknown> {
  return { noHooks: noHooks === 'true', crds: crds === 'true', kubeVersion };
}

/** Files by their path; of those that are `unended`, the last line has no break. */
function treeQuestion(roles: Roles, set: Settings): Record<string, unknown> {
  const files: Record<string, string> = {};
  for (const [name, { text }] of roles) {
    const [, path, how] = /^file (\S+)(?: (unended))?$/.exec(name) ?? [];
    if (path !== undefined) files[path] = how === undefined ? text : text.replace(/\n$/, '');
  }
  return { path: set.path ?? '/overlay', files };
}

/** What Flux is asked: texts in fences of their names, `there` for each object that is in the cluster. */
function fluxQuestion(roles: Roles, set: Settings): Record<string, unknown> {
  const text = (name: string) => roles.get(name)?.text;
  const there = [...roles].filter(([name]) => /^there\b/.test(name)).map(([, fence]) => fence.text);
  const asked = { object: text('object'), kustomization: text('kustomization'), own: text('own'), refs: text('refs') };
  return { ...asked, there, strict: set.strict === 'true', always: set.always === 'true' };
}

/** Each line is the only template of a chart. */
function oneLineCharts(section: Section, fence: Fence, roles: Roles): Case[] {
  const lines = fence.text.split('\n');
  return lines.flatMap((line, i) => {
    if (line === '') return [];
    const question = chartQuestion(roles);
    const files = { ...(question.files as object), 'templates/t.yaml': line };
    const request = encodeExact({ op: 'helm', ...question, files });
    return [{ name: `${section.title} › ${line}`, op: 'helm', request, line: fence.line + i }];
  });
}

/** Go files: whole ones by their path, and declarations or fields that the kind Widget is put around. */
function goFiles(roles: Roles): Map<string, string> {
  const files = new Map<string, string>();
  for (const [name, { text }] of roles) {
    const path = /^(?:go (\S+\.go)|text (\S+))$/.exec(name)?.slice(1).find(Boolean);
    if (path !== undefined) files.set(path, text);
    else if (name === 'go') files.set('v1/types.go', goWidgets(text));
    else if (name === 'go fields') files.set('v1/types.go', goWidgets(`type WidgetSpec struct {\n${text}}\n`));
  }
  return files;
}

const goImports: Readonly<Record<string, string>> = {
  metav1: 'k8s.io/apimachinery/pkg/apis/meta/v1',
  resource: 'k8s.io/apimachinery/pkg/api/resource',
  runtime: 'k8s.io/apimachinery/pkg/runtime',
  intstr: 'k8s.io/apimachinery/pkg/util/intstr',
  apiextensionsv1: 'k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1',
  http: 'net/http',
  json: 'encoding/json',
  netip: 'net/netip',
  time: 'time',
  url: 'net/url',
};

function goWidgets(declarations: string): string {
  const used = Object.entries(goImports).filter(
    ([name]) => name === 'metav1' || new RegExp(`\\b${name}\\.`).test(declarations),
  );
  const imports = used.map(([name, from]) => `\t${name} "${from}"\n`).join('');
  const spec = /^type WidgetSpec /m.test(declarations) ? '\tSpec WidgetSpec `json:"spec,omitempty"`\n' : '';
  const kind = /^type Widget struct/m.test(declarations)
    ? ''
    : `type Widget struct {\n\tmetav1.TypeMeta \`json:",inline"\`\n\tmetav1.ObjectMeta \`json:"metadata,omitempty"\`\n\n${spec}}\n\n`;
  return `// +groupName=example.com\npackage v1\n\nimport (\n${imports})\n\n${kind}${declarations}`;
}

const widgetText = `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: widgets.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {plural: widgets, singular: widget, kind: Widget, listKind: WidgetList}
  versions: [{name: v1, served: true, storage: true, schema: {}}]
`;
const emptyWidgets = parse(widgetText, { mapAsMap: true });

function widgets(schema: unknown): unknown {
  const crd = structuredClone(emptyWidgets);
  crd.get('spec').get('versions')[0].get('schema').set('openAPIV3Schema', schema);
  return crd;
}
