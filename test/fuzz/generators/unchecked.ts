import { uncheckedParts } from '../../../server/src/kubernetes/builtin/validation/unchecked.ts';

/** Whether a row of differences is an error about what is not validated. */
export function isUnchecked(row: string): boolean {
  const [, text] = /^\.errors: (?:only theirs|ours undefined ≠ theirs) \[?(.*?)\]?$/.exec(row) ?? [];
  if (text === undefined) return false;
  const errors: { field: string; message: string }[] = JSON.parse(`[${text}]`);
  return errors.every(({ field, message }) =>
    uncheckedParts.some((one) => one.field.test(field) && (one.message?.test(message) ?? true)),
  );
}
