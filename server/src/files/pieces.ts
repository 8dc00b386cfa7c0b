import { constants, promises as fs } from 'node:fs';

const pieceSize = 262_144;
// Between a look at a file and opening it a pipe may take its place: nobody waits for one to be written to.
const flags = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);

/** The bytes of a regular file of any size, piece by piece; each holds until the next is asked for. */
export async function* piecesOf(file: string): AsyncGenerator<Uint8Array> {
  if (!(await fs.stat(file)).isFile()) throw new Error(`${file} is not a regular file`);
  const handle = await fs.open(file, flags);
  try {
    if (!(await handle.stat()).isFile()) throw new Error(`${file} is not a regular file`);
    const piece = Buffer.allocUnsafeSlow(pieceSize);
    for (;;) {
      const { bytesRead } = await handle.read(piece, 0, pieceSize);
      if (bytesRead === 0) return;
      yield piece.subarray(0, bytesRead);
    }
  } finally {
    await handle.close();
  }
}
