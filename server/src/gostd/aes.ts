/** AES with a key of 32 bytes, blocks chained: only what decrypts. */

const block = 16;
const rounds = 14;

/** A byte times two in AES's field. */
function doubled(byte: number): number {
  return ((byte << 1) ^ (byte & 0x80 ? 0x1b : 0)) & 0xff;
}

function times(a: number, b: number): number {
  let sum = 0;
  for (let [x, y] = [a, b]; y > 0; [x, y] = [doubled(x), y >> 1]) if (y & 1) sum ^= x;
  return sum;
}

interface Boxes {
  readonly forth: Uint8Array;
  readonly back: Uint8Array;
}

let known: Boxes | undefined;

/** The substitution of bytes: the inverse in the field, turned and added up. */
function boxes(): Boxes {
  if (known) return known;
  const [forth, back] = [new Uint8Array(256), new Uint8Array(256)];
  for (let byte = 0; byte < 256; byte++) {
    let inverse = 0;
    for (let other = 1; other < 256 && byte > 0; other++) if (times(byte, other) === 1) inverse = other;
    let value = 0x63;
    for (let turn = 0; turn < 5; turn++) value ^= ((inverse << turn) | (inverse >> (8 - turn))) & 0xff;
    forth[byte] = value;
    back[value] = byte;
  }
  known = { forth, back };
  return known;
}

/** The keys of all rounds, one behind the other. */
function expanded(key: Uint8Array): Uint8Array {
  const { forth } = boxes();
  const keys = new Uint8Array(block * (rounds + 1));
  keys.set(key);
  let constant = 1;
  for (let at = key.length; at < keys.length; at += 4) {
    let word = [...keys.subarray(at - 4, at)];
    if (at % key.length === 0) {
      word = [...word.slice(1), word[0]!].map((byte) => forth[byte]!);
      word[0]! ^= constant;
      constant = doubled(constant);
    } else if (at % key.length === 16) word = word.map((byte) => forth[byte]!);
    for (const [i, byte] of word.entries()) keys[at + i] = keys[at + i - key.length]! ^ byte;
  }
  return keys;
}

function addKey(state: Uint8Array, keys: Uint8Array, round: number): void {
  for (let i = 0; i < block; i++) state[i] = state[i]! ^ keys[round * block + i]!;
}

/** Rows back to the right, and bytes through the box. */
function unshifted(state: Uint8Array): Uint8Array {
  const { back } = boxes();
  return state.map((_, i) => back[state[(i + block - 4 * (i % 4)) % block]!]!);
}

function unmixed(state: Uint8Array): Uint8Array {
  const factors = [14, 11, 13, 9];
  return state.map((_, i) => {
    const column = i - (i % 4);
    return factors.reduce((sum, factor, step) => sum ^ times(state[column + (((i % 4) + step) % 4)]!, factor), 0);
  });
}

function decryptBlock(bytes: Uint8Array, keys: Uint8Array): Uint8Array {
  let state: Uint8Array = Uint8Array.from(bytes);
  addKey(state, keys, rounds);
  for (let round = rounds - 1; round >= 0; round--) {
    state = unshifted(state);
    addKey(state, keys, round);
    if (round > 0) state = unmixed(state);
  }
  return state;
}

/** Each block is added to what the one before it, or what the chain starts with, was encrypted to. */
export function decryptAesCbc(key: Uint8Array, start: Uint8Array, bytes: Uint8Array): Uint8Array {
  const keys = expanded(key);
  const out = new Uint8Array(bytes.length);
  let before = start;
  for (let at = 0; at < bytes.length; at += block) {
    const one = bytes.subarray(at, at + block);
    out.set(
      decryptBlock(one, keys).map((byte, i) => byte ^ before[i]!),
      at,
    );
    before = one;
  }
  return out;
}
