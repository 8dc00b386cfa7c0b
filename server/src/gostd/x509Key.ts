import { DerReader, numberOf, tag } from './der.ts';
import { Malformed, need } from './x509Refusal.ts';

/** What Go checks of the key in a certificate; keys of other algorithms are not looked at. */
export function publicKey(info: DerReader): void {
  const identifier = need(info.within(tag.sequence), 'malformed public key algorithm identifier');
  const id = need(identifier.objectId(), 'malformed OID');
  const parameters = identifier.empty ? new Uint8Array() : need(identifier.any(), 'malformed parameters').whole;
  const key = need(info.bits(), 'malformed subjectPublicKey');
  algorithms.get(id)?.(key, parameters);
}

const algorithms = new Map<string, (key: Uint8Array, parameters: Uint8Array) => void>([
  ['1.2.840.113549.1.1.1', rsa],
  ['1.2.840.10040.4.1', dsa],
  ['1.2.840.10045.2.1', ellipticCurve],
  ['1.3.101.112', ed25519],
]);

function rsa(key: Uint8Array, parameters: Uint8Array): void {
  need(parameters.length === 2 && parameters[0] === 5 && parameters[1] === 0, 'RSA key missing NULL parameters');
  const fields = need(new DerReader(key).within(tag.sequence), 'invalid RSA public key');
  const modulus = need(fields.integer(), 'invalid RSA modulus');
  const exponent = need(fields.integer(), 'invalid RSA public exponent');
  need(BigInt.asIntN(64, exponent) === exponent, 'invalid RSA public exponent');
  need(modulus > 0n, 'RSA modulus is not a positive number');
  need(exponent > 0n, 'RSA public exponent is not a positive number');
}

function dsa(key: Uint8Array, parameters: Uint8Array): void {
  const values = [need(new DerReader(key).integer(), 'invalid DSA public key')];
  const fields = need(new DerReader(parameters).within(tag.sequence), 'invalid DSA parameters');
  for (let i = 0; i < 3; i++) values.push(need(fields.integer(), 'invalid DSA parameters'));
  need(
    values.every((value) => value > 0n),
    'zero or negative DSA parameter',
  );
}

function ed25519(key: Uint8Array, parameters: Uint8Array): void {
  need(parameters.length === 0, 'Ed25519 key encoded with illegal parameters');
  need(key.length === 32, 'wrong Ed25519 public key size');
}

interface Curve {
  readonly name: string;
  /** What Go calls a number that is not an element of its field. */
  readonly element: string;
  readonly prime: bigint;
  readonly b: bigint;
}

/** The curves y² = x³ - 3x + b that Go knows. */
const curves = new Map<string, Curve>([
  [
    '1.3.132.0.33',
    {
      name: 'P224',
      element: 'P224Element',
      prime: 2n ** 224n - 2n ** 96n + 1n,
      b: 0xb4050a850c04b3abf54132565044b0b7d7bfd8ba270b39432355ffb4n,
    },
  ],
  [
    '1.2.840.10045.3.1.7',
    {
      name: 'P256',
      element: 'P256 element',
      prime: 2n ** 256n - 2n ** 224n + 2n ** 192n + 2n ** 96n - 1n,
      b: 0x5ac635d8aa3a93e7b3ebbd55769886bc651d06b0cc53b0f63bce3c3e27d2604bn,
    },
  ],
  [
    '1.3.132.0.34',
    {
      name: 'P384',
      element: 'P384Element',
      prime: 2n ** 384n - 2n ** 128n - 2n ** 96n + 2n ** 32n - 1n,
      b: 0xb3312fa7e23ee7e4988e056be3f82d19181d9c6efe8141120314088f5013875ac656398d8a2ed19d2a85c8edd3ec2aefn,
    },
  ],
  [
    '1.3.132.0.35',
    {
      name: 'P521',
      element: 'P521Element',
      prime: 2n ** 521n - 1n,
      b: 0x051953eb9618e1c9a1f929a21a0b68540eea2da725b99b315f3b8b489918ef109e156193951ec7e937b1652c0bd3bb1bf073573df883d2c34f1ef451fd46b503f00n,
    },
  ],
]);

function ellipticCurve(key: Uint8Array, parameters: Uint8Array): void {
  const curve = curves.get(need(new DerReader(parameters).objectId(), 'invalid ECDSA parameters'));
  if (!curve) throw new Malformed('x509: unsupported elliptic curve');
  const problem = pointProblem(key, curve);
  if (problem !== undefined) throw new Malformed(problem);
}

/** What keeps a key from being an uncompressed point of a curve. */
function pointProblem(key: Uint8Array, { name, element, prime, b }: Curve): string | undefined {
  const size = Math.ceil(prime.toString(2).length / 8);
  if (key[0] !== 4) return 'ecdsa: invalid uncompressed public key';
  if (key.length !== 1 + 2 * size) return `invalid ${name} point encoding`;
  const x = numberOf(key.subarray(1, 1 + size));
  const y = numberOf(key.subarray(1 + size));
  if (x >= prime || y >= prime) return `invalid ${element} encoding`;
  return (y * y - x * x * x + 3n * x - b) % prime === 0n ? undefined : `${name} point not on curve`;
}
