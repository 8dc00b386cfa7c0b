import { kubernetesVersions } from '../../kubernetes/releases/all.ts';
import { versionsNamed } from '../../kubernetes/releases/range.ts';
import type { KubernetesVersion } from '../../kubernetes/releases/release.ts';
import { localSources } from '../../workspace/origin.ts';
import { newestOf, settingsAt } from '../../workspace/snapshot.ts';
import { colorModes } from '../terminal.ts';
import { knownVersions } from '../versions.ts';
import { settingsNear } from '../workspace.ts';
import { choice, flag, number, text, texts } from './option.ts';

// Options that several commands have. Each has one meaning everywhere.

const newest = kubernetesVersions[0].name;
const versionNames = kubernetesVersions.map(({ name }) => name);

/** What every command takes. */
export const common = {
  outputFile: text('FILE', 'write there what would be printed, all of it or nothing', { completes: 'file' }),
  color: choice('WHEN', colorModes, 'auto, always or never; NO_COLOR, FORCE_COLOR and TERM=dumb are respected', {
    fallback: 'auto',
  }),
  help: flag('say this', { short: 'h' }),
} as const;

/** Where CRDs come from, beside the files at hand. */
export const crdOptions = {
  crds: texts('PATH', 'also take CRDs from there: files, folders, chart archives, catalogues of JSON schemas', {
    completes: 'file',
  }),
  without: texts('SOURCE', `do not look for CRDs there: ${Object.keys(localSources).join(', ')}`, {
    completes: Object.keys(localSources),
  }),
} as const;

/** Of commands that ask one version. */
export const kubernetes = text('VERSION', `default: that of .kube-crd.yaml, otherwise ${newest}`, {
  completes: versionNames,
});

/** Of commands that ask several. */
export function kubernetesRange(usual: string) {
  return text('VERSIONS', `1.33, 1.31..1.37, 1.33,1.36 or all; ${usual} ${newest}; known: ${versionNames.join(', ')}`, {
    completes: [...versionNames, 'all'],
    as: knownVersions,
  });
}

export const outputFolder = (about: string) => text('FOLDER', about, { completes: 'folder' });

/** What is printed, in which form: `-o` as kubectl has it. */
export function format<const Word extends string>(words: readonly Word[], fallback: NoInfer<Word>) {
  return choice('FORMAT', words, `${words.join(', ')}; default: ${fallback}`, { short: 'o', fallback });
}

export const baseline = (about: string) => text('REF', about, { as: ref });

export const dryRun = (about: string) => flag(about);

const mostJobs = 64;

export const jobs = number('NUMBER', 'work in so many threads; default: 1', { least: 1, most: mostJobs });

export const watching = flag('run again whenever a file changes');

function ref(given: string): string {
  if (/^(merge-base:)?(-|$)/.test(given)) throw new Error(`${given} is not a git ref`);
  return given;
}

/** What is asked for, or what `.kube-crd.yaml` says where the first path leads. */
export async function oneVersion(given: string | undefined, first = '.'): Promise<KubernetesVersion> {
  if (given === undefined) {
    const { settings, uri } = await settingsNear(first === '-' ? '.' : first);
    return newestOf(settingsAt(settings, uri));
  }
  const [version, ...more] = versionsNamed(knownVersions(given)) ?? [];
  if (!version || more.length > 0) throw new Error('this command takes one Kubernetes version');
  return version;
}

/** The paths that are named; without any, the folder that it runs in. */
export function pathsOr(paths: readonly string[]): readonly string[] {
  return paths.length > 0 ? paths : ['.'];
}

export const percentage = (about: string) => number('PERCENT', about, { most: 100, what: 'a percentage up to 100' });
