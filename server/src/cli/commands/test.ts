import { type CoverageOptions, coveredParts, type Minimum } from '../coverage.ts';
import { command } from '../table/command.ts';
import { flag, oneOf, text, texts, textsAs, type ValuesOf } from '../table/option.ts';
import { crdOptions, format, jobs, kubernetesRange, pathsOr, watching } from '../table/shared.ts';
import { crdFolders, test } from '../test.ts';
import type { ClusterOptions } from '../testCluster.ts';
import { testFormatNames } from '../testFormats.ts';
import type { TestOptions } from '../testPart.ts';
import { watch } from '../watch.ts';

const options = {
  kubernetes: kubernetesRange('run in these versions, whatever the files say; default:'),
  filter: text('TEXT', 'only cases whose name contains it'),
  import: flag(
    'the files are suites in the form of openshift/api (crdName, tests.onCreate, tests.onUpdate) or of kaptest',
  ),
  format: format(testFormatNames, 'text'),
  update: flag('write what comes as expected into the files, which keep their comments; review it'),
  watch: watching,
  jobs,
  cluster: text(
    'CONTEXT',
    `ask a cluster the same through your kubectl, with server-side dry runs, and say where it answers otherwise; updates take \
an object that is stored for them, in a namespace of its own, and removed`,
  ),
  namespace: text('NAME', 'with --cluster: use that one instead'),
  createCrds: flag('with --cluster: create the CRDs that it does not have, and remove them again'),
  coverage: flag('print which rules, branches, bounds and fields of the CRDs no case tries'),
  coverageLcov: text('FILE', 'write that in the form of lcov', { completes: 'file', as: named }),
  coverageOf: texts('GLOB', "count only CRDs of such names: 'widgets.*'; several times"),
  minCoverage: textsAs(
    'PERCENT',
    `fail when the cases try less; ${Object.keys(coveredParts).join('=100, ')}=100 say it of parts; several times`,
    minimum,
  ),
  ...crdOptions,
} as const;

type Values = ValuesOf<typeof options>;

export const testCommand = command({
  name: 'test',
  about: 'runs the tests of CRDs: which objects and updates they accept, what is stored, what rules say',
  inShort:
    'runs tests of CRDs, `*.crdtest.yaml`: which objects and updates they accept, what is stored, what rules say; [docs/testing.md](testing.md)',
  takes: '[PATH]...',
  explains:
    'Runs the cases of *.crdtest.yaml, in the folder it runs in by default. docs/testing.md explains the files.',
  options,
  exits: `Exit code 0: all passed, 1: some failed, a cluster answers otherwise or the cases try too little, 2: wrong usage, no \
cases, or files that could not be read or have mistakes.`,
  examples: [
    'kube-crd test',
    'kube-crd test --kubernetes 1.31..1.37 --filter ratchet config/crd',
    'kube-crd test --coverage --min-coverage 80',
    'kube-crd test --import --crds config/crd/widgets.yaml tests/widgets.yaml',
  ],
  run: async (values, paths) => {
    const asked = testOptions(values, pathsOr(paths));
    if (!values.watch) return await test(asked);
    return await watch([...asked.paths, ...asked.crds, ...(await crdFolders(asked))], () => test(asked));
  },
});

function testOptions(values: Values, paths: readonly string[]): TestOptions {
  const { kubernetes: versions, import: imports, update, jobs = 1 } = values;
  const coverage = coverageAsked(values);
  refuseTogether(values, coverage);
  const cluster = clusterOf(values);
  const inOneThread = coverage ? 'coverage' : update ? '--update' : cluster ? '--cluster' : undefined;
  if (jobs > 1 && inOneThread) throw new Error(`--jobs goes without ${inOneThread}`);
  return {
    ...values,
    ...{ paths, versions, imports, jobs, coverage, cluster },
    filter: values.filter ?? '',
  };
}

function refuseTogether(values: Values, coverage: CoverageOptions | undefined): void {
  const { import: imports, update, watch } = values;
  if (coverage && imports) throw new Error('coverage is counted for files *.crdtest.yaml only');
  if (update && (imports || watch)) throw new Error('--update goes without --import and --watch');
}

function clusterOf(values: Values): ClusterOptions | undefined {
  const { cluster, namespace, createCrds } = values;
  if (cluster === undefined) {
    if (namespace !== undefined || createCrds) throw new Error('--namespace and --create-crds go with --cluster');
    return undefined;
  }
  const others = (['import', 'update', 'watch', 'kubernetes'] as const).filter((name) => values[name]);
  if (others.length > 0) throw new Error(`--cluster goes without --${others[0]}`);
  return { context: cluster, namespace, createCrds };
}

function coverageAsked({ coverage, coverageLcov, minCoverage, coverageOf }: Values): CoverageOptions | undefined {
  if (coverage || coverageLcov !== undefined || minCoverage.length > 0)
    return { shown: coverage, lcov: coverageLcov, least: minCoverage, of: coverageOf };
  if (coverageOf.length > 0) throw new Error('--coverage-of goes with --coverage, --coverage-lcov or --min-coverage');
  return undefined;
}

/** `80`, or `rules=100`. */
function minimum(given: string, name: string): Minimum {
  const [, part, digits = ''] = /^(?:(\w+)=)?(\d{1,3})$/.exec(given) ?? [];
  const percent = Number(digits);
  if (digits === '' || percent > 100) throw new Error(`${name} takes a percentage up to 100, not ${given}`);
  const parts = Object.keys(coveredParts) as (keyof typeof coveredParts)[];
  return { part: part === undefined ? undefined : oneOf(name, parts, part), percent };
}

function named(file: string, name: string): string {
  if (file === '') throw new Error(`${name} takes the name of a file`);
  return file;
}
