// Rectangles whose areas are shares of a whole, as near to squares as they can be.

export interface Box {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

/** A box for each of some sizes, which are in descending order. */
export function treemap(sizes: readonly number[], whole: Box): Box[] {
  const total = sizes.reduce((sum, size) => sum + size, 0);
  if (total === 0) return sizes.map(() => ({ ...whole, width: 0, height: 0 }));
  const scale = (whole.width * whole.height) / total;
  const areas = sizes.map((size) => size * scale);
  const boxes: Box[] = [];
  let left = whole;
  for (let from = 0; from < areas.length; ) {
    const to = rowEnd(areas, from, Math.min(left.width, left.height));
    const row = areas.slice(from, to);
    const placed = placeRow(row, left);
    boxes.push(...placed.boxes);
    left = placed.left;
    from = to;
  }
  return boxes;
}

/** Up to where a row along a side gets more like squares by taking in one more. */
function rowEnd(areas: readonly number[], from: number, side: number): number {
  let to = from + 1;
  let sum = areas[from]!;
  let worst = worstRatio(areas[from]!, areas[from]!, sum, side);
  for (; to < areas.length; to++) {
    const next = worstRatio(areas[from]!, areas[to]!, sum + areas[to]!, side);
    if (next > worst) break;
    worst = next;
    sum += areas[to]!;
  }
  return to;
}

/** How far from a square the worst of a row's boxes is: it is the largest or the smallest. */
function worstRatio(largest: number, smallest: number, sum: number, side: number): number {
  const square = (side * side) / (sum * sum);
  return Math.max(square * largest, smallest === 0 ? Number.POSITIVE_INFINITY : 1 / (square * smallest));
}

/** A row lies along the shorter side. */
function placeRow(row: readonly number[], { left, top, width, height }: Box): { boxes: Box[]; left: Box } {
  const sum = row.reduce((all, area) => all + area, 0);
  const isColumn = height <= width;
  const side = isColumn ? height : width;
  const thickness = side === 0 ? 0 : sum / side;
  let at = isColumn ? top : left;
  const boxes = row.map((area) => {
    const length = thickness === 0 ? 0 : area / thickness;
    const box = isColumn
      ? { left, top: at, width: thickness, height: length }
      : { left: at, top, width: length, height: thickness };
    at += length;
    return box;
  });
  const rest = isColumn
    ? { left: left + thickness, top, width: width - thickness, height }
    : { left, top: top + thickness, width, height: height - thickness };
  return { boxes, left: rest };
}
