import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { type Client, startProgram } from '../protocol/client.ts';

// The other programs that ours is timed beside, each built or installed once.

const tools = path.resolve('test/bench/bin');

/** A program in Go; undefined where there is no Go. */
export function goProgram(module: string): string | undefined {
  const name = /([\w-]+)@/.exec(module)![1]!;
  const file = path.join(tools, name);
  if (existsSync(file)) return file;
  mkdirSync(tools, { recursive: true });
  const { status, stderr } = spawnSync('go', ['install', module], {
    env: { ...process.env, GOBIN: tools, GOFLAGS: '-mod=mod' },
    encoding: 'utf8',
  });
  if (status === 0) return file;
  console.log(`  ${name} is left out: ${stderr ? stderr.trim().split('\n').at(-1) : 'there is no Go'}`);
  return undefined;
}

const packages = ['yaml-language-server@2.0.0', 'node@22.13.0'];

/** yaml-language-server, with the Node.js that it needs, judging files by the schemas that they are named for. */
export function startYamlLanguageServer(schemas: Readonly<Record<string, string>>): Client | undefined {
  const home = path.resolve('node_modules/.cache/kube-crd-bench');
  const [node, program] = ['node', 'yaml-language-server'].map((name) => path.join(home, 'node_modules/.bin', name));
  if (!existsSync(program!)) {
    mkdirSync(home, { recursive: true });
    const install = ['install', '--prefix', home, '--no-package-lock', '--no-audit', ...packages];
    const { status, stderr } = spawnSync('npm', install, { encoding: 'utf8' });
    if (status !== 0) {
      console.log(`  yaml-language-server is left out: ${stderr.trim().split('\n').at(-1)}`);
      return undefined;
    }
  }
  const yaml = { schemas, schemaStore: { enable: false }, kubernetesCRDStore: { enable: false }, validate: true };
  const sections: Readonly<Record<string, object>> = { yaml };
  return startProgram(node!, [program!, '--stdio'], {
    'workspace/configuration': ({ items }: { items: { section: string }[] }) =>
      items.map(({ section }) => sections[section] ?? {}),
  });
}

/** What a process has taken of the processor in milliseconds, in steps of 10; 0 where the system does not say. */
export function cpuOf(pid: number | undefined): number {
  const stat = `/proc/${pid}/stat`;
  if (!existsSync(stat)) return 0;
  const [user, system] = readFileSync(stat, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ')
    .slice(11, 13);
  return (Number(user) + Number(system)) * 10;
}

/** Megabytes that a process holds, or held at most; undefined where the system does not say. */
export function memoryOf(pid: number | undefined, which: 'now' | 'peak'): number | undefined {
  const status = `/proc/${pid}/status`;
  if (!existsSync(status)) return undefined;
  const field = which === 'now' ? /VmRSS:\s+(\d+)/ : /VmHWM:\s+(\d+)/;
  return Number(field.exec(readFileSync(status, 'utf8'))?.[1]) / 1000;
}
