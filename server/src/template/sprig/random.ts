/** What is never the same twice: a sample of the right shape, marked as unknown. */
import { decodeBase64, encodeBase64 } from '../../gostd/base64.ts';
import { goBytes, goText } from '../../gostd/bytes.ts';
import { isIp } from '../../gostd/ip.ts';
import { nextPemBlock } from '../../gostd/pem.ts';
import { printed } from '../format.ts';
import { Computed, type From } from '../from.ts';
import { traced } from '../functions.ts';
import { type Call, type Cell, cell, GoError, GoStruct, type GoValue, Int } from '../value.ts';

const letters = 'abcdefghijklmnopqrstuvwxyz';
const certificate = 'sprig.certificate';
const hash = '$2a$10$abcdefghijklmnopqrstuuabcdefghijklmnopqrstuvwxyz01234';

export const random = [
  unknown('randAlphaNum(int) string', repeating(`${letters}0123456789`)),
  unknown('randAlpha(int) string', repeating(letters)),
  unknown('randAscii(int) string', repeating(letters)),
  unknown('randNumeric(int) string', repeating('1234567890')),
  unknown('randBytes(int) string', (args, call) => encodeBase64(new Uint8Array(countOf(args[0]!, call)))),
  unknown('randInt(int, int) int', ([least, most]) => {
    if (numberOf(most!) <= numberOf(least!)) throw new GoError('invalid argument to Intn');
    return new Int(numberOf(least!));
  }),
  unknown('shuffle(string) string', ([text]) => text!.value),
  unknown('uuidv4() string', () => '11111111-2222-4333-8444-555555555555'),
  unknown('bcrypt(string) string', ([text]) => hashOf(text!.value as string)),
  traced('htpasswd(string, string) string', ([user, password], { from }) => {
    const name = user!.value as string;
    if (name.includes(':')) return cell(`invalid username: ${name}`, from);
    return cell(`${name}:${hashOf(password!.value as string)}`, unknownOf(from));
  }),
  unknown('encryptAES(string, string) string', ([, text]) => {
    const length = goBytes(text!.value as string).length;
    return length === 0 ? '' : encodeBase64(new Uint8Array(16 + (Math.floor(length / 16) + 1) * 16));
  }),
  traced('genPrivateKey(string) string', ([type], { from }) => {
    const name = type!.value as string;
    const title = Object.hasOwn(keyTitles, name) ? keyTitles[name] : undefined;
    return title === undefined ? cell(`Unknown type ${name}`, from) : cell(pem(title), unknownOf(from));
  }),
  ...['genCA(string, int)', 'genCAWithKey(string, int, string)'].map(certificateMaker),
  ...[
    'genSelfSignedCert(string, []any, []any, int)',
    'genSelfSignedCertWithKey(string, []any, []any, int, string)',
  ].map(certificateMaker),
  ...[
    `genSignedCert(string, []any, []any, int, ${certificate})`,
    `genSignedCertWithKey(string, []any, []any, int, ${certificate}, string)`,
  ].map(certificateMaker),
  traced(`buildCustomCert(string, string) ${certificate}`, ([cert, key], { from }) =>
    customCertificate(cert!, key!, from),
  ),
];

const keyTitles: Readonly<Record<string, string>> = {
  '': 'RSA PRIVATE KEY',
  rsa: 'RSA PRIVATE KEY',
  dsa: 'DSA PRIVATE KEY',
  ecdsa: 'EC PRIVATE KEY',
  ed25519: 'PRIVATE KEY',
};

function unknown(declared: string, run: (args: readonly Cell[], call: Call) => GoValue) {
  return traced(declared, (args, call) => cell(run(args, call), unknownOf(call.from)));
}

function unknownOf(from: From): From {
  return new Computed(undefined, [from], true);
}

function numberOf({ value }: Cell): bigint {
  return (value as Int).value;
}

function countOf(one: Cell, call: Call): number {
  const count = Math.max(0, Number(numberOf(one)));
  call.spend(count);
  return count;
}

function repeating(sample: string) {
  return ([count]: readonly Cell[], call: Call): string => {
    const length = countOf(count!, call);
    return sample.repeat(Math.ceil(length / sample.length)).slice(0, length);
  };
}

/** bcrypt takes no more. */
const longestPassword = 72;

function hashOf(password: string): string {
  if (goBytes(password).length <= longestPassword) return hash;
  return 'failed to encrypt string with bcrypt: bcrypt: password length exceeds 72 bytes';
}

function pem(title: string): string {
  const line = 'A'.repeat(64);
  return `-----BEGIN ${title}-----\n${`${line}\n`.repeat(4)}-----END ${title}-----\n`;
}

function certificateMaker(declared: string) {
  return unknown(`${declared} ${certificate}`, (args, { from }) => {
    if (declared.includes('[]any')) checkNames(args[1]!.value, args[2]!.value);
    return certificateOf(pem('CERTIFICATE'), pem('RSA PRIVATE KEY'), unknownOf(from));
  });
}

function itemsOf(value: GoValue): readonly Cell[] {
  return value !== null && typeof value === 'object' && 'items' in value ? value.items : [];
}

function checkNames(addresses: GoValue, names: GoValue): void {
  for (const { value } of itemsOf(addresses)) {
    if (typeof value !== 'string') throw new GoError(`error parsing ip: ${printed(value)} is not a string`);
    if (!isIp(value)) throw new GoError(`error parsing ip: ${value}`);
  }
  const other = itemsOf(names).find(({ value }) => typeof value !== 'string');
  if (other) throw new GoError(`error processing alternate dns name: ${printed(other.value)} is not a string`);
}

function certificateOf(cert: string, key: string, from: From): GoStruct {
  const fields = new Map([
    ['Cert', cell(cert, from)],
    ['Key', cell(key, from)],
  ]);
  return new GoStruct(certificate, { fields, print: () => `{${cert} ${key}}` });
}

/** A certificate that the values bring. */
function customCertificate(cert: Cell, key: Cell, from: From): Cell {
  const certText = decoded(cert, 'certificate');
  const keyText = decoded(key, 'private key');
  // What is inside of the certificate is not read.
  if (!nextPemBlock(certText, 0)) throw new GoError('unable to decode certificate');
  if (!nextPemBlock(keyText, 0)) throw new GoError('error parsing private key: no PEM data in input');
  return cell(certificateOf(certText, keyText, from), from);
}

function decoded({ value }: Cell, what: string): string {
  const read = decodeBase64(goBytes(value as string));
  if ('bytes' in read) return goText(read.bytes);
  throw new GoError(`unable to decode base64 ${what}`);
}
