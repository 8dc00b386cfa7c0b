/**
 * How an expression is reached from a variable: its name, then fields and `@items`, `@keys`, `@values`, `@indices`.
 * Steps live in storage that paths share as Go's slices do, because cel-go's estimate shows when two paths that grew
 * from the same one overwrite each other's last step.
 */
export interface CelPath {
  readonly steps: string[];
  readonly length: number;
  readonly capacity: number;
}

export const noPath: CelPath = { steps: [], length: 0, capacity: 0 };

export function rootPath(name: string): CelPath {
  return { steps: [name], length: 1, capacity: 1 };
}

export function extend(path: CelPath, step: string): CelPath {
  const { steps, length, capacity } = path;
  if (length < capacity) {
    steps[length] = step;
    return { steps, length: length + 1, capacity };
  }
  const copy = steps.slice(0, length);
  copy.push(step);
  return { steps: copy, length: length + 1, capacity: capacity === 0 ? 1 : capacity * 2 };
}
