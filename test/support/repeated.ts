import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { boxCrd } from './boxCrd.ts';
import { type Ran, runProgram } from './program.ts';

/** A folder with a CRD and resources, in which `check` is run, with a cache of its own. */
export interface Repeated {
  readonly folder: string;
  readonly cache: string;
  write(name: string, text: string): void;
  check(...args: readonly string[]): Ran;
}

export function inRepeated(work: (here: Repeated) => void): void {
  const top = mkdtempSync(path.join(os.tmpdir(), 'kube-crd-again-'));
  const [folder, cache] = ['work', 'cache'].map((name) => path.join(top, name)) as [string, string];
  const { KUBE_CRD_NO_CACHE: _, ...rest } = process.env;
  const env = {
    ...rest,
    KUBE_CRD_CACHE: cache,
    GOMODCACHE: path.join(top, 'go'),
    HELM_CACHE_HOME: path.join(top, 'helm'),
  };
  const write = (name: string, text: string) => {
    const file = path.join(folder, name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, text);
  };
  try {
    write('crd.yaml', crd('integer'));
    write('boxes/one.yaml', box('one', '1'));
    work({ folder, cache, write, check: (...args) => runProgram(folder, ['check', ...args], '', env) });
  } finally {
    rmSync(top, { recursive: true, force: true });
  }
}

export const crd = (type: string) =>
  boxCrd(`{type: object, properties: {spec: {type: object, properties: {size: {type: ${type}}}}}}`);

export const box = (name: string, size: string) => `apiVersion: example.com/v1
kind: Box
metadata: {name: ${name}, namespace: default}
spec: {size: ${size}}
`;

/** What a run said but for its last line, which tells how long it took and whether it judged. */
export function saidBy({ status, stdout, stderr }: Ran): string {
  const beside = stderr.split('\n').map((line) => line.replace(/ \(\d+\.\d s.*\)$/, ''));
  return [status, stdout, ...beside].join('\n');
}

export const isRepeat = ({ stderr }: Ran) => stderr.includes('; nothing has changed since the last run)');
