import { pipeline, Readable } from 'node:stream';
import { createGunzip, gunzipSync } from 'node:zlib';
import { piecesOf } from './pieces.ts';

/** Pieces that are ten times as fast to hand on as those of a stream of the platform. */
const chunkSize = 262_144;

/** What gzipped bytes unpack to, piece by piece; ends with an error where they are broken or cut off. */
export async function* gunzipped(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  const stream = createGunzip({ chunkSize });
  stream.end(bytes);
  yield* stream as AsyncIterable<Uint8Array>;
}

/** What a gzipped file of any size unpacks to, piece by piece; ends with an error where it is broken or cut off. */
export async function* unpackedPieces(file: string): AsyncGenerator<Uint8Array> {
  const stream = createGunzip({ chunkSize });
  // Whoever reads the stream is told what is wrong.
  pipeline(Readable.from(copiesOf(piecesOf(file))), stream, () => {});
  yield* stream as AsyncIterable<Uint8Array>;
}

/** Each piece is written over by the next, which a stream asks for ahead. */
async function* copiesOf(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  for await (const piece of pieces) yield Buffer.from(piece);
}

/** The text of gzipped bytes that come with the program, without the streams of the platform, which take long to load. */
export const gunzippedText = (bytes: Uint8Array) => gunzipSync(bytes).toString('utf8');
