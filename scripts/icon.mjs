// npm run icon: draws docs/images/icon.png, the extension's icon: lines of YAML in a frame, and a check mark.
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { crc32, deflateSync } from 'node:zlib';
import { root } from './setup.mjs';

const size = 128;
/** Each pixel is the mean of so many by so many points. */
const points = 4;

/** How far a point is outside of a shape; negative inside. */
const line = (ax, ay, bx, by, width) => (x, y) => {
  const along = Math.max(
    0,
    Math.min(1, ((x - ax) * (bx - ax) + (y - ay) * (by - ay)) / ((bx - ax) ** 2 + (by - ay) ** 2)),
  );
  return Math.hypot(x - ax - along * (bx - ax), y - ay - along * (by - ay)) - width / 2;
};
const rectangle = (left, top, right, bottom, radius) => (x, y) => {
  const dx = Math.abs(x - (left + right) / 2) - (right - left) / 2 + radius;
  const dy = Math.abs(y - (top + bottom) / 2) - (bottom - top) / 2 + radius;
  return Math.hypot(Math.max(dx, 0), Math.max(dy, 0)) + Math.min(Math.max(dx, dy), 0) - radius;
};
const circle = (cx, cy, radius) => (x, y) => Math.hypot(x - cx, y - cy) - radius;

const navy = [27, 43, 74];
const white = [244, 247, 252];
const blue = [120, 178, 255];
const green = [46, 160, 103];

/** From back to front. */
const shapes = [
  [rectangle(2, 2, 126, 126, 26), navy],
  [line(26, 34, 62, 34, 9), white],
  [line(40, 54, 72, 54, 9), blue],
  [line(78, 54, 100, 54, 9), white],
  [line(40, 74, 58, 74, 9), blue],
  [line(54, 94, 58, 94, 9), blue],
  [circle(90, 90, 31), navy],
  [circle(90, 90, 26), green],
  [line(78, 91, 87, 100, 7), white],
  [line(87, 100, 103, 81, 7), white],
];

function pixel(column, row) {
  const sum = [0, 0, 0, 0];
  for (let i = 0; i < points * points; i++) {
    const [x, y] = [column + ((i % points) + 0.5) / points, row + (Math.floor(i / points) + 0.5) / points];
    const [, color] = shapes.findLast(([outside]) => outside(x, y) <= 0) ?? [];
    if (color) for (const [k, part] of [...color, 255].entries()) sum[k] += part;
  }
  const covered = sum[3] / 255;
  return [
    ...sum.slice(0, 3).map((part) => (covered === 0 ? 0 : Math.round(part / covered))),
    Math.round(sum[3] / points ** 2),
  ];
}

function chunk(type, data) {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  check.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, check]);
}

const header = Buffer.alloc(13);
header.writeUInt32BE(size, 0);
header.writeUInt32BE(size, 4);
header.set([8, 6, 0, 0, 0], 8);
const rows = Array.from({ length: size }, (_, row) => {
  return Buffer.from([0, ...Array.from({ length: size }, (_, column) => pixel(column, row)).flat()]);
});
const image = Buffer.concat([
  Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
  chunk('IHDR', header),
  chunk('IDAT', deflateSync(Buffer.concat(rows), { level: 9 })),
  chunk('IEND', Buffer.alloc(0)),
]);
writeFileSync(path.join(root, 'docs/images/icon.png'), image);
console.log(`docs/images/icon.png: ${image.length} bytes`);
