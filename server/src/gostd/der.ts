/** The tags of DER that certificates are made of. */
export const tag = {
  boolean: 0x01,
  integer: 0x02,
  bitString: 0x03,
  octetString: 0x04,
  objectId: 0x06,
  utf8: 0x0c,
  numeric: 0x12,
  printable: 0x13,
  t61: 0x14,
  ia5: 0x16,
  utcTime: 0x17,
  generalizedTime: 0x18,
  bmp: 0x1e,
  sequence: 0x30,
  set: 0x31,
} as const;

/** An optional field with a number; what it holds is plain, or constructed of further elements. */
export function plainField(number: number): number {
  return 0x80 | number;
}

export function constructedField(number: number): number {
  return 0xa0 | number;
}

export interface Element {
  readonly tag: number;
  readonly body: Uint8Array;
  /** With its tag and its length. */
  readonly whole: Uint8Array;
}

/** Reads elements one after the other, as strictly as Go's cryptobyte; undefined is a malformed or another element. */
export class DerReader {
  private rest: Uint8Array;

  constructor(bytes: Uint8Array) {
    this.rest = bytes;
  }

  get empty(): boolean {
    return this.rest.length === 0;
  }

  startsWith(wanted: number): boolean {
    return this.rest[0] === wanted;
  }

  any(): Element | undefined {
    const [first = 0, short = 0] = this.rest;
    const header = short < 0x80 ? { size: 2, length: short } : longLength(this.rest, short & 0x7f);
    if (this.rest.length < 2 || (first & 0x1f) === 0x1f || !header) return undefined;
    const stop = header.size + header.length;
    if (stop > this.rest.length) return undefined;
    const whole = this.rest.subarray(0, stop);
    this.rest = this.rest.subarray(stop);
    return { tag: first, body: whole.subarray(header.size), whole };
  }

  element(wanted: number): Element | undefined {
    const found = this.any();
    return found?.tag === wanted ? found : undefined;
  }

  body(wanted: number): Uint8Array | undefined {
    return this.element(wanted)?.body;
  }

  within(wanted: number): DerReader | undefined {
    const body = this.body(wanted);
    return body && new DerReader(body);
  }

  integer(wanted: number = tag.integer): bigint | undefined {
    const body = this.body(wanted);
    return body && integerOf(body);
  }

  /** True and false have one form each. */
  boolean(): boolean | undefined {
    const body = this.body(tag.boolean);
    return body?.length === 1 && (body[0] === 0 || body[0] === 0xff) ? body[0] === 0xff : undefined;
  }

  /** With dots: `1.2.840`. */
  objectId(): string | undefined {
    const body = this.body(tag.objectId);
    return body && objectIdOf(body);
  }

  /** The bits as whole bytes, moved to the right by as many as the last byte does not use. */
  bits(): Uint8Array | undefined {
    const body = this.body(tag.bitString);
    if (!body || body.length === 0) return undefined;
    const unused = body[0]!;
    const bytes = body.subarray(1);
    if (unused > 7 || (bytes.length === 0 && unused > 0)) return undefined;
    if (bytes.length > 0 && bytes.at(-1)! & ((1 << unused) - 1)) return undefined;
    return bytes.map((byte, i) => (((i > 0 ? bytes[i - 1]! : 0) << 8) | byte) >> unused);
  }
}

/** A length of 128 and more is written in as few bytes as possible. */
function longLength(bytes: Uint8Array, count: number): { size: number; length: number } | undefined {
  if (count === 0 || count > 4 || bytes.length < 2 + count) return undefined;
  const length = bytes.subarray(2, 2 + count).reduce((sum, byte) => sum * 256 + byte, 0);
  return length < 128 || bytes[2] === 0 ? undefined : { size: 2 + count, length };
}

function integerOf(bytes: Uint8Array): bigint | undefined {
  const [first, second] = bytes;
  if (first === undefined) return undefined;
  const repeated = second !== undefined && (first === 0 ? second < 0x80 : first === 0xff && second >= 0x80);
  return repeated ? undefined : BigInt.asIntN(bytes.length * 8, numberOf(bytes));
}

/** Bytes as one number, the first byte weighing most. */
export function numberOf(bytes: Uint8Array): bigint {
  return BigInt(`0x0${Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')}`);
}

const largestPart = 2 ** 31;

function objectIdOf(bytes: Uint8Array): string | undefined {
  const parts: number[] = [];
  let part = 0;
  let started = false;
  for (const byte of bytes) {
    if (!started && byte === 0x80) return undefined;
    part = part * 128 + (byte & 0x7f);
    if (part >= largestPart) return undefined;
    started = byte >= 0x80;
    if (started) continue;
    parts.push(part);
    part = 0;
  }
  const [first, ...others] = parts;
  if (first === undefined || started) return undefined;
  const top = Math.min(2, Math.floor(first / 40));
  return [top, first - top * 40, ...others].join('.');
}
