// What of a screenshot can be told apart: measured in its pixels, so that no picture has to be kept that another machine
// draws otherwise.
import { decode } from '../../scripts/png.mjs';

/**
 * How far the text in a part of the page is from what is behind it, from 1 (not to be seen) to 21, as the accessibility
 * guidelines for the web reckon it. What is behind fills most of the part.
 */
export async function contrastOf(page, part) {
  const clip = await part.boundingBox();
  if (!clip) throw new Error('this part of the page is not shown');
  const { pixels, channels } = decode(await page.screenshot({ clip }));
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
