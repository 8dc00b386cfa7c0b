/** Hashes of Go's standard library, without the platform's own, so that browsers have them at once. */

export function adler32(bytes: Uint8Array): number {
  let [a, b] = [1, 0];
  for (const byte of bytes) {
    a = (a + byte) % 65521;
    b = (b + a) % 65521;
  }
  return b * 65536 + a;
}

export function hexOf(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** The message with what ends it: a bit, zeros, and its length in bits. */
function paddedTo(bytes: Uint8Array, block: number): DataView {
  const lengthBytes = block / 8;
  const size = Math.ceil((bytes.length + 1 + lengthBytes) / block) * block;
  const padded = new Uint8Array(size);
  padded.set(bytes);
  padded[bytes.length] = 0x80;
  const view = new DataView(padded.buffer);
  view.setBigUint64(size - 8, BigInt(bytes.length) * 8n);
  return view;
}

function wordsToBytes(words: ArrayLike<number>): Uint8Array {
  const view = new DataView(new ArrayBuffer(words.length * 4));
  for (let i = 0; i < words.length; i++) view.setUint32(i * 4, words[i]!);
  return new Uint8Array(view.buffer);
}

function rotateLeft(word: number, by: number): number {
  return (word << by) | (word >>> (32 - by));
}

export function sha1(bytes: Uint8Array): Uint8Array {
  const view = paddedTo(bytes, 64);
  const state = Int32Array.of(0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0);
  const w = new Int32Array(80);
  for (let start = 0; start < view.byteLength; start += 64) {
    for (let i = 0; i < 16; i++) w[i] = view.getInt32(start + i * 4);
    for (let i = 16; i < 80; i++) w[i] = rotateLeft(w[i - 3]! ^ w[i - 8]! ^ w[i - 14]! ^ w[i - 16]!, 1);
    let [a, b, c, d, e] = state as unknown as [number, number, number, number, number];
    for (let i = 0; i < 80; i++) {
      const [f, k] = sha1Step(i, b, c, d);
      const next = (rotateLeft(a, 5) + f + e + k + w[i]!) | 0;
      [e, d, c, b, a] = [d, c, rotateLeft(b, 30), a, next];
    }
    for (const [i, word] of [a, b, c, d, e].entries()) state[i] = state[i]! + word;
  }
  return wordsToBytes(state);
}

function sha1Step(i: number, b: number, c: number, d: number): [number, number] {
  if (i < 20) return [(b & c) | (~b & d), 0x5a827999];
  if (i < 40) return [b ^ c ^ d, 0x6ed9eba1];
  return i < 60 ? [(b & c) | (b & d) | (c & d), 0x8f1bbcdc] : [b ^ c ^ d, 0xca62c1d6];
}

/** The first primes: the hashes take their constants from their roots. */
function primes(count: number): bigint[] {
  const found: bigint[] = [];
  for (let n = 2n; found.length < count; n++) if (found.every((prime) => n % prime !== 0n)) found.push(n);
  return found;
}

/** The first 64 bits behind the point of a root. */
function rootBits(of: bigint, degree: 2n | 3n): bigint {
  const scaled = of << (64n * degree);
  let root = 0n;
  for (let bit = 1n << 70n; bit > 0n; bit >>= 1n) if ((root | bit) ** degree <= scaled) root |= bit;
  return root & 0xffffffffffffffffn;
}

interface Constants {
  readonly start: readonly bigint[];
  readonly rounds: readonly bigint[];
}

let known: Constants | undefined;

function constants(): Constants {
  known ??= {
    start: primes(8).map((prime) => rootBits(prime, 2n)),
    rounds: primes(80).map((prime) => rootBits(prime, 3n)),
  };
  return known;
}

let rounds256: Int32Array | undefined;

function turn(word: number, by: number): number {
  return (word >>> by) | (word << (32 - by));
}

export function sha256(bytes: Uint8Array): Uint8Array {
  const view = paddedTo(bytes, 64);
  const high = (word: bigint) => Number(word >> 32n);
  const state = Int32Array.from(constants().start, high);
  rounds256 ??= Int32Array.from(constants().rounds.slice(0, 64), high);
  const w = new Int32Array(64);
  for (let start = 0; start < view.byteLength; start += 64) {
    for (let i = 0; i < 16; i++) w[i] = view.getInt32(start + i * 4);
    sha256Block(state, w, rounds256);
  }
  return wordsToBytes(state);
}

function sha256Block(state: Int32Array, w: Int32Array, k: Int32Array): void {
  for (let i = 16; i < 64; i++) {
    const [x, y] = [w[i - 15]!, w[i - 2]!];
    const s0 = turn(x, 7) ^ turn(x, 18) ^ (x >>> 3);
    const s1 = turn(y, 17) ^ turn(y, 19) ^ (y >>> 10);
    w[i] = w[i - 16]! + s0 + w[i - 7]! + s1;
  }
  let a = state[0]!;
  let b = state[1]!;
  let c = state[2]!;
  let d = state[3]!;
  let e = state[4]!;
  let f = state[5]!;
  let g = state[6]!;
  let h = state[7]!;
  for (let i = 0; i < 64; i++) {
    const s1 = turn(e, 6) ^ turn(e, 11) ^ turn(e, 25);
    const t1 = (h + s1 + ((e & f) ^ (~e & g)) + k[i]! + w[i]!) | 0;
    const s0 = turn(a, 2) ^ turn(a, 13) ^ turn(a, 22);
    const t2 = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    h = g;
    g = f;
    f = e;
    e = (d + t1) | 0;
    d = c;
    c = b;
    b = a;
    a = (t1 + t2) | 0;
  }
  for (const [i, word] of [a, b, c, d, e, f, g, h].entries()) state[i] = state[i]! + word;
}

const mask = 0xffffffffffffffffn;

function turn64(word: bigint, by: bigint): bigint {
  return ((word >> by) | (word << (64n - by))) & mask;
}

export function sha512(bytes: Uint8Array): Uint8Array {
  const view = paddedTo(bytes, 128);
  let state = [...constants().start];
  const k = constants().rounds;
  for (let start = 0; start < view.byteLength; start += 128) {
    const w = Array.from({ length: 16 }, (_, i) => view.getBigUint64(start + i * 8));
    for (let i = 16; i < 80; i++) {
      const [x, y] = [w[i - 15]!, w[i - 2]!];
      const s0 = turn64(x, 1n) ^ turn64(x, 8n) ^ (x >> 7n);
      const s1 = turn64(y, 19n) ^ turn64(y, 61n) ^ (y >> 6n);
      w.push((w[i - 16]! + s0 + w[i - 7]! + s1) & mask);
    }
    state = sha512Block(state, w, k);
  }
  const out = new DataView(new ArrayBuffer(64));
  for (const [i, word] of state.entries()) out.setBigUint64(i * 8, word);
  return new Uint8Array(out.buffer);
}

function sha512Block(state: readonly bigint[], w: readonly bigint[], k: readonly bigint[]): bigint[] {
  let [a, b, c, d, e, f, g, h] = state as [bigint, bigint, bigint, bigint, bigint, bigint, bigint, bigint];
  for (let i = 0; i < 80; i++) {
    const s1 = turn64(e, 14n) ^ turn64(e, 18n) ^ turn64(e, 41n);
    const t1 = h + s1 + ((e & f) ^ (~e & mask & g)) + k[i]! + w[i]!;
    const s0 = turn64(a, 28n) ^ turn64(a, 34n) ^ turn64(a, 39n);
    const t2 = s0 + ((a & b) ^ (a & c) ^ (b & c));
    [h, g, f, e, d, c, b, a] = [g, f, e, (d + t1) & mask, c, b, a, (t1 + t2) & mask];
  }
  return [a, b, c, d, e, f, g, h].map((word, i) => (word + state[i]!) & mask);
}

const blockSize = 64;

export function hmacSha256(key: Uint8Array, message: Uint8Array): Uint8Array {
  const short = key.length > blockSize ? sha256(key) : key;
  const padded = new Uint8Array(blockSize);
  padded.set(short);
  const inner = sha256(
    joined(
      padded.map((byte) => byte ^ 0x36),
      message,
    ),
  );
  return sha256(
    joined(
      padded.map((byte) => byte ^ 0x5c),
      inner,
    ),
  );
}

export function joined(...parts: readonly Uint8Array[]): Uint8Array {
  const all = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

/** PBKDF2 with one round. */
function pbkdf2(password: Uint8Array, salt: Uint8Array, length: number): Uint8Array {
  const out = new Uint8Array(length);
  for (let block = 1, at = 0; at < length; block++, at += 32) {
    const number = wordsToBytes([block]);
    out.set(hmacSha256(password, joined(salt, number)).subarray(0, length - at), at);
  }
  return out;
}

export interface ScryptCost {
  readonly n: number;
  readonly r: number;
  readonly p: number;
}

/** The key derivation of RFC 7914. */
export function scrypt(password: Uint8Array, salt: Uint8Array, { n, r, p }: ScryptCost, length: number): Uint8Array {
  const size = 128 * r;
  const blocks = pbkdf2(password, salt, p * size);
  const view = new DataView(blocks.buffer);
  for (let i = 0; i < p; i++) {
    const x = new Uint32Array(size / 4);
    for (let at = 0; at < x.length; at++) x[at] = view.getUint32(i * size + at * 4, true);
    mix(x, n, r);
    for (let at = 0; at < x.length; at++) view.setUint32(i * size + at * 4, x[at]!, true);
  }
  return pbkdf2(password, blocks, length);
}

function mix(x: Uint32Array, n: number, r: number): void {
  const size = x.length;
  const memory = new Uint32Array(size * n);
  const scratch = new Uint32Array(size);
  for (let i = 0; i < n; i++) {
    memory.set(x, i * size);
    mixBlocks(x, scratch, r);
  }
  for (let i = 0; i < n; i++) {
    const from = (x[size - 16]! & (n - 1)) * size;
    for (let at = 0; at < size; at++) x[at] = x[at]! ^ memory[from + at]!;
    mixBlocks(x, scratch, r);
  }
}

function mixBlocks(x: Uint32Array, scratch: Uint32Array, r: number): void {
  const block = x.slice(x.length - 16);
  for (let i = 0; i < 2 * r; i++) {
    for (let at = 0; at < 16; at++) block[at] = block[at]! ^ x[i * 16 + at]!;
    salsa(block);
    scratch.set(block, (i % 2 === 0 ? i / 2 : r + (i - 1) / 2) * 16);
  }
  x.set(scratch);
}

/** The four quarters of each of Salsa's double rounds: columns, then rows. */
const quarters = [
  [0, 4, 8, 12],
  [5, 9, 13, 1],
  [10, 14, 2, 6],
  [15, 3, 7, 11],
  [0, 1, 2, 3],
  [5, 6, 7, 4],
  [10, 11, 8, 9],
  [15, 12, 13, 14],
] as const;

function salsa(block: Uint32Array): void {
  const x = block.slice();
  for (let round = 0; round < 4; round++) {
    for (const [a, b, c, d] of quarters) {
      x[b] = x[b]! ^ rotateLeft(x[a]! + x[d]!, 7);
      x[c] = x[c]! ^ rotateLeft(x[b]! + x[a]!, 9);
      x[d] = x[d]! ^ rotateLeft(x[c]! + x[b]!, 13);
      x[a] = x[a]! ^ rotateLeft(x[d]! + x[c]!, 18);
    }
  }
  for (let i = 0; i < 16; i++) block[i] = block[i]! + x[i]!;
}
