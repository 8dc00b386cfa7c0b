import { execFile, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

// What a program of client-go asks a server that holds nothing yet, and what it prints: test/cluster/client/main.go.

const home = path.resolve('test/cluster/client');

/** The program, built from its source as it is now; undefined without Go. */
export function clientProgram(): string | undefined {
  const binary = path.join(home, 'bin/client');
  const args = ['build', '-o', binary, '.'];
  const { status } = spawnSync('go', args, { cwd: home, stdio: ['ignore', 'inherit', 'inherit'] });
  return status === 0 ? binary : undefined;
}

export const recorded = 'test/fakeServer/clientGo.txt';

/** What it prints of a server, which may be in this process: it has to go on meanwhile. */
export async function printedBy(program: string, kubeconfig: string): Promise<string> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'kube-crd-client-'));
  const file = path.join(folder, 'kubeconfig');
  writeFileSync(file, kubeconfig);
  try {
    return await new Promise((resolve) => {
      execFile(program, [file], { timeout: 60_000 }, (_, stdout, stderr) => resolve(stdout + stderr));
    });
  } finally {
    rmSync(folder, { recursive: true });
  }
}
