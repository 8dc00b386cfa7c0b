import { parseArgs } from 'node:util';
import { kubernetesVersions } from '../kubernetes/releases/all.ts';
import type { KubernetesVersion } from '../kubernetes/releases/release.ts';
import { localSources } from '../workspace/origin.ts';
import { check } from './check.ts';
import { serve } from './serve.ts';

/** The help, with the versions that `--kubernetes` takes. */
export function usageText(program: string, versions: readonly KubernetesVersion[]): string {
  return `kube-crd ${program}: checks CRDs and custom resources as the Kubernetes API server would

  kube-crd check [--kubernetes VERSION] [--crds PATH]... [--without SOURCE]... [--known-kind GLOB]...
                 [--baseline REF] [--format text|json] PATH...
      checks YAML files and folders; with --baseline (a ref, or merge-base:REF), as updates of what git has there;
      --crds: files, folders, chart archives, catalogues of JSON schemas
      --without: do not look for CRDs there: ${Object.keys(localSources).join(', ')}
      --known-kind: kinds such as '*.example.com/*' whose CRDs need not be known
      --kubernetes: ${versions.map(({ name }) => name).join(', ')}; default: the first
      exit code 0: no errors, 1: errors, 2: wrong usage, or files that could not be checked
  kube-crd server --stdio
      runs the language server
`;
}

const usage = () => usageText(VERSION, kubernetesVersions);

/** Runs the command line; gives the exit code, or undefined where the server goes on running. */
export async function runCli(args: readonly string[]): Promise<number | undefined> {
  const [command, ...rest] = args;
  if (command === 'server') return serve(rest);
  if (command === 'check') return checkCommand(rest);
  if (command === '--version') {
    process.stdout.write(`${VERSION}\n`);
    return 0;
  }
  if (command === '--help' || command === 'help') {
    process.stdout.write(usage());
    return 0;
  }
  process.stderr.write(command === undefined ? usage() : `kube-crd: unknown command ${command}\n\n${usage()}`);
  return 2;
}

async function checkCommand(args: readonly string[]): Promise<number> {
  const options = {
    kubernetes: { type: 'string' },
    crds: { type: 'string', multiple: true, default: [] as string[] },
    without: { type: 'string', multiple: true, default: [] as string[] },
    'known-kind': { type: 'string', multiple: true, default: [] as string[] },
    baseline: { type: 'string', default: 'none' },
    format: { type: 'string', default: 'text' },
  } as const;
  try {
    const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true });
    if (positionals.length === 0) throw new Error('no files given');
    if (/^(merge-base:)?(-|$)/.test(values.baseline)) throw new Error(`${values.baseline} is not a git ref`);
    if (values.format !== 'text' && values.format !== 'json') throw new Error(`unknown format ${values.format}`);
    const { 'known-kind': knownKinds, format, ...rest } = values;
    return await check({ ...rest, knownKinds, paths: positionals, format });
  } catch (error) {
    process.stderr.write(`kube-crd: ${error instanceof Error ? error.message : String(error)}\n`);
    return 2;
  }
}
