import { memo } from '../../base/memo.ts';
import { isPrint } from '../../gostd/quote.ts';
import type { GoFile, GoImport, SyntaxFault } from './model.ts';
import { Grammar } from './strict/grammar.ts';
import { Reader } from './strict/reader.ts';

/** What Go's own parser says of a file, in the order of the text: there is something for every file that is not Go. */
export const faultsOf = memo((go: GoFile): readonly SyntaxFault[] => faultsIn(go.text));

export function faultsIn(text: string): readonly SyntaxFault[] {
  const reader = new Reader(text);
  new Grammar(reader).file();
  return reader.faults();
}

/** The first import whose path Go does not take for one; what such a package imports is not looked for at all. */
export const badImportOf = memo((go: GoFile): GoImport | undefined =>
  go.imports.find(({ path }) => !isImportPath(path)),
);

/** Graphic characters that are no blanks, and none of those that Go names. */
function isImportPath(path: string): boolean {
  return /^[^!"#$%&'()*,:;<=>?[\\\]^{|}`\ufffd\s]+$/u.test(path) && Array.from(path).every(isPrint);
}
