import assert from 'node:assert/strict';
import { test } from 'node:test';
import { attackStreams } from '../fuzz/attack/streams.ts';
import { seeded } from '../support/random.ts';
import { startClient } from './client.ts';

const bomb = [
  'a: &a [x, x, x, x, x, x, x, x, x, x]',
  ...[...'bcdefghi'].map((name, i) => {
    const inner = `*${'abcdefghi'[i]}`;
    return `${name}: &${name} [${Array(10).fill(inner).join(', ')}]`;
  }),
].join('\n');

/** Texts that must neither hang nor end the server. */
const texts: Readonly<Record<string, string>> = {
  'a file of 50 MB': `# ${'x'.repeat(50_000_000)}\n`,
  'a map of 50 MB': 'key: value\n'.repeat(4_600_000).replace(/key/g, 'k'),
  '10,000 documents': 'a: 1\n---\n'.repeat(10_000),
  'an alias bomb': bomb,
  'lists nested 5,000 deep': '['.repeat(5_000),
  'maps nested 5,000 deep': Array.from({ length: 5_000 }, (_, i) => `${' '.repeat(i)}a:`).join('\n'),
  'control characters': 'a: \u0000\u0001\u0007b\n',
  'replacement characters, as invalid UTF-8 arrives': 'a: \ufffd\ufffd\n',
  'a lone surrogate': 'a: \ud800\n',
  'a CRD whose rule is nested 3,000 deep': crdWithRule(`${'('.repeat(3_000)}true${')'.repeat(3_000)}`),
  'a CRD whose rule is 200,000 characters long': crdWithRule(`'${'x'.repeat(200_000)}' == ''`),
};

for (const [name, text] of Object.entries(texts)) {
  test(`${name}: the server answers, and answers the next question too`, async () => {
    const client = startClient();
    await client.request('initialize', { processId: null, capabilities: { textDocument: { diagnostic: {} } } });
    client.notify('initialized', {});
    await ask(client, 'file:///bad.yaml', text);
    const after = await ask(client, 'file:///good.yaml', 'on: 1\n');
    assert.deepEqual(
      after.map(({ code }) => code),
      ['yaml/reads-as'],
    );
    assert.equal(await client.end(), 0);
  });
}

test('a session of messages that no client should send: every request is answered, and so is the next question', async () => {
  const failures: string[] = [];
  await attackStreams({ cases: 1, random: seeded(1), failed: (what) => failures.push(what) });
  assert.deepEqual(failures, []);
});

async function ask(client: ReturnType<typeof startClient>, uri: string, text: string): Promise<{ code: string }[]> {
  client.notify('textDocument/didOpen', { textDocument: { uri, languageId: 'yaml', version: 1, text } });
  const report = await client.request<{ items: { code: string }[] }>('textDocument/diagnostic', {
    textDocument: { uri },
  });
  return report.items;
}

function crdWithRule(rule: string): string {
  return JSON.stringify({
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'widgets.example.com' },
    spec: {
      group: 'example.com',
      scope: 'Namespaced',
      names: { plural: 'widgets', kind: 'Widget' },
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-validations': [{ rule, message: 'no' }] } },
        },
      ],
    },
  });
}
