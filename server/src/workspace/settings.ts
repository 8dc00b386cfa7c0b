import { kubernetesVersion, kubernetesVersions, newestVersion } from '../kubernetes/versions.ts';

export type Severity = 'error' | 'warning' | 'information' | 'hint';

/** The user's settings for one folder, checked. */
export interface Settings {
  readonly kubernetes: string;
  readonly crds: readonly string[];
  readonly rules: ReadonlyMap<string, Severity | 'off'>;
  readonly fieldValidation: FieldValidation;
  readonly completion: boolean;
  readonly hover: boolean;
  readonly costHints: boolean;
  readonly outline: Outline;
}

/** How the API server is asked to treat unknown fields. */
export type FieldValidation = 'Strict' | 'Warn' | 'Ignore';

/** `auto`: only where no YAML extension gives an outline. */
export type Outline = 'auto' | 'on' | 'off';

export const defaultSettings: Settings = {
  kubernetes: newestVersion.name,
  crds: [],
  rules: new Map(),
  fieldValidation: 'Strict',
  completion: true,
  hover: true,
  costHints: true,
  outline: 'auto',
};

const severities: ReadonlySet<unknown> = new Set(['error', 'warning', 'information', 'hint', 'off']);

/** What the editor sent under `kubeCrd`. Whatever does not fit is left at its default and named. */
export function readSettings(sent: unknown): { settings: Settings; complaints: readonly string[] } {
  const complaints: string[] = [];
  const given = isObject(sent) ? sent : {};
  const settings = {
    kubernetes: readKubernetes(given.kubernetesVersion, complaints),
    crds: readCrds(given.crds, complaints),
    rules: readRules(given.rules, complaints),
    fieldValidation: readFieldValidation(given.fieldValidation, complaints),
    completion: readSwitch('completion', given, complaints),
    hover: readSwitch('hover', given, complaints),
    costHints: readSwitch('costHints', given, complaints),
    outline: readOutline(given.outline, complaints),
  };
  return { settings, complaints };
}

function readKubernetes(sent: unknown, complaints: string[]): string {
  if (sent === undefined || sent === null || sent === '') return defaultSettings.kubernetes;
  if (typeof sent === 'string' && kubernetesVersion(sent)) return sent;
  complaints.push(
    `kubeCrd.kubernetesVersion: ${JSON.stringify(sent)} is none of ${kubernetesVersions.map(({ name }) => name).join(', ')}`,
  );
  return defaultSettings.kubernetes;
}

function readSwitch(name: string, given: Readonly<Record<string, unknown>>, complaints: string[]): boolean {
  const sent = given[name];
  if (typeof sent === 'boolean') return sent;
  if (sent !== undefined && sent !== null) complaints.push(`kubeCrd.${name}: true or false is wanted`);
  return true;
}

function readFieldValidation(sent: unknown, complaints: string[]): FieldValidation {
  if (sent === 'Strict' || sent === 'Warn' || sent === 'Ignore') return sent;
  if (sent !== undefined && sent !== null) complaints.push('kubeCrd.fieldValidation: Strict, Warn or Ignore is wanted');
  return 'Strict';
}

function readOutline(sent: unknown, complaints: string[]): Outline {
  if (sent === 'auto' || sent === 'on' || sent === 'off') return sent;
  if (sent !== undefined && sent !== null) complaints.push('kubeCrd.outline: auto, on or off is wanted');
  return 'auto';
}

function readCrds(sent: unknown, complaints: string[]): readonly string[] {
  if (sent === undefined || sent === null) return [];
  if (Array.isArray(sent) && sent.every((item) => typeof item === 'string')) return sent;
  complaints.push('kubeCrd.crds: a list of paths is wanted');
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
