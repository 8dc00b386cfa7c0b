import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { encodeBase64 } from '../../server/src/gostd/base64.ts';
import { readJson } from '../../server/src/gostd/json.ts';
import { caBundleVerdict } from '../../server/src/kubernetes/crd/caBundle.ts';
import { updateCrd } from '../../server/src/kubernetes/crd/update.ts';

interface Recorded {
  /** In base64. */
  readonly certificates: Readonly<Record<string, string>>;
  /** The bytes of a certificate from one offset to another replaced by others, and the server's answer. */
  readonly answers: readonly (readonly [certificate: string, from: number, to: number, hex: string, answer: Answer])[];
  /** `@` stands for the Ed25519 certificate. */
  readonly texts: readonly (readonly [text: string, answer: Answer])[];
}

/** What the API server of Kubernetes 1.37, built with Go 1.26, has against the bundle; null for nothing. */
type Answer = string | null;

const { certificates, answers, texts }: Recorded = JSON.parse(readFileSync('test/crd/certificates.json', 'utf8'));

function pem(base64: string): string {
  return `-----BEGIN CERTIFICATE-----\n${base64}\n-----END CERTIFICATE-----\n`;
}

function assertVerdict(text: string, answer: Answer): void {
  const verdict = caBundleVerdict(new TextEncoder().encode(text));
  const problem = { problem: `unable to load root certificates: ${answer}` };
  // What is inside of a certificate is not read.
  assert.deepEqual(verdict, answer === null ? 'unsure' : problem, text);
}

test('nothing is said of a certificate that the API server takes, whatever is in it', () => {
  assert.ok(answers.length > 40);
  for (const [certificate, from, to, hex, answer] of answers) {
    const bytes = Buffer.from(certificates[certificate]!, 'base64');
    const changed = Buffer.concat([bytes.subarray(0, from), Buffer.from(hex, 'hex'), bytes.subarray(to)]);
    assertVerdict(pem(encodeBase64(changed)), answer);
  }
});

test('a certificate that was cut off is refused', () => {
  for (const base64 of Object.values(certificates)) {
    const bytes = Buffer.from(base64, 'base64');
    for (let end = 0; end < bytes.length; end += 7)
      assertVerdict(
        pem(encodeBase64(bytes.subarray(0, end))),
        'failed to parse certificate: x509: malformed certificate',
      );
  }
});

test('blocks are found in a text as the API server finds them', () => {
  for (const [text, answer] of texts) assertVerdict(text.replaceAll('@', certificates.Ed25519!), answer);
});

function crd(bundle: string) {
  const base = {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'widgets.example.com' },
    spec: {
      group: 'example.com',
      names: { plural: 'widgets', kind: 'Widget' },
      scope: 'Namespaced',
      versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } }],
      conversion: {
        strategy: 'Webhook',
        webhook: {
          conversionReviewVersions: ['v1'],
          clientConfig: { url: 'https://a', caBundle: encodeBase64(new TextEncoder().encode(bundle)) },
        },
      },
    },
  };
  const read = readJson(JSON.stringify(base));
  assert.ok('json' in read);
  return read.json;
}

function updateErrors(from: string, to: string): readonly string[] {
  return updateCrd(crd(from), crd(to)).errors.map(({ message }) =>
    message.replace(/^.*unable to load/, 'unable to load'),
  );
}

// Kubernetes 1.37 gave these answers too.
test('an invalid bundle is forgiven where the stored one has no valid certificate in its blocks', () => {
  const good = pem(certificates.Ed25519!);
  const refused = ['unable to load root certificates: failed to parse certificate: x509: malformed certificate'];
  assert.deepEqual(updateErrors(good, pem('AA==')), refused);
  assert.deepEqual(updateErrors(pem('AA=='), pem('AAA=')), []);
  assert.deepEqual(updateErrors(pem('AA=='), 'nothing'), []);
  assert.deepEqual(updateErrors(good, pem('AA==') + good), []);
});
