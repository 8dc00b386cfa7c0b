import { readRegular } from './read.ts';
import { NotWritten, writeWhole } from './write.ts';

type Encode = (text: string) => Buffer;

/** How texts that were read are bytes again: what was decoded without its mark gets it back. */
const encodings: readonly Encode[] = [
  (text) => Buffer.from(text, 'utf8'),
  (text) => Buffer.from(`\ufeff${text}`, 'utf16le'),
  (text) => Buffer.from(`\ufeff${text}`, 'utf16le').swap16(),
];

/**
 * Puts another text in place of the one that was read, in the file's own encoding. A file that was changed meanwhile, or
 * of which bytes would be lost, is left as it is.
 */
export async function changeText(file: string, before: string, after: string, inside: string): Promise<void> {
  const bytes = await readRegular(file, 4 * before.length + 4);
  const encode = encodings.find((one) => bytes instanceof Uint8Array && one(before).equals(bytes));
  if (encode) return await writeWhole(file, encode(after), inside);
  throw new NotWritten(
    before.includes('\ufffd')
      ? `${file} is not written: it has bytes that are not UTF-8, which would be lost`
      : `${file} is not written: it has changed since it was read`,
  );
}
