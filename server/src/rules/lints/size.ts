import { isMap, isUnknown, type Value, type ValueMap, valueAt } from '../../base/value.ts';
import { byteLength } from '../../gostd/bytes.ts';
import { printJson } from '../../gostd/jsonPrint.ts';
import { annotationBytesLimit, requestBytes } from '../../kubernetes/bounds.ts';
import { type Found, lintFamily } from './lint.ts';
import type { Linted } from './linted.ts';

const lastApplied = 'kubectl.kubernetes.io/last-applied-configuration';
const etcdLimit = 1_572_864;

type SizeFacts = {
  'lint/size-apply': undefined;
  'lint/size-etcd': undefined;
  'lint/size-request': undefined;
};

/** A text this short is not a large object, even with every character escaped in JSON. */
const small = annotationBytesLimit / 6;

/** The size of a CRD that may be too large. */
function sizeOf({ manifest: { document, value } }: Linted): number | undefined {
  if (document.text.length < small && !/[&*]/.test(document.text)) return undefined;
  // The object with a line break, as kubectl puts it into the annotation.
  return jsonSize(value) + 1;
}

function tooLarge(size: number, why: string): Found<undefined> {
  const shown = String(size).replace(/\B(?=(?:\d{3})+$)/g, ',');
  return { message: `${shown} bytes as JSON: ${why}`, at: ['metadata', 'name'], anchor: 'value' };
}

/** Of the limits that a CRD exceeds only the highest is told: what the server does not read, etcd never sees. */
function lintRequest(linted: Linted): Found<undefined>[] {
  const size = sizeOf(linted);
  return size !== undefined && size > requestBytes ? [tooLarge(size, tooLargeForServer)] : [];
}

function lintEtcd(linted: Linted): Found<undefined>[] {
  const size = sizeOf(linted);
  return size !== undefined && size > etcdLimit && size <= requestBytes ? [tooLarge(size, tooLargeForEtcd)] : [];
}

function lintApply(linted: Linted): Found<undefined>[] {
  const size = sizeOf(linted);
  if (size === undefined || size > etcdLimit || size + otherAnnotations(linted) <= annotationBytesLimit) return [];
  return [tooLarge(size, tooLargeForApply)];
}

/** Not a memo: there is one for each part of a value, and it is only a number. */
const sizes = new WeakMap<object, number>();

/** The length of a value as JSON, without writing it, and of each part once: this runs at every keystroke. */
function jsonSize(value: Value): number {
  if (typeof value === 'string') return textSize(value);
  if (typeof value !== 'object' || value === null || isUnknown(value)) return printJson(value).length;
  const size = sizes.get(value) ?? sizeOfParts(value);
  sizes.set(value, size);
  return size;
}

function sizeOfParts(value: readonly Value[] | ValueMap): number {
  // Two brackets, and a comma between the parts.
  const around = 2 + Math.max(0, (isMap(value) ? value.size : value.length) - 1);
  if (!isMap(value)) return value.reduce<number>((sum, item) => sum + jsonSize(item), around);
  let size = around;
  for (const [key, item] of value) size += textSize(key) + 1 + jsonSize(item);
  return size;
}

function textSize(text: string): number {
  let size = 2;
  for (let i = 0; i < text.length; i++) size += unitSize(text.charCodeAt(i));
  return size;
}

const shortEscapes: ReadonlySet<number> = new Set([...'"\\\b\f\n\r\t'].map((one) => one.charCodeAt(0)));
const longEscapes: ReadonlySet<number> = new Set([...'<>&\u2028\u2029'].map((one) => one.charCodeAt(0)));

/** The bytes of a UTF-16 unit in Go's JSON; the two units of a pair have two each. */
function unitSize(unit: number): number {
  if (unit > 0x3e && unit < 0x7f && unit !== 0x5c) return 1;
  if (shortEscapes.has(unit)) return 2;
  if (unit < 0x20 || longEscapes.has(unit)) return 6;
  if (unit < 0x80) return 1;
  return unit < 0x800 || (unit >= 0xd800 && unit < 0xe000) ? 2 : 3;
}

function otherAnnotations({ manifest }: Linted): number {
  const annotations = valueAt(manifest.value, ['metadata', 'annotations']);
  if (!isMap(annotations)) return byteLength(lastApplied);
  const others = [...annotations].filter(([name]) => name !== lastApplied);
  return others.reduce((sum, [name, value]) => sum + byteLength(name + String(value)), byteLength(lastApplied));
}

const tooLargeForServer = 'the API server reads only requests of up to 3 MiB.';
const tooLargeForEtcd = 'etcd accepts requests of up to 1.5 MiB unless configured otherwise.';
const tooLargeForApply =
  '`kubectl apply` cannot save it in the annotation last-applied-configuration, which is limited to 256 KiB. Use `kubectl apply --server-side` or `kubectl create`.';

const right = `#- use: spec
group: example.com
`;

const large = (bytes: string) => `#- use: schema
size:
  type: string
  description: And so on, until the whole has more than ${bytes} bytes.
`;

const notShown = 'an example of this size would not help a reader';

export const sizeLints = lintFamily<SizeFacts>()({
  'lint/size-apply': {
    severity: 'information',
    title: 'Too large for client-side kubectl apply',
    explanation: `\`kubectl apply\` without \`--server-side\` writes the whole manifest into an annotation, and the
annotations of an object may not exceed 262,144 bytes in total: \`metadata.annotations: Too long\`. Server-side apply,
which Argo CD, Flux and Helm also support, does not need the annotation. Shorter descriptions help most
(\`controller-gen crd:maxDescLen=0\` leaves them out).`,
    bad: large('262,144'),
    notShown,
    good: right,
    restsOn: 'crd',
    check: lintApply,
  },
  'lint/size-etcd': {
    severity: 'warning',
    title: 'Too large for etcd with its default settings',
    explanation: `etcd rejects requests of more than 1.5 MiB (\`--max-request-bytes\`): \`etcdserver: request is too
large\`. Leave out descriptions, and versions that nobody needs any more, or split the kind.`,
    bad: large('1,572,864'),
    notShown,
    good: right,
    restsOn: 'crd',
    check: lintEtcd,
  },
  'lint/size-request': {
    severity: 'error',
    title: 'Too large for the API server',
    explanation: `The API server reads at most 3 MiB (3,145,728 bytes) of a request and answers \`Request entity too
large\`. Leave out descriptions, and versions that nobody needs any more, or split the kind.`,
    bad: large('3,145,728'),
    notShown,
    good: right,
    restsOn: 'crd',
    check: lintRequest,
  },
});
