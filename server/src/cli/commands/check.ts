import { clusterOf } from '../../cluster/dryRun.ts';
import { storedCrds } from '../../cluster/objects.ts';
import type { KubernetesVersion } from '../../kubernetes/releases/release.ts';
import { type Settings, severities } from '../../workspace/settings.ts';
import { type ClusterCrds, storedCrdText } from '../../workspace/storedCrds.ts';
import { checkAgain } from '../again.ts';
import { type CheckOptions, check } from '../check.ts';
import { clusterVersion } from '../clusterVersion.ts';
import { formatNames } from '../formats/formats.ts';
import { interruptible } from '../interruptible.ts';
import { sayPlayground } from '../playground.ts';
import { codesNamed, ruleCodes } from '../rulePages.ts';
import { command } from '../table/command.ts';
import { choice, flag, number, oneOf, text, texts, type ValuesOf } from '../table/option.ts';
import { baseline, crdOptions, dryRun, format, jobs, kubernetesRange, pathsOr, watching } from '../table/shared.ts';
import { complain } from '../terminal.ts';
import { watch } from '../watch.ts';

const options = {
  kubernetes: kubernetesRange('default: those of .kube-crd.yaml, otherwise'),
  baseline: baseline('check as updates of what git has there; merge-base:REF is where the branch began'),
  ...crdOptions,
  cluster: text('CONTEXT', 'check as that cluster would: by its CRDs and its version; read-only, through your kubectl'),
  locked: flag('fail where a CRD of kube-crd.lock is missing or changed, and use no other that you fetched'),
  knownKind: texts('GLOB', "kinds such as '*.example.com/*' whose CRDs need not be known"),
  builtinKinds: choice(
    'WHEN',
    ['on', 'off'],
    'on or off: whether objects of kinds such as Deployment are checked; default: on',
  ),
  values: texts('FILE', 'also render the charts with the values of a file, over their own; several are merged', {
    completes: 'file',
  }),
  set: texts('NAME=VALUE', "also render the charts with a value: 'image.tag=1.2,list[0]=a'"),
  noBuild: flag('do not build kustomizations: bases are checked as they stand'),
  noCharts: flag('do not render charts: their templates are counted as not judged'),
  rules: texts(
    'CODE=SEVERITY',
    "error, warning, information, hint or off for a rule, or for several: 'lint/*=off'; the last that fits holds",
  ),
  severity: choice(
    'SEVERITY',
    ['error', 'warning', 'information', 'hint'],
    'the least severe findings that are told: error, warning, information or hint; default: warning',
  ),
  format: format(formatNames, 'text'),
  withFixes: flag('with --format json: each finding has the fixes that were tried for it'),
  fix: flag('apply safe fixes; with --dry-run, print them as a diff instead'),
  fixOnly: texts(
    'CODE',
    "with --fix: only those of a rule, or of several: 'lint/*'; those of hints are applied so alone",
    {
      completes: ruleCodes,
    },
  ),
  unsafeFixes: flag('with --fix: also those that are a choice, the first of each'),
  dryRun: dryRun('with --fix: print what would change, and change nothing'),
  exclude: texts('GLOB', 'leave out files, unless they are named'),
  noIgnore: flag('do not leave out what git ignores'),
  maxWarnings: number('NUMBER', 'fail when there are more warnings'),
  baselineFile: text('FILE', 'leave out the old findings that this file names', { completes: 'file' }),
  writeBaseline: flag('write all findings of this run into that file, with the reasons that it gives'),
  quiet: flag('errors alone, and one line that counts them'),
  stdinFilename: text('NAME', 'what standard input is called in findings'),
  jobs,
  shard: text('NTH/OF', 'only the nth of so many parts of the files, for machines that share the work', { as: shard }),
  watch: watching,
  playground: flag(
    'then print a link to the playground with these files and the CRDs of their kinds, for a report of a mistake; nothing is sent',
  ),
  noCache: flag('judge, also where nothing has changed since the last run'),
  stats: flag('say how often each rule was found or fixed, and where the time went'),
} as const;

export const checkCommand = command({
  name: 'check',
  about: 'checks CRDs and custom resources as the API server would on create and on update',
  inShort:
    'checks YAML and JSON, for one Kubernetes version or several, as new objects or as updates of what git has; prints text, JSON, SARIF, JUnit, GitHub annotations or GitLab code quality; `--fix` applies safe fixes; [docs/ci.md](ci.md)',
  takes: '[PATH]...',
  explains: `Checks YAML and JSON: files, folders and globs, the folder it runs in by default; - is standard input. Go packages \
with markers of controller-gen are checked by the CRDs that come of them: ./api/v1, ./api/... or a file. What tests read \
(folders such as testdata, and files of tests that are called invalid) is counted and left out, unless it or its folder is named. \
Charts are checked as Helm renders them: with their own values, with each file of values in ci, and with values that are made \
up so that their templates come to every line. What is below the root of a repository, or of a folder with a .kube-crd.yaml, is \
judged by the CRDs of all of it.`,
  options,
  exits: 'Exit code 0: no errors, 1: errors or too many warnings, 2: wrong usage, or files that could not be checked.',
  examples: [
    'kube-crd check',
    'kube-crd check --kubernetes 1.31..1.37 config/crd',
    'kube-crd check --baseline merge-base:origin/main --format github .',
    'kube-crd check --cluster staging deploy',
    'kubectl get widgets -o yaml | kube-crd check --crds config/crd -',
  ],
  run: async (values, paths) => {
    const { fix, dryRun } = values;
    const hasStdin = paths.includes('-');
    refuseTogether(values);
    if (fix && hasStdin) throw new Error('standard input cannot be fixed in place');
    if (values.playground && (hasStdin || values.watch || values.format !== 'text'))
      throw new Error('--playground goes with files, in the format text, and without --watch');
    if (values.cluster !== undefined && values.locked) throw new Error('--cluster goes without --locked');
    if (values.watch && (hasStdin || fix)) throw new Error('--watch goes with files, and without --fix');
    const there = values.cluster === undefined ? undefined : await clusterFor(values.cluster);
    const asked: CheckOptions = {
      ...values,
      clusterCrds: there?.crds,
      paths: pathsOr(paths),
      stdinName: values.stdinFilename ?? 'stdin.yaml',
      versions: values.kubernetes ?? there?.version.name,
      knownKinds: values.knownKind,
      rules: rulesOf(values.rules),
      severity: values.quiet ? 'error' : (values.severity ?? 'warning'),
      fixOnly: values.fixOnly.flatMap(codesNamed),
      fix: fix ? (dryRun ? 'show' : 'write') : 'no',
      gitignore: !values.noIgnore,
      charts: !values.noCharts,
      build: !values.noBuild,
      maxWarnings: values.maxWarnings ?? Number.POSITIVE_INFINITY,
      // A thread cannot read standard input.
      jobs: hasStdin ? 1 : (values.jobs ?? 1),
      shard: values.shard ?? { nth: 1, of: 1 },
    };
    if (values.watch) return watch(asked.paths, () => check(asked));
    if (!values.playground) return values.noCache ? check(asked) : checkAgain(asked);
    const exitCode = await check(asked);
    await sayPlayground(asked.paths, asked, asked.versions);
    return exitCode;
  },
});

function refuseTogether(values: ValuesOf<typeof options>): void {
  const { fix, dryRun, unsafeFixes, fixOnly, quiet, severity, maxWarnings, baselineFile, writeBaseline } = values;
  const { withFixes, format } = values;
  if (withFixes && format !== 'json') throw new Error('--with-fixes goes with --format json');
  if (dryRun && !fix) throw new Error('--dry-run goes with --fix');
  if (unsafeFixes && !fix) throw new Error('--unsafe-fixes goes with --fix');
  if (fixOnly.length > 0 && !fix) throw new Error('--fix-only goes with --fix');
  if (quiet && severity !== undefined && severity !== 'error')
    throw new Error('--quiet goes with --severity error alone');
  if (maxWarnings !== undefined && (quiet || severity === 'error'))
    throw new Error('--max-warnings goes without --quiet and --severity error, which leave warnings out');
  if (writeBaseline && baselineFile === undefined) throw new Error('--write-baseline goes with --baseline-file');
  if (values.noCharts && (values.values.length > 0 || values.set.length > 0))
    throw new Error('--values and --set are for charts, and go without --no-charts');
  if (writeBaseline && (values.shard || values.watch))
    throw new Error('--write-baseline goes without --shard and --watch');
}

/** What the cluster judges by. Says what cannot be asked of it. */
async function clusterFor(
  context: string,
): Promise<{ readonly version: KubernetesVersion; readonly crds: ClusterCrds }> {
  return interruptible(async (signal) => {
    const tools = { signal, say: () => {} };
    const version = await clusterVersion(clusterOf(context, tools), context);
    const crds = await storedCrds(context, undefined, tools);
    const count = crds.length === 1 ? '1 CRD counts' : `${crds.length} CRDs count`;
    complain(`its ${count} before all others; its feature gates are taken to be as they are by default`);
    return { version, crds: { context, texts: crds.map(storedCrdText) } };
  });
}

function shard(given: string, name: string): CheckOptions['shard'] {
  const [, nth = 0, of = 0] = (/^(\d{1,4})\/(\d{1,4})$/.exec(given) ?? []).map(Number);
  if (nth < 1 || nth > of) throw new Error(`${name} takes two numbers such as 1/4, not ${given}`);
  return { nth, of };
}

function rulesOf(given: readonly string[]): Settings['rules'] {
  return new Map(
    given.flatMap((one) => {
      const [pattern = '', severity = ''] = one.split('=');
      const codes = codesNamed(pattern);
      const chosen = oneOf(`the severity of ${pattern}`, severities, severity);
      return codes.map((code) => [code, chosen] as const);
    }),
  );
}
