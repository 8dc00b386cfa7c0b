import type { Read } from '../files/read.ts';
import { isKustomization, isKyvernoTest } from './fileNames.ts';

/**
 * A look at a file's raw text that says, without parsing it, whether it can matter to others: it defines kinds, or it
 * names files that hold parts of objects, or webhooks that complete them. Most files of a workspace are read once, scanned,
 * and forgotten.
 */
export interface Scan {
  readonly crd: boolean;
  readonly parts: boolean;
}

const definition = /(?:C(?:ustom|omposite)Resource|ResourceGraph)Definition/;
const test =
  /^(?:apiVersion:\s*(?:chainsaw\.kyverno\.io|test\.gatekeeper\.sh)\/|kind:\s*["']?(?:Test|PolicyGenerator|MutatingWebhookConfiguration)["']?\s*$)/m;
export function scan(text: string, name: string): Scan {
  return {
    crd: definition.test(text),
    parts: isKustomization(name) || isKyvernoTest(name) || test.test(text),
  };
}

export type Content =
  | { readonly kind: 'text'; readonly text: string; readonly replaced: boolean }
  | { readonly kind: 'binary' };

/** The text of what reading a file gave; undefined where it is none. */
export function textOf(bytes: Read): string | undefined {
  const content = bytes instanceof Uint8Array ? decodeText(bytes) : undefined;
  return content?.kind === 'text' ? content.text : undefined;
}

/** Text of UTF-8 (or UTF-16 with a byte order mark) bytes; bytes that are not text are told apart. */
export function decodeText(bytes: Uint8Array): Content {
  if (bytes[0] === 0xff && bytes[1] === 0xfe)
    return { kind: 'text', text: new TextDecoder('utf-16le').decode(bytes), replaced: false };
  if (bytes[0] === 0xfe && bytes[1] === 0xff)
    return { kind: 'text', text: new TextDecoder('utf-16be').decode(bytes), replaced: false };
  if (bytes.subarray(0, 8192).includes(0)) return { kind: 'binary' };
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
  return { kind: 'text', text, replaced: text.includes('\ufffd') };
}
