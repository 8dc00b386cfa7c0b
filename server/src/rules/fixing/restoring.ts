import { printJson } from '../../gostd/jsonPrint.ts';
import { setValue } from '../../yaml/edit.ts';
import type { Fix } from '../model/diagnostic.ts';
import type { Problem } from '../model/rule.ts';
import { fixOf } from './fixes.ts';

/** Gives a value back what is committed, where the update may not change it. */
export function restoring({ document, path, restores }: Problem): Fix[] {
  if (!restores) return [];
  const title = `Restore \`${printJson(restores.value)}\`, as in ${restores.ref}`;
  return fixOf(title, setValue(document, path, restores.value), false);
}
