/** The first document of a text as sigs.k8s.io/yaml reads it. */
import type { Value } from '../base/value.ts';
import { parseDocument } from './document.ts';
import { valueAsWritten } from './unended.ts';
import { documentVerdict } from './value.ts';

export type ReadValue =
  | { readonly value: Value; readonly error?: undefined }
  | { readonly value?: undefined; readonly error: string; readonly start: number; readonly end: number };

export function readValue(text: string): ReadValue {
  const document = parseDocument(text);
  const { error } = documentVerdict(document);
  if (error === undefined) return { value: valueAsWritten(document) ?? null };
  const range = document.problems[0]?.range ?? { start: 0, end: text.length };
  return { error, start: range.start, end: range.end };
}
