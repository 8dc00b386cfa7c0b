import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';

// Node reads certificates and makes none: this writes the few bytes of DER that one takes (RFC 5280).

/** What a server needs to speak TLS, and what its clients need to believe it. All of it is PEM. */
export interface Certificates {
  readonly authority: string;
  readonly certificate: string;
  readonly key: string;
}

interface Pair {
  readonly publicKey: KeyObject;
  readonly privateKey: KeyObject;
}

const authorityName = 'kube-crd test authority';

const day = 24 * 60 * 60;
/** It is for tests: longer than any of them, and shorter than what clients distrust. */
const days = 365;

/** A certificate for this machine alone, by an authority that signs nothing else: its key is thrown away. */
export function certificatesAt(seconds: number): Certificates {
  const [above, below] = [keyPair(), keyPair()];
  const authority = certified(authorityName, above, above, seconds, ofAuthority(above));
  const certificate = certified('kube-crd serve', below, above, seconds, ofServer(below, above));
  return {
    authority: pem('CERTIFICATE', authority),
    certificate: pem('CERTIFICATE', certificate),
    key: below.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  };
}

const keyPair = (): Pair => generateKeyPairSync('ec', { namedCurve: 'P-256' });

const tags = {
  boolean: 1,
  integer: 2,
  bits: 3,
  octets: 4,
  identifier: 6,
  utf8: 12,
  utcTime: 23,
  sequence: 48,
  set: 49,
};

/** Tags of the parts that a certificate and its extensions number themselves. */
const numbered = (number: number, isConstructed: boolean) => 0x80 | (isConstructed ? 0x20 : 0) | number;

function der(tag: number, ...parts: readonly Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  const size = content.length;
  const length = size < 128 ? [size] : size < 256 ? [0x81, size] : [0x82, size >> 8, size & 255];
  return Buffer.concat([Buffer.from([tag, ...length]), content]);
}

const sequence = (...parts: readonly Buffer[]) => der(tags.sequence, ...parts);
const octets = (content: Buffer) => der(tags.octets, content);
/** The first byte of a bit string says how many bits at its end do not count. */
const bits = (content: Buffer, unused = 0) => der(tags.bits, Buffer.from([unused]), content);
const truth = der(tags.boolean, Buffer.from([255]));

/** Dotted numbers below 16,384, which is all that is needed here. */
function identifier(dotted: string): Buffer {
  const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number);
  const bytes = rest.flatMap((one) => (one < 128 ? [one] : [0x80 | (one >> 7), one & 127]));
  return der(tags.identifier, Buffer.from([first * 40 + second, ...bytes]));
}

const names = {
  commonName: '2.5.4.3',
  subjectKey: '2.5.29.14',
  keyUsage: '2.5.29.15',
  alternativeNames: '2.5.29.17',
  constraints: '2.5.29.19',
  authorityKey: '2.5.29.35',
  extendedUsage: '2.5.29.37',
  serverAuthentication: '1.3.6.1.5.5.7.3.1',
};

const ecdsaWithSha256 = sequence(identifier('1.2.840.10045.4.3.2'));

const publicBytes = ({ publicKey }: Pair) => publicKey.export({ type: 'spki', format: 'der' });
const keyId = (pair: Pair) => createHash('sha1').update(publicBytes(pair)).digest();

function extension(name: string, isCritical: boolean, value: Buffer): Buffer {
  return sequence(identifier(name), ...(isCritical ? [truth] : []), octets(value));
}

function ofAuthority(pair: Pair): Buffer[] {
  return [
    extension(names.constraints, true, sequence(truth)),
    extension(names.keyUsage, true, bits(Buffer.from([0b0000_0100]), 2)),
    extension(names.subjectKey, false, octets(keyId(pair))),
  ];
}

function ofServer(pair: Pair, by: Pair): Buffer[] {
  const host = der(numbered(2, false), Buffer.from('localhost'));
  const address = der(numbered(7, false), Buffer.from([127, 0, 0, 1]));
  return [
    extension(names.constraints, true, sequence()),
    extension(names.keyUsage, true, bits(Buffer.from([0b1000_0000]), 7)),
    extension(names.extendedUsage, false, sequence(identifier(names.serverAuthentication))),
    extension(names.subjectKey, false, octets(keyId(pair))),
    extension(names.authorityKey, false, sequence(der(numbered(0, false), keyId(by)))),
    extension(names.alternativeNames, false, sequence(host, address)),
  ];
}

function certified(name: string, pair: Pair, by: Pair, seconds: number, extensions: Buffer[]): Buffer {
  // Positive, and its first byte not zero.
  const serial = randomBytes(16);
  serial[0] = (serial[0]! & 0x3f) | 0x40;
  const body = sequence(
    der(numbered(0, true), der(tags.integer, Buffer.from([2]))),
    der(tags.integer, serial),
    ecdsaWithSha256,
    named(authorityName),
    // Clocks of clients may be behind.
    sequence(time(seconds - day), time(seconds + days * day)),
    named(name),
    publicBytes(pair),
    der(numbered(3, true), sequence(...extensions)),
  );
  return sequence(body, ecdsaWithSha256, bits(sign('sha256', body, by.privateKey)));
}

function named(text: string): Buffer {
  const attribute = sequence(identifier(names.commonName), der(tags.utf8, Buffer.from(text)));
  return sequence(der(tags.set, attribute));
}

function time(seconds: number): Buffer {
  const digits = new Date(seconds * 1000).toISOString().replace(/\.\d+|[-:T]/g, '');
  return der(tags.utcTime, Buffer.from(digits.slice(2)));
}

function pem(label: string, content: Buffer): string {
  const lines = content.toString('base64').replace(/.{64}/g, '$&\n').trimEnd();
  return `-----BEGIN ${label}-----\n${lines}\n-----END ${label}-----\n`;
}
