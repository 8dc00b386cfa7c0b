import { existsSync } from 'node:fs';
import { type ParseArgsConfig, parseArgs } from 'node:util';
import { type Writing, writings } from '../features/writing.ts';
import { controllerGenVersion } from '../golang/crd/generate.ts';
import { type SchemaForm, schemaForms } from '../kubernetes/crd/publish.ts';
import { kubernetesVersions } from '../kubernetes/releases/all.ts';
import { versionsNamed } from '../kubernetes/releases/range.ts';
import type { KubernetesVersion } from '../kubernetes/releases/release.ts';
import { type Effect, effects } from '../rules/changes/change.ts';
import { ruleOf } from '../rules/model/registry.ts';
import { localSources } from '../workspace/origin.ts';
import { type Settings, severities } from '../workspace/settings.ts';
import { newestOf, settingsAt } from '../workspace/snapshot.ts';
import { type CheckOptions, check } from './check.ts';
import { config } from './config.ts';
import { cost } from './cost.ts';
import type { CoverageOptions } from './coverage.ts';
import { type DiffFormat, diffCommand, diffFormats } from './crdDiff.ts';
import { crds } from './crds.ts';
import { docs } from './docs.ts';
import { evaluateCommand } from './evaluate.ts';
import { type ExplainFormat, explain, explainFormats } from './explain.ts';
import { formats, isFormat } from './formats/formats.ts';
import { generateCrds } from './generate.ts';
import { get } from './get.ts';
import { render } from './render.ts';
import { schemas } from './schema.ts';
import { serve } from './serve.ts';
import { crdFolders, test } from './test.ts';
import type { ClusterOptions } from './testCluster.ts';
import { type TestFormatName, testFormats } from './testFormats.ts';
import type { TestOptions } from './testPart.ts';
import { knownVersions } from './versions.ts';
import { watch } from './watch.ts';
import { settingsNear } from './workspace.ts';

/** A command: what it is for, how it is called, what its options mean. */
interface Command {
  readonly about: string;
  readonly usage: string;
  readonly help: (versions: readonly KubernetesVersion[]) => string;
  readonly options: NonNullable<ParseArgsConfig['options']>;
  /** Gives the exit code, or undefined where the program goes on running. */
  run(values: Values, positionals: readonly string[], args: readonly string[]): Promise<number | undefined> | undefined;
}

type Values = Readonly<Record<string, string | boolean | readonly (string | boolean)[] | undefined>>;

const crdOptions = {
  crds: { type: 'string', multiple: true, default: [] as string[] },
  without: { type: 'string', multiple: true, default: [] as string[] },
} as const;

const crdHelp = `  --crds PATH            also take CRDs from there: files, folders, chart archives, catalogues of JSON schemas
  --without SOURCE       do not look for CRDs there: ${Object.keys(localSources).join(', ')}`;

const commands: ReadonlyMap<string, Command> = new Map(
  Object.entries<Command>({
    check: {
      about: 'checks CRDs and custom resources as the API server would on create and on update',
      usage: 'check [OPTIONS] [PATH]...',
      help: (
        versions,
      ) => `Checks YAML and JSON: files, folders and globs, the folder it runs in by default; - is standard input.
Go packages with markers of controller-gen are checked by the CRDs that come of them: ./api/v1, ./api/... or a file.

  --kubernetes VERSIONS  1.33, 1.31..1.37, 1.33,1.36 or all; default: those of .kube-crd.yaml, otherwise ${versions[0]!.name}
                         known: ${versions.map(({ name }) => name).join(', ')}
  --baseline REF         check as updates of what git has there; merge-base:REF is where the branch began
${crdHelp}
  --locked               fail where a CRD of kube-crd.lock is missing or changed, and use no other that you fetched
  --known-kind GLOB      kinds such as '*.example.com/*' whose CRDs need not be known
  --builtin-kinds WHEN   on or off: whether objects of kinds such as Deployment are checked; default: on
  --rules CODE=SEVERITY  error, warning, information, hint or off for a rule; several times
  --format FORMAT        ${Object.keys(formats).join(', ')}; default: text
  --fix                  apply safe fixes; with --dry-run, print them as a diff instead
  --unsafe-fixes         with --fix: also those that are a choice, the first of each
  --exclude GLOB         leave out files, unless they are named
  --no-ignore            do not leave out what git ignores
  --max-warnings NUMBER  fail when there are more warnings
  --quiet                errors alone, without a summary
  --stdin-filename NAME  what standard input is called in findings
  --jobs NUMBER          judge in so many threads; default: 1
  --shard NTH/OF         only the nth of so many parts of the files, for machines that share the work
  --watch                check again whenever a file changes
  --stats                say where the time went

Exit code 0: no errors, 1: errors or too many warnings, 2: wrong usage, or files that could not be checked.

  kube-crd check
  kube-crd check --kubernetes 1.31..1.37 config/crd
  kube-crd check --baseline merge-base:origin/main --format github .
  kubectl get widgets -o yaml | kube-crd check --crds config/crd -
`,
      options: {
        ...crdOptions,
        kubernetes: { type: 'string' },
        locked: { type: 'boolean', default: false },
        'known-kind': { type: 'string', multiple: true, default: [] },
        'builtin-kinds': { type: 'string' },
        rules: { type: 'string', multiple: true, default: [] },
        baseline: { type: 'string' },
        format: { type: 'string', default: 'text' },
        fix: { type: 'boolean', default: false },
        'dry-run': { type: 'boolean', default: false },
        exclude: { type: 'string', multiple: true, default: [] },
        'no-ignore': { type: 'boolean', default: false },
        'max-warnings': { type: 'string' },
        quiet: { type: 'boolean', default: false },
        'unsafe-fixes': { type: 'boolean', default: false },
        jobs: { type: 'string' },
        shard: { type: 'string' },
        watch: { type: 'boolean', default: false },
        stats: { type: 'boolean', default: false },
        'stdin-filename': { type: 'string', default: 'stdin.yaml' },
      },
      run: checkCommand,
    },
    diff: {
      about: 'says what changes for the users of CRDs between two states: what is refused, breaks, or only widens',
      usage: 'diff [OPTIONS] OLD [NEW]',
      help: (
        versions,
      ) => `Says what changes for the users of CRDs: what the API server would refuse as an update, which stored objects and
clients break, what only widens, and which of the known resources the API server would no longer accept.

OLD and NEW are files or folders, or those of a commit: REF:PATH, with the path from the folder that it runs in.
merge-base:REF:PATH is where the branch left REF. Without NEW, a commit is compared with the same path on disk.

  --resources PATH       also ask resources from there, besides those of NEW; several times
  --fail-on EFFECT       the least effect that fails: ${effects.join(', ')} or none; default: breaks
  --format FORMAT        ${diffFormats.join(', ')}; default: text
  --kubernetes VERSION   default: that of .kube-crd.yaml, otherwise ${versions[0]!.name}

Exit code 0: nothing breaks, 1: something is refused or breaks, 2: wrong usage, or files that could not be read.

  kube-crd diff main:config/crd
  kube-crd diff --format markdown merge-base:origin/main:config/crd
  kube-crd diff --resources config/samples old/crds new/crds
`,
      options: {
        kubernetes: { type: 'string' },
        format: { type: 'string', default: 'text' },
        'fail-on': { type: 'string', default: 'breaks' },
        resources: { type: 'string', multiple: true, default: [] },
      },
      run: async (values, [old, now, ...more]) => {
        if (old === undefined || more.length > 0) throw new Error('diff takes an old and a new state');
        return diffCommand({
          old,
          now,
          resources: texts(values, 'resources'),
          version: await oneVersion(values, now),
          format: oneOf<DiffFormat>('--format', diffFormats, values.format),
          failOn: values['fail-on'] === 'none' ? undefined : oneOf<Effect>('--fail-on', effects, values['fail-on']),
        });
      },
    },
    generate: {
      about: 'prints the CRDs that controller-gen makes of Go types',
      usage: 'generate [OPTIONS] PATH...',
      help: () => `Prints the CRDs that controller-gen ${controllerGenVersion} makes of Go packages, without running Go: folders, or with
/... at the end also the packages below. Imported packages are read from the module itself, its vendor folder, or the
module cache.

  --output FOLDER        write files there, under the names that controller-gen gives them

Exit code 0: made, 1: controller-gen would end with an error, 2: wrong usage, or types of packages that are not here.

  kube-crd generate ./api/...
  kube-crd generate --output config/crd/bases ./api/v1 ./api/v1beta1
`,
      options: { output: { type: 'string' } },
      run: async ({ output }, paths) => {
        if (paths.length === 0) throw new Error('no folders of Go packages given');
        return generateCrds({ paths, output: output === undefined ? undefined : String(output) });
      },
    },
    render: {
      about: 'prints objects as the API server stores them: pruned, with defaults, in the storage version',
      usage: 'render [OPTIONS] PATH...',
      help: (
        versions,
      ) => `Prints objects as the API server stores them: pruned, with their defaults, in the storage version.

Objects are new, or written over what git has of them, as if the same person had written that. Comments say what the API
server would refuse, and where client-side apply comes to something else than server-side apply.

  --as WAY               create, replace, or apply (kubectl apply --server-side); default: create
  --baseline REF         what the object is written over; merge-base:REF is where the branch began; default: HEAD
  --kubernetes VERSION   default: that of .kube-crd.yaml, otherwise ${versions[0]!.name}
${crdHelp}

  kube-crd render --crds config/crd config/samples/widget.yaml
  kube-crd render --as apply --crds config/crd config/samples/widget.yaml
`,
      options: {
        ...crdOptions,
        kubernetes: { type: 'string' },
        as: { type: 'string', default: 'create' },
        baseline: { type: 'string' },
      },
      run: async (values, paths) => {
        const { baseline } = values;
        if (baseline !== undefined && !isRef(baseline)) throw new Error(`${baseline} is not a git ref`);
        const writing = oneOf<Writing>('--as', writings, values.as);
        if (baseline !== undefined && writing === 'create')
          throw new Error('--baseline goes with --as replace or --as apply: what is created is written over nothing');
        return render({ ...crdsOf(values), paths, version: await oneVersion(values, paths[0]), writing, baseline });
      },
    },
    get: {
      about: 'prints objects as kubectl get would, in the columns of their CRD',
      usage: 'get [OPTIONS] PATH...',
      help: (
        versions,
      ) => `Prints objects as kubectl get would if a cluster held them as they are written; - is standard input.

The cells are those that the API server would fill. A column that leads nowhere, or to a value of another type, is empty.
An object that no cluster has created yet has no age.

  -o wide                also the columns of lower priority
  --kubernetes VERSION   default: that of .kube-crd.yaml, otherwise ${versions[0]!.name}
${crdHelp}

Exit code 0, or 2: wrong usage, or something that could not be printed.

  kube-crd get --crds config/crd config/samples
  kube-crd get -o wide --crds config/crd config/samples/widget.yaml
`,
      options: { ...crdOptions, kubernetes: { type: 'string' }, output: { type: 'string', short: 'o' } },
      run: async (values, paths) =>
        get({
          ...crdsOf(values),
          paths,
          version: await oneVersion(values, paths[0]),
          wide: values.output !== undefined && oneOf('-o', ['wide'] as const, values.output) === 'wide',
        }),
    },
    eval: {
      about: "evaluates a CEL expression over a resource, as one of its CRD's rules",
      usage: "eval [OPTIONS] ['EXPRESSION'] [RESOURCE]",
      help: (
        versions,
      ) => `Evaluates a CEL expression over a resource, as a rule of its CRD at the root or at a path: prints type, value and cost.

Without an expression it asks for them, one a line, with history and completion by Tab on a terminal; without a resource
self is empty.

  --at PATH              self is what is there, such as spec or spec.ports; default: the whole object
  --old RESOURCE         oldSelf comes from this file
  --trace                also print the values of the parts
  --kubernetes VERSION   default: that of .kube-crd.yaml, otherwise ${versions[0]!.name}
${crdHelp}

Exit code 0: it was evaluated, 1: evaluation ended in an error, 2: wrong usage, or it does not compile.

  kube-crd eval 'self.minReplicas <= self.replicas' --at spec --crds config/crd widget.yaml
  kube-crd eval --trace 'self.spec.parts.all(p, p.size > 0)' --crds config/crd widget.yaml
  kube-crd eval --crds config/crd widget.yaml
  kube-crd eval '[3, 1].min() + 1'
`,
      options: {
        ...crdOptions,
        kubernetes: { type: 'string' },
        at: { type: 'string', default: '' },
        old: { type: 'string' },
        trace: { type: 'boolean', default: false },
      },
      run: async (values, [...given]) => {
        if (given.length > 2) throw new Error('eval takes an expression and one file');
        const resource = given.length === 2 || isFile(given[0]) ? given.pop() : undefined;
        const expression = given.pop();
        const old = typeof values.old === 'string' ? values.old : undefined;
        return evaluateCommand({
          ...crdsOf(values),
          expression,
          resource,
          old,
          at: String(values.at),
          trace: values.trace === true,
          version: await oneVersion(values, resource),
        });
      },
    },
    explain: {
      about: 'explains a kind or a field, as kubectl explain does, with constraints, defaults and rules',
      usage: 'explain [OPTIONS] KIND[.FIELD]... [PATH]...',
      help: (versions) => `Explains a kind or a field of the CRDs found at the paths, the folder it runs in by default.

  --recursive            the fields of fields too
  -o, --output FORMAT    ${explainFormats.join(', ')}; default: text
  --api-version VERSION  group/version; default: the version that kubectl takes
  --kubernetes VERSION   default: that of .kube-crd.yaml, otherwise ${versions[0]!.name}
${crdHelp}

  kube-crd explain widget.spec.size config/crd
  kube-crd explain --recursive widget config/crd
`,
      options: {
        ...crdOptions,
        kubernetes: { type: 'string' },
        'api-version': { type: 'string' },
        recursive: { type: 'boolean', default: false },
        output: { type: 'string', short: 'o', default: 'text' },
      },
      run: async (values, [what, ...paths]) => {
        if (what === undefined) throw new Error('explain takes the name of a kind');
        const given = values['api-version'];
        const apiVersion = typeof given === 'string' ? given : undefined;
        return explain({
          ...crdsOf(values),
          what,
          paths: paths.length > 0 ? paths : ['.'],
          apiVersion,
          version: await oneVersion(values, paths[0]),
          format: oneOf<ExplainFormat>('--output', explainFormats, values.output),
          recursive: values.recursive === true,
        });
      },
    },
    docs: {
      about: 'writes a page in Markdown about each kind',
      usage: 'docs [OPTIONS] FOLDER [PATH]...',
      help: (
        versions,
      ) => `Writes a page in Markdown about each kind of the CRDs at the paths, the folder it runs in by default:
{group}/{kind}.md below FOLDER, and an index.md that leads to them.

  --kubernetes VERSION   default: that of .kube-crd.yaml, otherwise ${versions[0]!.name}

  kube-crd docs docs/api config/crd
`,
      options: { kubernetes: { type: 'string' } },
      run: async (values, [folder, ...paths]) => {
        if (folder === undefined) throw new Error('docs takes a folder to write to');
        const version = await oneVersion(values, paths[0]);
        return docs({ folder, paths: paths.length > 0 ? paths : ['.'], version });
      },
    },
    cost: {
      about: 'prints what the rules of CRDs may cost, and what makes them expensive',
      usage: 'cost [OPTIONS] PATH...',
      help: (versions) => `Prints the share of its budget that each rule of a CRD may take, the most expensive first.

  --max PERCENT          fail when a rule may take more
  --kubernetes VERSION   default: that of .kube-crd.yaml, otherwise ${versions[0]!.name}

  kube-crd cost --max 50 config/crd
`,
      options: { kubernetes: { type: 'string' }, max: { type: 'string' } },
      run: async (values, paths) =>
        cost({ paths, version: await oneVersion(values, paths[0]), max: numberOf('--max', values.max) }),
    },
    test: {
      about: 'runs the tests of CRDs: which objects and updates they accept, what is stored, what rules say',
      usage: 'test [OPTIONS] [PATH]...',
      help: (
        versions,
      ) => `Runs the cases of *.crdtest.yaml, in the folder it runs in by default. docs/testing.md explains the files.

  --kubernetes VERSIONS  run in these versions, whatever the files say; default: ${versions[0]!.name}
  --filter TEXT          only cases whose name contains it
  --import               the files are suites in the form of openshift/api (crdName, tests.onCreate, tests.onUpdate)
  --convert              with --import: write the suites as files *.crdtest.yaml instead of running them
  -o, --output FOLDER    with --convert: where; nothing is written over what is there
  --format FORMAT        ${Object.keys(testFormats).join(', ')}; default: text
  --update               write what comes as expected into the files, which keep their comments; review it
  --watch                run again whenever a file changes
  --jobs NUMBER          run the files in so many threads; default: 1
  --cluster CONTEXT      ask a cluster the same through your kubectl, with server-side dry runs, and say where it answers
                         otherwise; updates take an object that is stored for them, in a namespace of its own, and removed
  --namespace NAME       with --cluster: use that one instead
  --create-crds          with --cluster: create the CRDs that it does not have, and remove them again
  --coverage             print which rules, branches, bounds and fields of the CRDs no case tries
  --coverage-lcov FILE   write that in the form of lcov
  --min-coverage PERCENT fail when the cases try less
${crdHelp}

Exit code 0: all passed, 1: some failed, a cluster answers otherwise or the cases try too little, 2: wrong usage, no cases,
or files that could not be read.

  kube-crd test
  kube-crd test --kubernetes 1.31..1.37 --filter ratchet config/crd
  kube-crd test --coverage --min-coverage 80
  kube-crd test --import --crds config/crd/widgets.yaml tests/widgets.yaml
`,
      options: {
        ...crdOptions,
        kubernetes: { type: 'string' },
        filter: { type: 'string', default: '' },
        format: { type: 'string', default: 'text' },
        import: { type: 'boolean', default: false },
        coverage: { type: 'boolean', default: false },
        'coverage-lcov': { type: 'string' },
        'min-coverage': { type: 'string' },
        update: { type: 'boolean', default: false },
        convert: { type: 'boolean', default: false },
        jobs: { type: 'string' },
        cluster: { type: 'string' },
        namespace: { type: 'string' },
        'create-crds': { type: 'boolean', default: false },
        output: { type: 'string', short: 'o' },
        watch: { type: 'boolean', default: false },
      },
      run: testCommand,
    },
    config: {
      about: 'prints the settings that hold for files, and where they come from',
      usage: 'config PATH...',
      help: () => `Prints the settings that hold for each file or folder, and which .kube-crd.yaml they come from.

  kube-crd config config/samples/widget.yaml
`,
      options: {},
      run: (_, paths) => config(paths),
    },
    schema: {
      about: 'writes the schemas of CRDs for other programs, as JSON Schema or OpenAPI',
      usage: 'schema [OPTIONS] PATH...',
      help: (
        versions,
      ) => `Writes the schema of each version of a CRD for other programs, such as yaml-language-server and kubeconform.

JSON Schema is as strict as the API server is with kubectl: unknown fields are errors. CEL rules and list types are beyond it.
The OpenAPI forms are those that the API server publishes; version 2 leaves out what kubectl cannot read.

  -o, --output FOLDER    write {group}/{kind}_{version}.json there; without it, one schema is printed
  --form FORM            ${schemaForms.join(', ')}; default: json-schema
  --kubernetes VERSION   default: that of .kube-crd.yaml, otherwise ${versions[0]!.name}

Exit code 0, or 2: wrong usage, or a CRD that the API server refuses.

  kube-crd schema config/crd/widgets.yaml
  kube-crd schema -o schemas config/crd
`,
      options: {
        kubernetes: { type: 'string' },
        output: { type: 'string', short: 'o' },
        form: { type: 'string', default: 'json-schema' },
      },
      run: async (values, paths) =>
        schemas({
          paths,
          folder: typeof values.output === 'string' ? values.output : undefined,
          form: oneOf<SchemaForm>('--form', schemaForms, values.form),
          version: await oneVersion(values, paths[0]),
        }),
    },
    crds: {
      about: 'fetches CRDs from a cluster, a chart or the network, for kinds that nothing here defines',
      usage: 'crds fetch|update [OPTIONS]',
      help: () => `Fetches CRDs into your cache, where kinds that nothing nearer defines are looked for. Nothing else uses the network.

  fetch                  from one of:
    --cluster CONTEXT    a cluster, through your kubectl: kubectl config get-contexts lists the names
    --chart NAME@VERSION a Helm chart, through your helm if there is one; the version and --repo may be left out
                         where a file here names them, such as a HelmRelease, an Application or a Chart.lock
    --repo URL           the chart's repository
    --url URL            a file of CRDs or a chart archive, over https
    --catalogue URL      JSON schemas as URL/{group}/{kind}_{version}.json, for the kinds that are used here
    --locked             what kube-crd.lock names and is not here; fails where a source has something else by now
  update                 asks again, and prints what is different; with --dry-run changes nothing

  --kind GLOB            only kinds such as 'cert-manager.io/*'
  --save                 also into .kube-crd here, noted in kube-crd.lock: without --kind, the kinds that are used here
  --ca-file FILE         certificates that are trusted too; HTTPS_PROXY and NO_PROXY are respected

  kube-crd crds fetch --cluster staging
  kube-crd crds fetch --chart cert-manager --save
  kube-crd check --locked
`,
      options: {
        cluster: { type: 'string' },
        chart: { type: 'string' },
        repo: { type: 'string' },
        url: { type: 'string' },
        catalogue: { type: 'string' },
        kind: { type: 'string', multiple: true, default: [] },
        'ca-file': { type: 'string' },
        save: { type: 'boolean', default: false },
        locked: { type: 'boolean', default: false },
        'dry-run': { type: 'boolean', default: false },
      },
      run: (values, words) => {
        const text = (name: string) => (typeof values[name] === 'string' ? values[name] : undefined);
        return crds(words, {
          cluster: text('cluster'),
          chart: text('chart'),
          repo: text('repo'),
          url: text('url'),
          catalogue: text('catalogue'),
          caFile: text('ca-file'),
          kinds: texts(values, 'kind'),
          save: values.save === true,
          locked: values.locked === true,
          dryRun: values['dry-run'] === true,
        });
      },
    },
    server: {
      about: 'runs the language server',
      usage: 'server --stdio',
      help: () => `Runs the language server over --stdio, --node-ipc, --socket=PORT or --pipe=NAME.
`,
      options: {},
      run: async (_, __, args) => serve(args),
    },
  }),
);

/** The help, with the versions that `--kubernetes` takes. */
export function usageText(program: string, versions: readonly KubernetesVersion[]): string {
  const rows = [...commands.values()].map(({ usage, about }) => `  kube-crd ${usage}\n      ${about}\n`);
  return `kube-crd ${program}: checks CRDs and custom resources as the Kubernetes API server would

${rows.join('')}
kube-crd COMMAND --help says more. Known Kubernetes versions: ${versions.map(({ name }) => name).join(', ')}.
`;
}

function commandHelp({ usage, help }: Command, versions: readonly KubernetesVersion[]): string {
  return `kube-crd ${usage}\n\n${help(versions)}`;
}

/** Runs the command line; gives the exit code, or undefined where the server goes on running. */
export async function runCli(args: readonly string[]): Promise<number | undefined> {
  const [name, ...rest] = args;
  if (name === '--version') return print(`${VERSION}\n`);
  if (name === '--help' || name === 'help') return print(usageText(VERSION, kubernetesVersions));
  const command = commands.get(name ?? '');
  if (!command) {
    const usage = usageText(VERSION, kubernetesVersions);
    process.stderr.write(name === undefined ? usage : `kube-crd: unknown command ${name}\n\n${usage}`);
    return 2;
  }
  if (rest.includes('--help')) return print(commandHelp(command, kubernetesVersions));
  try {
    if (name === 'server') return await command.run({}, [], rest);
    const { values, positionals } = parseArgs({ args: [...rest], options: command.options, allowPositionals: true });
    return await command.run(values, positionals, rest);
  } catch (error) {
    process.stderr.write(`kube-crd: ${error instanceof Error ? error.message : String(error)}\n`);
    return 2;
  }
}

function print(text: string): number {
  process.stdout.write(text);
  return 0;
}

function texts(values: Values, name: string): readonly string[] {
  const value = values[name];
  return Array.isArray(value) ? value.map(String) : [];
}

function crdsOf(values: Values) {
  return { crds: texts(values, 'crds'), without: texts(values, 'without') };
}

/** What is asked for, or what `.kube-crd.yaml` says where the first path leads. */
async function oneVersion({ kubernetes }: Values, first = '.'): Promise<KubernetesVersion> {
  if (kubernetes === undefined) {
    const { settings, uri } = await settingsNear(first);
    return newestOf(settingsAt(settings, uri));
  }
  const [version, ...more] = versionsNamed(knownVersions(String(kubernetes))) ?? [];
  if (!version || more.length > 0) throw new Error('this command takes one Kubernetes version');
  return version;
}

/** Whether a lone argument names a file: one that is there, or that was meant to be. */
function isFile(name = ''): boolean {
  return /\.(ya?ml|json)$/i.test(name) || existsSync(name);
}

function isTestFormat(format: Values[string]): format is TestFormatName {
  return typeof format === 'string' && Object.hasOwn(testFormats, format);
}

function isRef(baseline: Values[string]): baseline is string {
  return typeof baseline === 'string' && !/^(merge-base:)?(-|$)/.test(baseline);
}

async function checkCommand(values: Values, positionals: readonly string[]): Promise<number> {
  const { baseline, format } = values;
  if (baseline !== undefined && !isRef(baseline)) throw new Error(`${baseline} is not a git ref`);
  if (typeof format !== 'string' || !isFormat(format)) {
    throw new Error(`unknown format ${format}; there are ${Object.keys(formats).join(', ')}`);
  }
  if (values['dry-run'] === true && values.fix !== true) throw new Error('--dry-run goes with --fix');
  if (values['unsafe-fixes'] === true && values.fix !== true) throw new Error('--unsafe-fixes goes with --fix');
  const hasStdin = positionals.includes('-');
  if (values.fix === true && hasStdin) throw new Error('standard input cannot be fixed in place');
  if (values.watch === true && (hasStdin || values.fix === true))
    throw new Error('--watch goes with files, and without --fix');
  const jobs = jobsOf(values);
  const options: CheckOptions = {
    ...crdsOf(values),
    locked: values.locked === true,
    paths: positionals.length > 0 ? positionals : ['.'],
    stdinName: String(values['stdin-filename']),
    versions: values.kubernetes === undefined ? undefined : knownVersions(String(values.kubernetes)),
    knownKinds: texts(values, 'known-kind'),
    builtinKinds: onOff('--builtin-kinds', values['builtin-kinds']),
    rules: rulesOf(texts(values, 'rules')),
    baseline,
    format,
    fix: values.fix !== true ? 'no' : values['dry-run'] === true ? 'show' : 'write',
    exclude: texts(values, 'exclude'),
    gitignore: values['no-ignore'] !== true,
    maxWarnings: numberOf('--max-warnings', values['max-warnings']),
    quiet: values.quiet === true,
    unsafeFixes: values['unsafe-fixes'] === true,
    // A thread cannot read standard input.
    jobs: hasStdin ? 1 : jobs,
    shard: shardOf(values.shard),
    stats: values.stats === true,
  };
  return values.watch === true ? watch(options.paths, () => check(options)) : check(options);
}

function onOff(name: string, value: unknown): 'on' | 'off' | undefined {
  if (value === undefined || value === 'on' || value === 'off') return value;
  throw new Error(`${name} is on or off`);
}

async function testCommand(values: Values, paths: readonly string[]): Promise<number> {
  const { format } = values;
  if (!isTestFormat(format)) {
    throw new Error(`unknown format ${format}; there are ${Object.keys(testFormats).join(', ')}`);
  }
  const coverage = coverageOf(values);
  if (coverage && values.import === true) throw new Error('coverage is counted for files *.crdtest.yaml only');
  if (values.update === true && (values.import === true || values.watch === true))
    throw new Error('--update goes without --import and --watch');
  if (values.convert === true && values.watch === true) throw new Error('--convert goes without --watch');
  if (values.convert === true && values.import !== true) throw new Error('--convert goes with --import');
  if (values.output !== undefined && values.convert !== true) throw new Error('--output goes with --convert');
  const options: TestOptions = {
    ...crdsOf(values),
    paths: paths.length > 0 ? paths : ['.'],
    versions: values.kubernetes === undefined ? undefined : String(values.kubernetes),
    filter: String(values.filter),
    format,
    imports: values.import === true,
    coverage,
    update: values.update === true,
    convert:
      values.convert === true
        ? {
            output: values.output === undefined ? undefined : String(values.output),
            versions: values.kubernetes === undefined ? undefined : String(values.kubernetes),
          }
        : undefined,
    jobs: jobsOf(values),
    cluster: clusterOf(values),
  };
  const inOneThread = coverage ? 'coverage' : options.update ? '--update' : options.cluster ? '--cluster' : undefined;
  if (options.jobs > 1 && inOneThread) throw new Error(`--jobs goes without ${inOneThread}`);
  if (values.watch !== true) return await test(options);
  return await watch([...options.paths, ...options.crds, ...(await crdFolders(options.paths))], () => test(options));
}

function jobsOf({ jobs }: Values): number {
  const count = jobs === undefined ? 1 : numberOf('--jobs', jobs);
  if (count < 1 || count > mostJobs) throw new Error(`--jobs takes a number from 1 to ${mostJobs}`);
  return count;
}

function clusterOf(values: Values): ClusterOptions | undefined {
  const { cluster, namespace } = values;
  const createCrds = values['create-crds'] === true;
  if (cluster === undefined) {
    if (namespace !== undefined || createCrds) throw new Error('--namespace and --create-crds go with --cluster');
    return undefined;
  }
  const others = ['import', 'update', 'watch', 'kubernetes'].filter(
    (name) => values[name] !== undefined && values[name] !== false,
  );
  if (others.length > 0) throw new Error(`--cluster goes without --${others[0]}`);
  return { context: String(cluster), namespace: namespace === undefined ? undefined : String(namespace), createCrds };
}

function coverageOf(values: Values): CoverageOptions | undefined {
  const [shown, lcov, least] = [values.coverage === true, values['coverage-lcov'], values['min-coverage']];
  if (!shown && lcov === undefined && least === undefined) return undefined;
  if (lcov === '') throw new Error('--coverage-lcov takes the name of a file');
  return {
    shown,
    lcov: lcov === undefined ? undefined : String(lcov),
    least: least === undefined ? undefined : percentageOf('--min-coverage', least),
  };
}

const mostJobs = 64;

function shardOf(given: Values[string]): CheckOptions['shard'] {
  if (given === undefined) return { nth: 1, of: 1 };
  const [, nth = 0, of = 0] = (/^(\d{1,4})\/(\d{1,4})$/.exec(String(given)) ?? []).map(Number);
  if (nth < 1 || nth > of) throw new Error(`--shard takes two numbers such as 1/4, not ${given}`);
  return { nth, of };
}

function rulesOf(given: readonly string[]): Settings['rules'] {
  return new Map(
    given.map((one) => {
      const [code = '', severity = ''] = one.split('=');
      const known = severities.find((name) => name === severity);
      if (!ruleOf(code)) throw new Error(`there is no rule ${code}`);
      if (!known) throw new Error(`${one}: a severity is one of ${severities.join(', ')}`);
      return [code, known];
    }),
  );
}

function oneOf<T extends string>(option: string, known: readonly T[], given: Values[string]): T {
  const found = known.find((one) => one === given);
  if (found === undefined) throw new Error(`${option} is one of ${known.join(', ')}, not ${given}`);
  return found;
}

function percentageOf(option: string, given: Values[string]): number {
  const percent = numberOf(option, given);
  if (percent > 100) throw new Error(`${option} takes a percentage up to 100, not ${given}`);
  return percent;
}

function numberOf(option: string, given: Values[string]): number {
  if (given === undefined) return Number.POSITIVE_INFINITY;
  if (typeof given === 'string' && /^\d+$/.test(given)) return Number(given);
  throw new Error(`${option} takes a number, not ${given}`);
}
