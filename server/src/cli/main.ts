import { type ParseArgsConfig, parseArgs } from 'node:util';
import { kubernetesVersions } from '../kubernetes/releases/all.ts';
import type { KubernetesVersion } from '../kubernetes/releases/release.ts';
import { ruleOf } from '../rules/model/registry.ts';
import { localSources } from '../workspace/origin.ts';
import { type Settings, severities } from '../workspace/settings.ts';
import { check } from './check.ts';
import { cost } from './cost.ts';
import { crds } from './crds.ts';
import { evaluateCommand } from './evaluate.ts';
import { explain } from './explain.ts';
import { formats, isFormat } from './formats/formats.ts';
import { render } from './render.ts';
import { serve } from './serve.ts';
import { versionsNamed } from './versions.ts';

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

  --kubernetes VERSIONS  1.33, 1.31..1.37, 1.33,1.36 or all; default: ${versions[0]!.name}
                         known: ${versions.map(({ name }) => name).join(', ')}
  --baseline REF         check as updates of what git has there; merge-base:REF is where the branch began
${crdHelp}
  --locked               fail where a CRD of kube-crd.lock is missing or changed, and use no other that you fetched
  --known-kind GLOB      kinds such as '*.example.com/*' whose CRDs need not be known
  --rules CODE=SEVERITY  error, warning, information, hint or off for a rule; several times
  --format FORMAT        ${Object.keys(formats).join(', ')}; default: text
  --fix                  apply safe fixes; with --dry-run, print them as a diff instead
  --exclude GLOB         leave out files, unless they are named
  --no-ignore            do not leave out what git ignores
  --max-warnings NUMBER  fail when there are more warnings
  --quiet                errors alone, without a summary
  --stdin-filename NAME  what standard input is called in findings

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
        rules: { type: 'string', multiple: true, default: [] },
        baseline: { type: 'string', default: 'none' },
        format: { type: 'string', default: 'text' },
        fix: { type: 'boolean', default: false },
        'dry-run': { type: 'boolean', default: false },
        exclude: { type: 'string', multiple: true, default: [] },
        'no-ignore': { type: 'boolean', default: false },
        'max-warnings': { type: 'string' },
        quiet: { type: 'boolean', default: false },
        'stdin-filename': { type: 'string', default: 'stdin.yaml' },
      },
      run: checkCommand,
    },
    render: {
      about: 'prints objects as the API server stores them: pruned, with defaults, in the storage version',
      usage: 'render [OPTIONS] PATH...',
      help: (
        versions,
      ) => `Prints objects as the API server stores them: pruned, with their defaults, in the storage version.

  --kubernetes VERSION   default: ${versions[0]!.name}
${crdHelp}

  kube-crd render --crds config/crd config/samples/widget.yaml
`,
      options: { ...crdOptions, kubernetes: { type: 'string' } },
      run: (values, paths) => render({ ...crdsOf(values), paths, version: oneVersion(values) }),
    },
    eval: {
      about: "evaluates a CEL expression over a resource, as one of its CRD's rules",
      usage: "eval [OPTIONS] 'EXPRESSION' RESOURCE",
      help: (
        versions,
      ) => `Evaluates a CEL expression over a resource, as a rule of its CRD at the root or at a path: prints type, value and cost.

  --at PATH              self is what is there, such as spec or spec.ports; default: the whole object
  --old RESOURCE         oldSelf comes from this file
  --kubernetes VERSION   default: ${versions[0]!.name}
${crdHelp}

  kube-crd eval 'self.minReplicas <= self.replicas' --at spec --crds config/crd widget.yaml
`,
      options: {
        ...crdOptions,
        kubernetes: { type: 'string' },
        at: { type: 'string', default: '' },
        old: { type: 'string' },
      },
      run: (values, [expression, resource, ...more]) => {
        if (expression === undefined || resource === undefined || more.length > 0)
          throw new Error('eval takes an expression and one file');
        const old = typeof values.old === 'string' ? values.old : undefined;
        return evaluateCommand({
          ...crdsOf(values),
          expression,
          resource,
          old,
          at: String(values.at),
          version: oneVersion(values),
        });
      },
    },
    explain: {
      about: 'explains a kind or a field, as kubectl explain does, with constraints, defaults and rules',
      usage: 'explain [OPTIONS] KIND[.FIELD]... [PATH]...',
      help: (versions) => `Explains a kind or a field of the CRDs found at the paths, the folder it runs in by default.

  --api-version VERSION  group/version; default: the version that kubectl takes
  --kubernetes VERSION   default: ${versions[0]!.name}
${crdHelp}

  kube-crd explain widget.spec.size config/crd
`,
      options: { ...crdOptions, kubernetes: { type: 'string' }, 'api-version': { type: 'string' } },
      run: (values, [what, ...paths]) => {
        if (what === undefined) throw new Error('explain takes the name of a kind');
        const given = values['api-version'];
        const apiVersion = typeof given === 'string' ? given : undefined;
        return explain({
          ...crdsOf(values),
          what,
          paths: paths.length > 0 ? paths : ['.'],
          apiVersion,
          version: oneVersion(values),
        });
      },
    },
    cost: {
      about: 'prints what the rules of CRDs may cost, and what makes them expensive',
      usage: 'cost [OPTIONS] PATH...',
      help: (versions) => `Prints the share of its budget that each rule of a CRD may take, the most expensive first.

  --max PERCENT          fail when a rule may take more
  --kubernetes VERSION   default: ${versions[0]!.name}

  kube-crd cost --max 50 config/crd
`,
      options: { kubernetes: { type: 'string' }, max: { type: 'string' } },
      run: (values, paths) => cost({ paths, version: oneVersion(values), max: numberOf('--max', values.max) }),
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

function oneVersion(values: Values): KubernetesVersion {
  const [version, ...more] = versionsOf(values);
  if (!version || more.length > 0) throw new Error('this command takes one Kubernetes version');
  return version;
}

function versionsOf({ kubernetes }: Values): KubernetesVersion[] {
  return versionsNamed(typeof kubernetes === 'string' ? kubernetes : undefined);
}

async function checkCommand(values: Values, positionals: readonly string[]): Promise<number> {
  const { baseline, format } = values;
  if (typeof baseline !== 'string' || /^(merge-base:)?(-|$)/.test(baseline))
    throw new Error(`${baseline} is not a git ref`);
  if (typeof format !== 'string' || !isFormat(format)) {
    throw new Error(`unknown format ${format}; there are ${Object.keys(formats).join(', ')}`);
  }
  if (values['dry-run'] === true && values.fix !== true) throw new Error('--dry-run goes with --fix');
  if (values.fix === true && positionals.includes('-')) throw new Error('standard input cannot be fixed in place');
  return check({
    ...crdsOf(values),
    locked: values.locked === true,
    paths: positionals.length > 0 ? positionals : ['.'],
    stdinName: String(values['stdin-filename']),
    versions: versionsOf(values),
    knownKinds: texts(values, 'known-kind'),
    rules: rulesOf(texts(values, 'rules')),
    baseline,
    format,
    fix: values.fix !== true ? 'no' : values['dry-run'] === true ? 'show' : 'write',
    exclude: texts(values, 'exclude'),
    gitignore: values['no-ignore'] !== true,
    maxWarnings: numberOf('--max-warnings', values['max-warnings']),
    quiet: values.quiet === true,
  });
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

function numberOf(option: string, given: Values[string]): number {
  if (given === undefined) return Number.POSITIVE_INFINITY;
  if (typeof given === 'string' && /^\d+$/.test(given)) return Number(given);
  throw new Error(`${option} takes a number, not ${given}`);
}
