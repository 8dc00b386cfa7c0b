/** Encodings, hashes, JSON. */
import { decryptAesCbc } from '../../gostd/aes.ts';
import { decodeBase32, encodeBase32 } from '../../gostd/base32.ts';
import { decodeBase64, encodeBase64 } from '../../gostd/base64.ts';
import { goBytes, goText } from '../../gostd/bytes.ts';
import { adler32, hexOf, hmacSha256, joined, scrypt, sha1, sha256, sha512 } from '../../gostd/hash.ts';
import { plain, traced } from '../functions.ts';
import { fromJsonText, type JsonStyle, jsonCell } from '../json.ts';
import { type Call, type Cell, cell, GoError, type Int } from '../value.ts';

const pretty: JsonStyle = { escapesHtml: true, indent: '  ' };
const raw: JsonStyle = { escapesHtml: false, indent: undefined };
const compact: JsonStyle = { escapesHtml: true, indent: undefined };

export const encoding = [
  plain('b64enc(string) string', ([text]: [string]) => encodeBase64(goBytes(text))),
  plain('b64dec(string) string', ([text]: [string]) => {
    const decoded = decodeBase64(goBytes(text));
    return 'bytes' in decoded ? goText(decoded.bytes) : `illegal base64 data at input byte ${decoded.corruptAt}`;
  }),
  plain('b32enc(string) string', ([text]: [string]) => encodeBase32(goBytes(text))),
  plain('b32dec(string) string', ([text]: [string]) => {
    const decoded = decodeBase32(goBytes(text));
    return 'bytes' in decoded ? goText(decoded.bytes) : `illegal base32 data at input byte ${decoded.corruptAt}`;
  }),
  plain('adler32sum(string) string', ([text]: [string]) => String(adler32(goBytes(text)))),
  ...Object.entries({ sha1sum: sha1, sha256sum: sha256, sha512sum: sha512 }).map(([name, hash]) =>
    plain(`${name}(string) string`, ([text]: [string], call: Call) => {
      call.spend(text.length);
      return hexOf(hash(goBytes(text)));
    }),
  ),
  plain(
    'derivePassword(uint32, string, string, string, string) string',
    ([counter, type, password, user, site]: [Int, string, string, string, string], call: Call) => {
      call.spend(derivingWork);
      return derived(Number(counter.value), type, { password, user, site });
    },
  ),
  plain('decryptAES(string, string) string', ([password, text]: [string, string], call: Call) => {
    call.spend(text.length * decryptingWork);
    return decrypted(password, text);
  }),
  ...jsonPrinters('toJson', compact),
  ...jsonPrinters('toPrettyJson', pretty),
  ...jsonPrinters('toRawJson', raw),
  traced('fromJson(string) any', ([text], { from }) =>
    orElse(
      () => fromJsonText(text!.value as string, from),
      () => cell(null, from),
    ),
  ),
  traced('mustFromJson(string) any', ([text], { from }) => fromJsonText(text!.value as string, from)),
];

/** What a character of a text that is decrypted takes, in steps of a rendering. */
const decryptingWork = 10;
const keyLength = 32;
const blockLength = 16;

/** What `encryptAES` has made: the start of the chain, and blocks of which the last byte says how much was filled in. */
function decrypted(password: string, text: string): string {
  if (text === '') return '';
  const read = decodeBase64(goBytes(text));
  if ('corruptAt' in read) throw new GoError(`illegal base64 data at input byte ${read.corruptAt}`);
  const key = new Uint8Array(keyLength);
  key.set(goBytes(password).subarray(0, keyLength));
  const { bytes } = read;
  if (bytes.length < blockLength)
    throw outOfRange(`[:${blockLength}] with capacity ${Math.floor(text.length / 4) * 3}`);
  const body = bytes.subarray(blockLength);
  if (body.length % blockLength !== 0) throw new GoError('crypto/cipher: input not full blocks');
  const plainBytes = decryptAesCbc(key, bytes.subarray(0, blockLength), body);
  if (plainBytes.length === 0) throw new GoError('runtime error: index out of range [-1]');
  const end = plainBytes.length - plainBytes.at(-1)!;
  if (end < 0) throw outOfRange(`[:${end}]`);
  return goText(plainBytes.subarray(0, end));
}

function outOfRange(what: string): GoError {
  return new GoError(`runtime error: slice bounds out of range ${what}`);
}

/** What cannot be written is an empty text, but for `must…` and for raw JSON. */
function jsonPrinters(name: string, style: JsonStyle) {
  const must = `must${name[0]!.toUpperCase()}${name.slice(1)}`;
  const write = ([value]: readonly Cell[], { from }: Call) => jsonCell(value!, style, from);
  const lenient = (args: readonly Cell[], call: Call) =>
    orElse(
      () => write(args, call),
      () => cell('', call.from),
    );
  return [traced(`${name}(any) string`, style === raw ? write : lenient), traced(`${must}(any) string`, write)];
}

/** The result, or what stands for a failure of Go's. */
export function orElse<T>(run: () => T, instead: (error: GoError) => T): T {
  try {
    return run();
  } catch (error) {
    if (!(error instanceof GoError)) throw error;
    return instead(error);
  }
}

/** Characters that a letter of a password's pattern stands for. */
const vowels = 'AEIOU';
const consonants = 'BCDFGHJKLMNPQRSTVWXYZ';
const upper = vowels + consonants;
const letters = vowels + vowels.toLowerCase() + consonants + consonants.toLowerCase();
const digits = '0123456789';
const characters: ReadonlyMap<string, string> = new Map(
  Object.entries<string>({
    V: vowels,
    C: consonants,
    v: vowels.toLowerCase(),
    c: consonants.toLowerCase(),
    A: upper,
    a: letters,
    n: digits,
    o: "@&%?,=[]_:-+*$#!'^~;()/.",
    x: `${letters}${digits}!@#$%^&*()`,
  }),
);

/** The patterns of the Master Password algorithm. */
const patterns: Readonly<Record<string, readonly string[]>> = {
  maximum: ['anoxxxxxxxxxxxxxxxxx', 'axxxxxxxxxxxxxxxxxno'],
  long: (
    'CvcvnoCvcvCvcv CvcvCvcvnoCvcv CvcvCvcvCvcvno CvccnoCvcvCvcv CvccCvcvnoCvcv CvccCvcvCvcvno CvcvnoCvccCvcv ' +
    'CvcvCvccnoCvcv CvcvCvccCvcvno CvcvnoCvcvCvcc CvcvCvcvnoCvcc CvcvCvcvCvccno CvccnoCvccCvcv CvccCvccnoCvcv ' +
    'CvccCvccCvcvno CvcvnoCvccCvcc CvcvCvccnoCvcc CvcvCvccCvccno CvccnoCvcvCvcc CvccCvcvnoCvcc CvccCvcvCvccno'
  ).split(' '),
  medium: ['CvcnoCvc', 'CvcCvcno'],
  short: ['Cvcn'],
  basic: ['aaanaaan', 'aannaaan', 'aaannaaa'],
  pin: ['nnnn'],
};

const seedName = 'com.lyndir.masterpassword';
const cost = { n: 32768, r: 8, p: 2 };
/** A key takes about as long as so many steps of a rendering. */
const derivingWork = 500_000;

/** Keys that were derived last: a chart is rendered with many values, and mostly with the same password. */
const keys = new Map<string, Uint8Array>();
const mostKeys = 16;

function keyOf(password: string, user: string, derive: () => Uint8Array): Uint8Array {
  const name = JSON.stringify([password, user]);
  const known = keys.get(name);
  if (known) return known;
  const key = derive();
  const [oldest] = keys.keys();
  if (keys.size >= mostKeys && oldest !== undefined) keys.delete(oldest);
  keys.set(name, key);
  return key;
}

function derived(
  counter: number,
  type: string,
  { password, user, site }: Record<'password' | 'user' | 'site', string>,
): string {
  const choices = Object.hasOwn(patterns, type) ? patterns[type] : undefined;
  if (!choices) return `cannot find password template ${type}`;
  const name = (text: string) => {
    const bytes = goBytes(text);
    return joined(goBytes(seedName), number(bytes.length), bytes);
  };
  const key = keyOf(password, user, () => scrypt(goBytes(password), name(user), cost, 64));
  const seed = hmacSha256(key, joined(name(site), number(counter)));
  const pattern = choices[seed[0]! % choices.length]!;
  return Array.from(
    pattern,
    (letter, i) => characters.get(letter)![seed[i + 1]! % characters.get(letter)!.length],
  ).join('');
}

function number(value: number): Uint8Array {
  const view = new DataView(new ArrayBuffer(4));
  view.setUint32(0, value);
  return new Uint8Array(view.buffer);
}
