// PNG images, as far as pictures and tests need them: 8 bits a channel, not interlaced.
import { crc32, deflateSync, inflateSync } from 'node:zlib';

const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/** How many bytes a pixel takes, by the type of its colors. */
const channelsOf = { 0: 1, 2: 3, 4: 2, 6: 4 };

/** The pixels of an image, row by row, as they are in it: 3 bytes each, or 4 with transparency. */
export function decode(image) {
  const [width, height, depth, type] = [image.readUInt32BE(16), image.readUInt32BE(20), image[24], image[25]];
  const channels = channelsOf[type];
  if (depth !== 8 || channels < 3 || image[28] !== 0) throw new Error('this kind of PNG is not read');
  const parts = [];
  for (let at = 8; at < image.length; ) {
    const length = image.readUInt32BE(at);
    if (image.toString('latin1', at + 4, at + 8) === 'IDAT') parts.push(image.subarray(at + 8, at + 8 + length));
    at += length + 12;
  }
  const raw = inflateSync(Buffer.concat(parts));
  const pixels = Buffer.alloc(width * height * channels);
  for (let row = 0; row < height; row++) unfilter(raw, pixels, row, width * channels, channels);
  return { width, height, channels, pixels };
}

/** Rows are kept as differences from what is to the left and above. */
function unfilter(raw, pixels, row, stride, channels) {
  const [from, to] = [row * (stride + 1) + 1, row * stride];
  const guess = guesses[raw[from - 1]];
  for (let i = 0; i < stride; i++) {
    const left = i < channels ? 0 : pixels[to + i - channels];
    const above = row === 0 ? 0 : pixels[to + i - stride];
    const corner = i < channels || row === 0 ? 0 : pixels[to + i - stride - channels];
    pixels[to + i] = (raw[from + i] + guess(left, above, corner)) & 0xff;
  }
}

/** What a byte is likely to be, by the filter of its row. */
const guesses = [
  () => 0,
  (left) => left,
  (_left, above) => above,
  (left, above) => (left + above) >> 1,
  (left, above, corner) => nearest(left, above, corner),
];

function nearest(left, above, corner) {
  const sum = left + above - corner;
  const a = Math.abs(sum - left);
  const b = Math.abs(sum - above);
  const c = Math.abs(sum - corner);
  return a <= b && a <= c ? left : b <= c ? above : corner;
}

/** An image of 4 bytes a pixel. */
export function encode(width, height, pixels) {
  return written(width, height, 6, [['IDAT', rowsOf(pixels, width * 4)]]);
}

/** A part of an image. */
export function cut(image, { x, y, width, height }) {
  const { channels } = image;
  const pixels = Buffer.alloc(width * height * channels);
  for (let row = 0; row < height; row++) {
    const from = ((y + row) * image.width + x) * channels;
    image.pixels.copy(pixels, row * width * channels, from, from + width * channels);
  }
  return { width, height, channels, pixels };
}

/** The same picture in no more than 256 colors, which takes a third of the room. */
export function reduced({ width, height, channels, pixels }) {
  const { palette, indexes } = quantised(pixels, channels);
  return written(width, height, 3, [
    ['PLTE', Buffer.from(palette.flatMap((color) => [color >> 16, (color >> 8) & 0xff, color & 0xff]))],
    ['IDAT', rowsOf(indexes, width)],
  ]);
}

function quantised(pixels, channels) {
  const counts = new Map();
  const colors = new Uint32Array(pixels.length / channels);
  for (let i = 0; i < colors.length; i++) {
    const at = i * channels;
    colors[i] = (pixels[at] << 16) | (pixels[at + 1] << 8) | pixels[at + 2];
    counts.set(colors[i], (counts.get(colors[i]) ?? 0) + 1);
  }
  // What fills the most room keeps its color; shades at the edges of letters take the nearest.
  const palette = [...counts]
    .sort(([, a], [, b]) => b - a)
    .slice(0, 256)
    .map(([color]) => color);
  const places = new Map(palette.map((color, i) => [color, i]));
  const placeOf = (color) => {
    if (!places.has(color)) places.set(color, closest(color, palette));
    return places.get(color);
  };
  return { palette, indexes: Buffer.from(colors.map(placeOf)) };
}

function closest(color, palette) {
  let [best, least] = [0, Number.POSITIVE_INFINITY];
  for (const [i, one] of palette.entries()) {
    const distance = [16, 8, 0].reduce((sum, by) => sum + (((one >> by) & 0xff) - ((color >> by) & 0xff)) ** 2, 0);
    if (distance < least) [best, least] = [i, distance];
  }
  return best;
}

function rowsOf(bytes, stride) {
  const rows = [];
  for (let at = 0; at < bytes.length; at += stride) rows.push(Buffer.of(0), bytes.subarray(at, at + stride));
  return deflateSync(Buffer.concat(rows), { level: 9 });
}

function written(width, height, type, parts) {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, type, 0, 0, 0], 8);
  const chunks = [['IHDR', header], ...parts, ['IEND', Buffer.alloc(0)]];
  return Buffer.concat([signature, ...chunks.map(([name, data]) => chunk(name, data))]);
}

function chunk(name, data) {
  const body = Buffer.concat([Buffer.from(name, 'latin1'), data]);
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  check.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, check]);
}
