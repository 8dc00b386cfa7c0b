import { answeredOnce } from './answers.ts';
import { openRegular } from './read.ts';

const pieceSize = 262_144;

/** The bytes of a regular file of any size, piece by piece; each holds until the next is asked for. */
export async function* piecesOf(file: string): AsyncGenerator<Uint8Array> {
  // Too much to be read a second time.
  answeredOnce('pieces', file);
  const opened = await openRegular(file);
  if (!opened) throw new Error(`${file} is not a regular file`);
  const { handle } = opened;
  try {
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
