// npm run icon: draws the extension's icon, lines of YAML in a frame and a check mark: docs/images/icon.svg, and the same as
// docs/images/icon.png, which is what editors take.
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { encode } from './png.mjs';
import { root } from './setup.mjs';

const size = 128;
/** Each pixel is the mean of so many by so many points. */
const points = 4;

/** A shape: how far a point is outside of it (negative inside), and the same for SVG. */
const line = (ax, ay, bx, by, width) => ({
  outside(x, y) {
    const [dx, dy] = [bx - ax, by - ay];
    const along = Math.max(0, Math.min(1, ((x - ax) * dx + (y - ay) * dy) / (dx ** 2 + dy ** 2)));
    return Math.hypot(x - ax - along * dx, y - ay - along * dy) - width / 2;
  },
  svg: (color) => {
    const ends = `x1="${ax}" y1="${ay}" x2="${bx}" y2="${by}"`;
    return `<line ${ends} stroke="${color}" stroke-width="${width}" stroke-linecap="round"/>`;
  },
});
const rectangle = (left, top, right, bottom, radius) => ({
  outside(x, y) {
    const dx = Math.abs(x - (left + right) / 2) - (right - left) / 2 + radius;
    const dy = Math.abs(y - (top + bottom) / 2) - (bottom - top) / 2 + radius;
    return Math.hypot(Math.max(dx, 0), Math.max(dy, 0)) + Math.min(Math.max(dx, dy), 0) - radius;
  },
  svg: (color) => {
    const place = `x="${left}" y="${top}" width="${right - left}" height="${bottom - top}"`;
    return `<rect ${place} rx="${radius}" fill="${color}"/>`;
  },
});
const circle = (cx, cy, radius) => ({
  outside: (x, y) => Math.hypot(x - cx, y - cy) - radius,
  svg: (color) => `<circle cx="${cx}" cy="${cy}" r="${radius}" fill="${color}"/>`,
});

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
    const [, color] = shapes.findLast(([shape]) => shape.outside(x, y) <= 0) ?? [];
    if (color) for (const [k, part] of [...color, 255].entries()) sum[k] += part;
  }
  const covered = sum[3] / 255;
  return [
    ...sum.slice(0, 3).map((part) => (covered === 0 ? 0 : Math.round(part / covered))),
    Math.round(sum[3] / points ** 2),
  ];
}

const rows = Array.from({ length: size }, (_, row) => {
  return Buffer.from(Array.from({ length: size }, (_, column) => pixel(column, row)).flat());
});
const image = encode(size, size, Buffer.concat(rows));
writeFileSync(path.join(root, 'docs/images/icon.png'), image);
const drawn = shapes.map(([shape, color]) => `  ${shape.svg(`rgb(${color.join()})`)}\n`);
const box = `xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size} ${size}"`;
writeFileSync(path.join(root, 'docs/images/icon.svg'), `<svg ${box}>\n${drawn.join('')}</svg>\n`);
console.log(`docs/images/icon.png: ${image.length} bytes`);
