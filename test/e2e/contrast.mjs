// What of a screenshot can be told apart: measured in its pixels, so that no picture has to be kept that another machine
// draws otherwise.
import { cut, decode } from '../../scripts/png.mjs';

/**
 * How far the text in a part of the page is from what is behind it, from 1 (not to be seen) to 21, as the accessibility
 * guidelines for the web reckon it. What is behind fills most of the part.
 */
export async function contrastOf(page, part) {
  return contrastWithin(decode(await page.screenshot({ clip: await placeOf(part) })));
}

/** The same in a picture of the page, where several parts are measured: to draw each by itself takes longer. */
export async function contrastIn(picture, part) {
  const { x, y, width, height } = await placeOf(part);
  const [left, top] = [x, y].map((from) => Math.max(0, Math.floor(from)));
  const right = Math.min(picture.width, Math.ceil(x + width));
  const bottom = Math.min(picture.height, Math.ceil(y + height));
  if (right <= left || bottom <= top) throw new Error('this part of the page is not in the picture');
  return contrastWithin(cut(picture, { x: left, y: top, width: right - left, height: bottom - top }));
}

async function placeOf(part) {
  const place = await part.boundingBox();
  if (!place) throw new Error('this part of the page is not shown');
  return place;
}

function contrastWithin({ pixels, channels }) {
  const counts = new Map();
  for (let at = 0; at < pixels.length; at += channels) {
    const color = (pixels[at] << 16) | (pixels[at + 1] << 8) | pixels[at + 2];
    counts.set(color, (counts.get(color) ?? 0) + 1);
  }
  const [[behind]] = [...counts].sort(([, a], [, b]) => b - a);
  return Math.max(...[...counts.keys()].map((color) => ratio(color, behind)));
}

function ratio(a, b) {
  const [dark, light] = [luminance(a), luminance(b)].sort((one, other) => one - other);
  return (light + 0.05) / (dark + 0.05);
}

function luminance(color) {
  const [red, green, blue] = [16, 8, 0].map((by) => {
    const share = ((color >> by) & 0xff) / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
