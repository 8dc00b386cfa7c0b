import { isList, isMap } from '../base/value.ts';
import { parseDocument } from './parse.ts';
import { resolvePlain } from './resolve.ts';
import { valueOf } from './value.ts';

/** A string as a YAML scalar that Kubernetes reads back as this very string: plain where that is possible. */
export function quoteIfNeeded(text: string): string {
  return staysItself(text) ? text : doubleQuoted(text);
}

/** JSON's escapes are YAML's too, except that YAML wants the line separators escaped as well. */
export function doubleQuoted(text: string): string {
  return JSON.stringify(text).replace(/[\u007f-\u009f\u2028\u2029\ufeff]/g, (char) => {
    return `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`;
  });
}

const plainShape = /^[^\s#:,[\]{}&*!|>'"%@`?-][^\r\n#,[\]{}]*$/;

const words = /^[A-Za-z][\w./-]*(?: [\w./-]+)*$/;

/** Whether the plain text is read as this string in a block and in a flow collection. */
function staysItself(text: string): boolean {
  // Most texts are words, for which no document has to be read.
  if (words.test(text)) return resolvePlain(text) === text;
  // At the start of a line these end the document.
  if (text.startsWith('...')) return false;
  if (!plainShape.test(text) && !/^-?[\w./]+$/.test(text)) return false;
  const inMap = valueOf(parseDocument(`k: ${text}\n`));
  const inList = valueOf(parseDocument(`[${text}]\n`));
  return isMap(inMap) && inMap.get('k') === text && isList(inList) && inList.length === 1 && inList[0] === text;
}
