import { kubernetesVersion, kubernetesVersions, newestVersion } from '../kubernetes/releases/all.ts';

export type Severity = 'error' | 'warning' | 'information' | 'hint';

/** The user's settings for one folder, checked. */
export interface Settings {
  readonly kubernetes: string;
  /** The oldest version that manifests have to work with; what is newer is warned of. */
  readonly minimumKubernetes: string | undefined;
  /** What the committed state is read from: a git ref, `merge-base:` and a ref, or `none`. */
  readonly baseline: string;
  /** Globs of files whose objects are not judged. */
  readonly exclude: readonly string[];
  readonly check: CheckScope;
  readonly crds: readonly string[];
  readonly rules: ReadonlyMap<string, Severity | 'off'>;
  readonly fieldValidation: FieldValidation;
  readonly completion: boolean;
  readonly hover: boolean;
  readonly costHints: boolean;
  readonly signatureHelp: boolean;
  readonly semanticTokens: boolean;
  /** Definitions, references, highlights and links. */
  readonly navigation: boolean;
  readonly outline: Outline;
  /** Folding, and selections that grow. */
  readonly folding: Outline;
}

/** What is judged without being asked: open files, or all of the workspace. */
export type CheckScope = 'open' | 'workspace';

/** How the API server is asked to treat unknown fields. */
export type FieldValidation = 'Strict' | 'Warn' | 'Ignore';

/** `auto`: only where no YAML extension gives the same. */
export type Outline = 'auto' | 'on' | 'off';

export const defaultSettings: Settings = {
  kubernetes: newestVersion.name,
  minimumKubernetes: undefined,
  baseline: 'HEAD',
  exclude: [],
  check: 'open',
  crds: [],
  rules: new Map(),
  fieldValidation: 'Strict',
  completion: true,
  hover: true,
  costHints: true,
  signatureHelp: true,
  semanticTokens: true,
  navigation: true,
  outline: 'auto',
  folding: 'auto',
};

const severities: ReadonlySet<unknown> = new Set(['error', 'warning', 'information', 'hint', 'off']);

/** What the editor sent under `kubeCrd`. Whatever does not fit is left at its default and named. */
export function readSettings(sent: unknown): { settings: Settings; complaints: readonly string[] } {
  const complaints: string[] = [];
  const given = isObject(sent) ? sent : {};
  const settings = {
    kubernetes: readVersion('kubernetesVersion', given, complaints) ?? defaultSettings.kubernetes,
    minimumKubernetes: readVersion('minimumKubernetesVersion', given, complaints),
    baseline: readBaseline(given.baseline, complaints),
    exclude: readStrings('exclude', given, complaints),
    check: readChoice('check', given, ['open', 'workspace'], complaints),
    crds: readStrings('crds', given, complaints),
    rules: readRules(given.rules, complaints),
    fieldValidation: readChoice('fieldValidation', given, ['Strict', 'Warn', 'Ignore'], complaints),
    completion: readSwitch('completion', given, complaints),
    hover: readSwitch('hover', given, complaints),
    costHints: readSwitch('costHints', given, complaints),
    signatureHelp: readSwitch('signatureHelp', given, complaints),
    semanticTokens: readSwitch('semanticTokens', given, complaints),
    navigation: readSwitch('navigation', given, complaints),
    outline: readChoice('outline', given, ['auto', 'on', 'off'], complaints),
    folding: readChoice('folding', given, ['auto', 'on', 'off'], complaints),
  };
  return { settings, complaints };
}

type Given = Readonly<Record<string, unknown>>;

function readVersion(name: string, given: Given, complaints: string[]): string | undefined {
  const sent = given[name];
  if (sent === undefined || sent === null || sent === '') return undefined;
  if (typeof sent === 'string' && kubernetesVersion(sent)) return sent;
  const known = kubernetesVersions.map((version) => version.name).join(', ');
  complaints.push(`kubeCrd.${name}: ${JSON.stringify(sent)} is none of ${known}`);
  return undefined;
}

function readBaseline(sent: unknown, complaints: string[]): string {
  if (sent === undefined || sent === null || sent === '') return defaultSettings.baseline;
  // What starts with a dash would be an option to git.
  if (typeof sent === 'string' && !/^(merge-base:)?(-|$)/.test(sent)) return sent;
  complaints.push('kubeCrd.baseline: a git ref, merge-base: and a ref, or none is wanted');
  return defaultSettings.baseline;
}

/** One of several words; the first is the default. */
function readChoice<const Word extends string>(
  name: string,
  given: Given,
  words: readonly [Word, ...Word[]],
  complaints: string[],
): Word {
  const sent = given[name];
  const found = words.find((word) => word === sent);
  if (found === undefined && sent !== undefined && sent !== null)
    complaints.push(`kubeCrd.${name}: one of ${words.join(', ')} is wanted`);
  return found ?? words[0];
}

function readSwitch(name: string, given: Given, complaints: string[]): boolean {
  const sent = given[name];
  if (typeof sent === 'boolean') return sent;
  if (sent !== undefined && sent !== null) complaints.push(`kubeCrd.${name}: true or false is wanted`);
  return true;
}

function readStrings(name: string, given: Given, complaints: string[]): readonly string[] {
  const sent = given[name];
  if (sent === undefined || sent === null) return [];
  if (Array.isArray(sent) && sent.every((item) => typeof item === 'string')) return sent;
  complaints.push(`kubeCrd.${name}: a list of paths is wanted`);
  return [];
}

function readRules(sent: unknown, complaints: string[]): ReadonlyMap<string, Severity | 'off'> {
  const rules = new Map<string, Severity | 'off'>();
  if (sent === undefined || sent === null) return rules;
  if (!isObject(sent)) complaints.push('kubeCrd.rules: an object from code to severity is wanted');
  else {
    for (const [code, severity] of Object.entries(sent)) {
      if (severities.has(severity)) rules.set(code, severity as Severity | 'off');
      else complaints.push(`kubeCrd.rules: ${JSON.stringify(severity)} for ${code} is no severity`);
    }
  }
  return rules;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
