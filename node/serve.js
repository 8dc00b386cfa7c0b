// Starts `kube-crd serve` for tests: an API server for CRDs in the time of a process.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const program = fileURLToPath(new URL('../dist/server/main.cjs', import.meta.url));

/** The options as the command has them: a list is an option several times. */
function argumentsFor({ crds = [], kubernetes, port, kubeconfig, data, audit } = {}) {
  const given = { kubernetes, port, kubeconfig, data, audit };
  const each = Object.entries(given).filter(([, value]) => value !== undefined);
  return [
    ...[crds].flat().flatMap((path) => ['--crds', path]),
    ...each.flatMap(([name, value]) => [`--${name}`, String(value)]),
  ];
}

export async function serve(options) {
  const child = spawn(process.execPath, [program, 'serve', '--until-eof', ...argumentsFor(options)], {
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const ended = once(child, 'exit');
  let complaints = '';
  child.stderr.setEncoding('utf8').on('data', (text) => {
    complaints += text;
  });
  const line = await firstLine(child.stdout);
  if (line === undefined) {
    await ended;
    throw new Error(`kube-crd serve did not start: ${complaints.trim()}`);
  }
  const stop = async () => {
    child.stdin.end();
    await ended;
  };
  return { ...JSON.parse(line), stop };
}

/** Undefined where the program ends without one. */
async function firstLine(stream) {
  let text = '';
  for await (const chunk of stream.setEncoding('utf8').iterator({ destroyOnReturn: false })) {
    text += chunk;
    if (text.includes('\n')) return text.slice(0, text.indexOf('\n'));
  }
  return undefined;
}
