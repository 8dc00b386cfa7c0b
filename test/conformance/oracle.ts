import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { conformanceFolder } from './cases.ts';

/** Real Kubernetes code, asked line by line. */
export interface Oracle {
  /** The answers to these requests, in their order. */
  ask(requests: readonly string[]): Promise<string[]>;
  close(): void;
}

export function oracleBinary(name: string): string | undefined {
  const binary = path.join(conformanceFolder, 'oracle/bin', `oracle-${name}`);
  return existsSync(binary) ? binary : undefined;
}

export function startOracle(name: string): Oracle {
  const binary = oracleBinary(name);
  if (binary === undefined) throw new Error(`there is no such oracle yet: npm run oracle -- ${name}`);
  const child = spawn(binary, { stdio: ['pipe', 'pipe', 'inherit'] });
  const lines = createInterface({ input: child.stdout, crlfDelay: Number.POSITIVE_INFINITY })[Symbol.asyncIterator]();
  return { ask: (requests) => askAll(child, lines, requests), close: () => child.stdin.end() };
}

async function askAll(
  child: ChildProcess,
  lines: AsyncIterator<string>,
  requests: readonly string[],
): Promise<string[]> {
  child.stdin!.write(requests.map((request) => `${request}\n`).join(''));
  const answers: string[] = [];
  while (answers.length < requests.length) {
    const next = await lines.next();
    if (next.done) throw new Error(`the oracle ended at request ${requests[answers.length]}`);
    answers.push(next.value);
  }
  return answers;
}
