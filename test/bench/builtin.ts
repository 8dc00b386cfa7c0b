import { type Client, modernDocument, startClient } from '../protocol/client.ts';

// What the kinds that Kubernetes has built in cost over standard input and output: the first diagnostics, for which their
// file is read, and then hover on the fields of a Deployment.

const template = `    metadata: {labels: {app: web}}
    spec:
      containers:
        - name: web
          image: nginx
          ports: [{containerPort: 80}]
          livenessProbe: {httpGet: {path: /, port: 80}}
          resources: {requests: {cpu: 100m, memory: 64Mi}}
`;

const text = `apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  replicas: 2
  strategy: {rollingUpdate: {maxSurge: 1}}
  selector: {matchLabels: {app: web}}
  template:
${template}`;

const uri = 'file:///nowhere/deployment.yaml';

export async function bench(): Promise<void> {
  const client = startClient();
  await client.request('initialize', {
    processId: null,
    rootUri: null,
    capabilities: { textDocument: { ...modernDocument, diagnostic: {} } },
  });
  client.notify('initialized', {});
  client.notify('textDocument/didOpen', { textDocument: { uri, languageId: 'yaml', version: 1, text } });
  const first = await timed(() => client.request('textDocument/diagnostic', { textDocument: { uri } }));
  console.log(`first diagnostics, with the file read: ${first.toFixed(1)} ms`);
  await hovers(client);
  await client.end();
}

async function hovers(client: Client): Promise<void> {
  const lines = text.split('\n');
  const times: number[] = [];
  for (let round = 0; round < 50; round++) {
    for (const [line, content] of lines.entries()) {
      const character = content.search(/[a-z]/);
      if (character === -1) continue;
      const at = { textDocument: { uri }, position: { line, character } };
      times.push(await timed(() => client.request('textDocument/hover', at)));
    }
  }
  times.sort((a, b) => a - b);
  const share = (part: number) => times[Math.floor(times.length * part)]!.toFixed(2);
  console.log(`hover on its fields, ${times.length} times: median ${share(0.5)} ms, p95 ${share(0.95)} ms`);
}

async function timed(run: () => Promise<unknown>): Promise<number> {
  const from = performance.now();
  await run();
  return performance.now() - from;
}
