import type { TextEdit } from '../../base/text.ts';
import type { DocumentPath } from '../../base/value.ts';
import type { YamlDocument } from '../parse.ts';
import { doubleQuoted } from '../quoting.ts';
import { renderKey } from '../render.ts';
import { edit, nodeAt } from './entries.ts';

/** Gives a key another name, in the quotes that it has. */
export function renameKey(document: YamlDocument, path: DocumentPath, key: string): TextEdit[] {
  const found = nodeAt(document, path);
  if (!found?.pair) return [];
  const { pair, start } = found.pair;
  const from = start + pair.keyAt;
  const style = pair.key.kind === 'scalar' ? pair.key.style : 'plain';
  return [
    edit(from + (pair.key.props?.bodyAt ?? 0), from + pair.key.length, requoted(key, style, pair.key.length === 0)),
  ];
}

function requoted(text: string, style: string, missing: boolean): string {
  if (style === 'double') return doubleQuoted(text);
  if (style === 'single' && !/[^\x20-\x7e]/.test(text)) return `'${text.replaceAll("'", "''")}'`;
  return missing ? `${renderKey(text)} ` : renderKey(text);
}
