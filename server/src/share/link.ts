// What a link to the playground holds: everything, compressed, behind the `#`, which browsers keep to themselves. Whoever
// follows a link did not write it, so what it holds is bounded and looked at before any of it is used.

/** A session of the playground. */
export interface Play {
  /** The minor version of Kubernetes that judges, such as `1.37`; undefined for the newest. */
  readonly kubernetes?: string;
  readonly files: readonly PlayFile[];
}

export interface PlayFile {
  /** The path in the folder that the session stands for, with slashes. */
  readonly name: string;
  readonly text: string;
  /** What is stored already: the text is then also judged as an update of it. */
  readonly before?: string;
}

/** The bytes that a fragment may have, and those that it may unfold to. */
export const mostLinkCharacters = 400_000;
export const mostLinkBytes = 1_000_000;
export const mostLinkFiles = 50;
const longestLinkName = 200;

/** Leads the fragment; another number would be another form. */
const form = '1.';

/** Says in a sentence why a link cannot be made or followed. */
export class LinkError extends Error {}

export async function fragmentOf(play: Play): Promise<string> {
  // What a link could not be followed with is not put into one.
  const bytes = new TextEncoder().encode(JSON.stringify(readPlay(play)));
  if (bytes.length > mostLinkBytes) throw new LinkError(`These files are too large for a link: ${tooMuch}.`);
  const packed = await collect(through(bytes, new CompressionStream('gzip')), mostLinkBytes);
  const fragment = form + toBase64Url(packed);
  if (fragment.length > mostLinkCharacters) throw new LinkError(`These files are too large for a link: ${tooLong}.`);
  return fragment;
}

const tooMuch = `it may hold ${mostLinkBytes} bytes`;
const tooLong = `it may be ${mostLinkCharacters} characters long`;

/** The session of a fragment, without its `#`. */
export async function playOf(fragment: string): Promise<Play> {
  if (!fragment.startsWith(form)) throw new LinkError('This link was not made by the playground, or by a newer one.');
  if (fragment.length > mostLinkCharacters) throw new LinkError(`This link is too long: ${tooLong}.`);
  const packed = fromBase64Url(fragment.slice(form.length));
  const bytes = await collect(through(packed, new DecompressionStream('gzip')), mostLinkBytes);
  return readPlay(parsed(bytes));
}

function parsed(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch (error) {
    // Bytes that are not UTF-8, or a text that is not JSON.
    if (error instanceof TypeError || error instanceof SyntaxError) throw new LinkError(damaged);
    throw error;
  }
}

const damaged = 'This link is damaged: a part of it may be missing.';

/** Takes nothing but what is known, so that a link cannot bring anything else into the page. */
function readPlay(sent: unknown): Play {
  const { kubernetes, files } = fieldsOf(sent);
  if (!Array.isArray(files) || files.length > mostLinkFiles) throw new LinkError(damaged);
  if (kubernetes !== undefined && !(typeof kubernetes === 'string' && /^1\.\d{1,3}$/.test(kubernetes)))
    throw new LinkError(damaged);
  const read = files.map(readFile);
  if (new Set(read.map(({ name }) => name)).size < read.length) throw new LinkError(damaged);
  return { ...(kubernetes !== undefined && { kubernetes }), files: read };
}

function readFile(sent: unknown): PlayFile {
  const { name, text, before } = fieldsOf(sent);
  if (typeof name !== 'string' || !isPlayName(name) || typeof text !== 'string') throw new LinkError(damaged);
  if (before !== undefined && typeof before !== 'string') throw new LinkError(damaged);
  return { name, text, ...(before !== undefined && { before }) };
}

function fieldsOf(sent: unknown): Readonly<Record<string, unknown>> {
  if (typeof sent !== 'object' || sent === null || Array.isArray(sent)) throw new LinkError(damaged);
  return sent as Readonly<Record<string, unknown>>;
}

/** Whether a file may be called so: a path below the folder, of letters that need no care anywhere. */
export function isPlayName(name: string): boolean {
  return (
    name.length <= longestLinkName &&
    name.split('/').every((part) => /^[\w@+-][\w.@+ -]*$/.test(part) || /^\.[\w-][\w.-]*$/.test(part))
  );
}

function through(bytes: Uint8Array, transform: CompressionStream | DecompressionStream): ReadableStream<Uint8Array> {
  return new Blob([bytes as Uint8Array<ArrayBuffer>]).stream().pipeThrough(transform) as ReadableStream<Uint8Array>;
}

/** Reads a stream up to a bound, and no further: what it would unfold to beyond that is never made. */
async function collect(stream: ReadableStream<Uint8Array>, most: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  const reader = stream.getReader();
  for (;;) {
    // What is read is in memory: all that can fail are bytes that are not gzip, of which every platform speaks otherwise.
    const { done, value } = await reader.read().catch(() => {
      throw new LinkError(damaged);
    });
    if (done) break;
    length += value.length;
    if (length > most) {
      await reader.cancel();
      throw new LinkError(`This link holds too much: ${tooMuch}.`);
    }
    chunks.push(value);
  }
  const whole = new Uint8Array(length);
  let at = 0;
  for (const chunk of chunks) {
    whole.set(chunk, at);
    at += chunk.length;
  }
  return whole;
}

function toBase64Url(bytes: Uint8Array): string {
  let text = '';
  for (const byte of bytes) text += String.fromCharCode(byte);
  return btoa(text).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

function fromBase64Url(text: string): Uint8Array {
  if (!/^[\w-]*$/.test(text)) throw new LinkError(damaged);
  const padded = text.replaceAll('-', '+').replaceAll('_', '/');
  let bytes: string;
  try {
    bytes = atob(padded);
  } catch (error) {
    // A length that no bytes have.
    if (error instanceof DOMException) throw new LinkError(damaged);
    throw error;
  }
  return Uint8Array.from(bytes, (letter) => letter.charCodeAt(0));
}
