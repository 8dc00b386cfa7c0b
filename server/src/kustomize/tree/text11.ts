/** Whether a text without quotes is something else to readers of YAML 1.1. */

import { parseDocument } from '../../yaml/document.ts';
import { resolvePlain } from '../../yaml/resolve.ts';

/** Texts of these alone are single scalars, whatever they say. */
const simple = /^[A-Za-z0-9_./+][A-Za-z0-9_./+-]*$/;

export function isNotText(text: string): boolean {
  if (text === '' || text.includes('\n')) return false;
  if (simple.test(text)) return typeof resolvePlain(text) !== 'string';
  const document = parseDocument(text);
  if (document.readerError) return false;
  const { root } = document;
  if (root?.kind !== 'scalar') return true;
  return root.style === 'plain' && root.props?.tag === undefined && typeof resolvePlain(root.value) !== 'string';
}
