import { crdOptionTypes } from '../controllergen/crd/optionTypes.ts';
import { kubernetesVersions } from '../kubernetes/releases/all.ts';
import { rangePattern, versionsNamed } from '../kubernetes/releases/range.ts';
import type { KubernetesVersion } from '../kubernetes/releases/release.ts';
import { localSources } from './origin.ts';

export type Severity = 'error' | 'warning' | 'information' | 'hint';

/** JSON as package.json has it. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [name: string]: Json };

/** One setting: all that the editor, the server and the documentation have to know of it. */
export interface Setting<Value = unknown> {
  /** Markdown; its first sentence says what the setting is for. */
  readonly description: string;
  /** `window` for what cannot differ between the folders of a workspace. */
  readonly scope: 'resource' | 'window';
  /** Not read in a workspace that is not trusted. */
  readonly restricted?: true;
  /** The part of package.json that says which values there are. */
  readonly schema: { readonly [name: string]: Json };
  readonly fallback: Value;
  /** Checks what was sent, which is neither undefined nor null. */
  readonly read: (sent: unknown, complain: Complain) => Value;
}

/**
 * Says what is wrong with a value; the name of the setting comes before it. `key` is that of the entry that is wrong, where
 * the others hold; `known` are the keys that there are, where this is none of them.
 */
type Complain = (why: string, key?: string, known?: readonly string[]) => void;

type Words = Readonly<Record<string, string>>;

interface More {
  readonly scope?: 'window';
  readonly restricted?: true;
}

function onOff(description: string): Setting<boolean> {
  return {
    description,
    scope: 'resource',
    schema: { type: 'boolean', default: true },
    fallback: true,
    read(sent, complain) {
      if (typeof sent === 'boolean') return sent;
      complain('expected true or false');
      return true;
    },
  };
}

function percentage(description: string, fallback: number): Setting<number> {
  return {
    description,
    scope: 'resource',
    schema: { type: 'number', minimum: 0, maximum: 100, default: fallback },
    fallback,
    read(sent, complain) {
      if (typeof sent === 'number' && sent >= 0 && sent <= 100) return sent;
      complain('expected a number from 0 to 100');
      return fallback;
    },
  };
}

/** One of several words, each with what it means; the first is the default. */
function choice<const Choice extends Words>(
  description: string,
  words: Choice,
  { scope = 'resource' }: { readonly scope?: 'window' | 'resource' } = {},
): Setting<keyof Choice & string> {
  const names: readonly (keyof Choice & string)[] = Object.keys(words);
  const fallback = names[0]!;
  return {
    description,
    scope,
    schema: { type: 'string', enum: names, enumDescriptions: Object.values(words), default: fallback },
    fallback,
    read(sent, complain) {
      const found = names.find((name) => name === sent);
      if (found === undefined) complain(`expected one of ${names.join(', ')}`);
      return found ?? fallback;
    },
  };
}

function strings(description: string, more: More = {}): Setting<readonly string[]> {
  return {
    description,
    scope: 'resource',
    schema: { type: 'array', items: { type: 'string' }, default: [] },
    fallback: [],
    read(sent, complain) {
      if (Array.isArray(sent) && sent.every((item) => typeof item === 'string')) return sent;
      complain('expected a list of strings');
      return [];
    },
    ...more,
  };
}

/** Several things, each of which can be turned off by its name: those that are. */
function allBut<const Names extends Words>(description: string, names: Names): Setting<ReadonlySet<keyof Names>> {
  const rows = Object.entries(names).map(([name, what]): [string, Json] => [
    name,
    { type: 'boolean', default: true, description: what },
  ]);
  // Editors show what is not written out as off.
  const allOn = Object.fromEntries(Object.keys(names).map((name) => [name, true]));
  return {
    description,
    scope: 'window',
    schema: { type: 'object', properties: Object.fromEntries(rows), additionalProperties: false, default: allOn },
    fallback: new Set(),
    read(sent, complain) {
      const off = new Set<keyof Names>();
      if (!isObject(sent)) complain('expected an object that maps names to true or false');
      else {
        for (const [name, wanted] of Object.entries(sent)) {
          const known = Object.keys(names);
          if (!known.includes(name)) complain(`there is no ${name}; there are ${known.join(', ')}`, name, known);
          else if (typeof wanted !== 'boolean') complain(`expected true or false for ${name}`, name);
          else if (!wanted) off.add(name);
        }
      }
      return off;
    },
  };
}

/** The name of a Kubernetes version; the empty text chooses none. */
function maybeVersion(description: string, versions: readonly KubernetesVersion[]): Setting<string | undefined> {
  const names = versions.map(({ name }) => name);
  return {
    description,
    scope: 'resource',
    schema: { type: 'string', enum: ['', ...names], default: '' },
    fallback: undefined,
    read(sent, complain) {
      const found = names.find((name) => name === sent);
      if (found === undefined && sent !== '') complain(`${JSON.stringify(sent)} is not one of ${names.join(', ')}`);
      return found;
    },
  };
}

/** One Kubernetes version, or several. */
function versionRange(
  description: string,
  versions: readonly [KubernetesVersion, ...KubernetesVersion[]],
): Setting<string> {
  const names = versions.map(({ name }) => name);
  const [{ name: fallback }] = versions;
  return {
    description,
    scope: 'resource',
    schema: { type: 'string', anyOf: [{ enum: names }, { pattern: rangePattern }], default: fallback },
    fallback,
    read(sent, complain) {
      if (sent === '') return fallback;
      if (typeof sent === 'string' && versionsNamed(sent, versions)) return sent;
      complain(
        `${JSON.stringify(sent)} is not one of ${names.join(', ')}, nor a range of them such as ${names.at(-1)}..${names[0]}`,
      );
      return fallback;
    },
  };
}

function gitRef(description: string, fallback: string, more: More): Setting<string> {
  return {
    description,
    scope: 'resource',
    schema: { type: 'string', default: fallback },
    fallback,
    read(sent, complain) {
      if (sent === '') return fallback;
      // What starts with a dash would be an option to git.
      if (typeof sent === 'string' && !/^(merge-base:)?(-|$)/.test(sent)) return sent;
      complain('expected a git ref, merge-base: followed by a ref, or none');
      return fallback;
    },
    ...more,
  };
}

/** Whether a text is `crd:NAME=VALUE,…` with names that controller-gen knows. */
function areCrdOptions(text: string): boolean {
  if (text === 'crd') return true;
  const given = text.slice('crd:'.length).split(',');
  return text.startsWith('crd:') && given.every((one) => Object.hasOwn(crdOptionTypes, one.split('=')[0]!));
}

/** Options of controller-gen's generator of CRDs. */
function crdOptions(description: string): Setting<string> {
  return {
    description,
    scope: 'resource',
    schema: { type: 'string', default: '' },
    fallback: '',
    read(sent, complain) {
      if (sent === '' || (typeof sent === 'string' && areCrdOptions(sent))) return sent;
      complain('expected options as controller-gen takes them, such as `crd:allowDangerousTypes=true,maxDescLen=0`');
      return '';
    },
  };
}

export const severities = ['error', 'warning', 'information', 'hint', 'off'] as const satisfies (Severity | 'off')[];

/** Severities by the code of a rule. `titles` names the rules that there are. */
function severityByCode(description: string, titles: Words): Setting<ReadonlyMap<string, Severity | 'off'>> {
  const properties = Object.entries(titles).map(([code, title]): [string, Json] => [code, { description: title }]);
  return {
    description,
    scope: 'resource',
    schema: {
      type: 'object',
      properties: Object.fromEntries(properties),
      additionalProperties: false,
      // Said once for all codes: package.json is long enough.
      allOf: [{ additionalProperties: { enum: severities } }],
      default: {},
    },
    fallback: new Map(),
    read: (sent, complain) => readSeverities(sent, titles, complain),
  };
}

function readSeverities(sent: unknown, titles: Words, complain: Complain): ReadonlyMap<string, Severity | 'off'> {
  const chosen = new Map<string, Severity | 'off'>();
  if (!isObject(sent)) complain('expected an object that maps codes to severities');
  else {
    for (const [code, wanted] of Object.entries(sent)) {
      const severity = severities.find((one) => one === wanted);
      if (!severity) complain(`${JSON.stringify(wanted)} for ${code} is not one of ${severities.join(', ')}`, code);
      else if (!Object.hasOwn(titles, code)) complain(`there is no rule named ${code}`, code, Object.keys(titles));
      else chosen.set(code, severity);
    }
  }
  return chosen;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * Every setting below `kubeCrd`, in the order in which they are shown: the type of the settings, their defaults and
 * checks, package.json and docs/settings.md are made from it.
 */
export function settingsTable(
  ruleTitles: Words,
  versions: readonly [KubernetesVersion, ...KubernetesVersion[]] = kubernetesVersions,
) {
  return {
    kubernetesVersion: versionRange(
      'The Kubernetes version that CRDs and custom resources are checked against, or several: `1.33..1.37`, `1.33,1.36`, `all`; a diagnostic then says which of them it is true of. A file can choose its own with a comment at the top: `# kube-crd: kubernetes 1.34`.',
      versions,
    ),
    minimumKubernetesVersion: maybeVersion(
      'The oldest Kubernetes version that your manifests have to work with. Using anything newer, such as a CEL function, gets a warning.',
      versions,
    ),
    baseline: gitRef(
      'The commit whose objects are treated as already stored: a git ref, `merge-base:` followed by a ref for the point where your branch left it, or `none`. Changes are checked as updates of those objects.',
      'HEAD',
      { restricted: true },
    ),
    exclude: strings(
      'Globs of files whose objects are not checked, such as `**/testdata/**`. Relative globs start at the workspace folder.',
    ),
    check: choice(
      'Which files are checked automatically.',
      {
        open: 'Check the files that are open. The command "Check the whole workspace" checks all of them.',
        workspace: 'Check every file in the workspace, and check it again whenever something it depends on changes.',
      },
      { scope: 'window' },
    ),
    crds: strings(
      'Files, folders and globs with CRDs outside the workspace, such as `/opt/crds/**/*.yaml`: YAML, JSON, chart archives, and catalogues of JSON schemas as folder or archive. Relative paths start at the workspace folder. An address such as `https://example.com/catalogue` is a catalogue to fetch from on request.',
      { restricted: true },
    ),
    sources: allBut(
      `Local places to look for CRDs that are neither in the workspace nor named by \`kubeCrd.crds\`: ${Object.keys(localSources).join(', ')}. \`{ "goModules": false }\` turns one off. [docs/crds.md](docs/crds.md) explains them.`,
      localSources,
    ),
    knownKinds: strings(
      'Kinds whose CRDs need not be known, as globs of `group/Kind` such as `*.example.com/*`: nothing is reported if they cannot be checked.',
    ),
    go: onOff(
      'Check and complete the markers of controller-gen in Go files, and the CRDs that it makes of their types. Files without markers cost nothing.',
    ),
    controllerGen: crdOptions(
      'With which options controller-gen is called, such as `crd:allowDangerousTypes=true,maxDescLen=0`, where neither a Makefile nor a script nor `//go:generate` says so. [docs/go.md](docs/go.md) says where that is looked for.',
    ),
    charts: onOff(
      'Render Helm charts, and check what comes of them at the places in templates and values. [docs/helm.md](docs/helm.md) says how.',
    ),
    kustomize: onOff(
      'Build kustomizations, and check what comes of them at the places in bases, patches and generators. [docs/kustomize.md](docs/kustomize.md) says how.',
    ),
    chartValues: strings(
      'Files of values with which a chart is rendered as well, each on its own, as globs below the folder of the chart such as `environments/*.yaml`. Those of `ci/`, with which tests of charts install them, always are.',
    ),
    builtinKinds: choice(
      "Check, complete and explain the kinds that Kubernetes has built in, such as Deployment, as far as the API server's decoder judges them. [docs/builtin-kinds.md](docs/builtin-kinds.md) says what that is.",
      {
        auto: 'Unless another extension does so: the Kubernetes extension, or a YAML extension that is configured to.',
        on: 'Always.',
        off: 'Never.',
      },
    ),
    fieldValidation: choice('How the API server treats unknown fields.', {
      Strict: 'Unknown fields are errors, as with kubectl.',
      Warn: 'Unknown fields are warnings, as for clients that do not request anything else.',
      Ignore: 'Unknown fields are dropped silently.',
    }),
    rules: severityByCode(
      'The severity of individual rules, by code, such as `{ "lint/pattern-unanchored": "off", "lint/list-type": "warning" }`. `lint/list-type` and `lint/conditions-type` are off unless you turn them on. The code of a problem leads to the page of its rule, and completion offers all codes. [docs/rules.md](docs/rules.md) lists them.',
      ruleTitles,
    ),
    completion: onOff('Offer completions.'),
    hover: onOff('Show documentation on hover.'),
    costHints: onOff("Show each CEL rule's share of the cost budget beside it."),
    costHintThreshold: percentage(
      'Rules that use less than this share of the cost budget, in percent, get no hint; 0 shows all of them.',
      1,
    ),
    codeLens: allBut(
      'Lines above test cases and rules with their state and what you can do with them. `{ "rules": false }` turns one off.',
      {
        cases: 'Above the cases of `*.crdtest.yaml`: Run, Debug, and whether they pass.',
        rules: 'Above the rules of a CRD that has tests: how many tests are about them, with a link to these.',
        versions: 'Above the versions of a CRD: what their rules may cost, and how many resources there are.',
        changes:
          'Above a committed CRD: what changes for its users, with a link to the changes, and how long it has had its storage version.',
        resources: 'Above the rules of a CRD: for how many resources of the workspace they are true.',
        policies: 'Above admission policies: try them on the objects of the workspace.',
        applied: 'Above files that Flux or Argo CD applies: which object does, and what applies that.',
      },
    ),
    signatureHelp: onOff('Show the signatures of the CEL function whose arguments you are typing.'),
    semanticTokens: onOff('Color CEL expressions by the meaning of their names.'),
    navigation: onOff('Go to definition, find references, rename, and link resources to their CRDs.'),
    folding: choice(
      'Fold the entries of manifests and the parts of CEL expressions, and expand selections the same way.',
      {
        auto: 'Only if no YAML extension does it; always in CEL expressions.',
        on: 'Always.',
        off: 'Never.',
      },
    ),
    outline: choice('Show CRDs and custom resources in the outline.', {
      auto: 'Only if no YAML extension provides an outline.',
      on: 'Always.',
      off: 'Never.',
    }),
  };
}

/** The settings that only the client reads. */
export const clientSettings = {
  besideHelm: choice(
    'What to offer in templates of charts beside other extensions for Helm: Helm Intellisense, helm-ls, the Kubernetes extension. [docs/helm.md](docs/helm.md) says what is left to them.',
    {
      auto: 'What they do not offer at that place themselves, so that nothing appears twice.',
      on: 'All of it, even where it appears twice.',
      off: 'Nothing: completion, cards and navigation are left to them. Problems are still found.',
    },
  ),
  agents: choice(
    'How language models in the editor get the tools of kube-crd: check, explain, complete, eval, test, render, diff and generate. They read files of the workspace and change none. Not in untrusted workspaces. [docs/agents.md](docs/agents.md) describes them.',
    {
      tools: 'As tools of the editor.',
      mcp: 'As a server of the Model Context Protocol, which the editor lists and starts.',
      off: 'Not at all.',
    },
    { scope: 'window' },
  ),
  'trace.server': choice(
    'How much of the client–server traffic is logged.',
    { off: 'Nothing.', messages: 'The name of each message.', verbose: 'Each message with its contents.' },
    { scope: 'window' },
  ),
};

export type SettingsTable = ReturnType<typeof settingsTable>;

/** The user's settings for one folder, checked. */
export type Settings = {
  readonly [Name in keyof SettingsTable]: SettingsTable[Name] extends Setting<infer Value> ? Value : never;
};

/** Whether something is on always, never, or only where no other extension provides it. */
export type Provided = Settings['outline'];

export type FieldValidation = Settings['fieldValidation'];

export const { settings: defaultSettings } = readSettings({}, settingsTable({}));

export function isSetting(table: SettingsTable, name: string): name is keyof Settings {
  return Object.hasOwn(table, name);
}

/** The value of one setting; where nothing was chosen, its default. */
export function readSetting<Value>(setting: Setting<Value>, sent: unknown, complain: Complain): Value {
  return sent === undefined || sent === null ? setting.fallback : setting.read(sent, complain);
}

/** What the editor sent under `kubeCrd`. Whatever does not fit is left at its default and named. */
export function readSettings(
  sent: unknown,
  table: SettingsTable,
): { settings: Settings; complaints: readonly string[] } {
  const complaints: string[] = [];
  const given = isObject(sent) ? sent : {};
  const read = ([name, setting]: [string, Setting]) => {
    const value = Object.hasOwn(given, name) ? given[name] : undefined;
    return [name, readSetting(setting, value, (why) => complaints.push(`kubeCrd.${name}: ${why}`))];
  };
  // Entries of an object have lost which value belongs to which name; each was read by the setting of its own name.
  const settings = Object.fromEntries(Object.entries<Setting>(table).map(read)) as Settings;
  return { settings, complaints };
}
