import { gzipSync } from 'node:zlib';

/** An entry of a tar archive as anybody may write one. */
export interface Packed {
  readonly name: string;
  readonly content?: string | Uint8Array;
  /** `0` a file, `2` a symbolic link, `5` a folder, `x` attributes. */
  readonly type?: string;
  readonly link?: string;
  /** What the header claims, where that is not the truth. */
  readonly size?: number;
}

const block = 512;

/** A gzipped tar archive with these entries, whatever they are called. */
export function tgz(entries: readonly Packed[]): Uint8Array {
  return gzipSync(tar(entries));
}

export function tar(entries: readonly Packed[]): Uint8Array {
  return Buffer.concat([...entries.map(entry), Buffer.alloc(2 * block)]);
}

function entry({ name, content = '', type = '0', link = '', size }: Packed): Buffer {
  const bytes = Buffer.from(content);
  const header = Buffer.alloc(block);
  header.write(name, 0, 100, 'utf8');
  header.write('0000644\0', 100);
  header.write('0000000\0', 108);
  header.write('0000000\0', 116);
  header.write(`${(size ?? bytes.length).toString(8).padStart(11, '0')}\0`, 124);
  header.write('00000000000\0', 136);
  header.write('        ', 148);
  header.write(type, 156);
  header.write(link, 157, 100, 'utf8');
  header.write('ustar\x0000', 257);
  const sum = header.reduce((all, byte) => all + byte, 0);
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  return Buffer.concat([header, bytes, Buffer.alloc((block - (bytes.length % block)) % block)]);
}
