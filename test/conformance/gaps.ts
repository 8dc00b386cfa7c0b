import { readFileSync } from 'node:fs';
import path from 'node:path';
import { conformanceFolder } from './cases.ts';

export interface Gap {
  readonly file: string;
  readonly name: string;
  readonly versions: readonly string[] | undefined;
  readonly reason: string;
}

const row = /^- `(.+?) › (.+)`(?: \(([\d., ]+)\))?: (.+)$/;

export function readGaps(): Gap[] {
  const lines = readFileSync(path.join(conformanceFolder, 'known-gaps.md'), 'utf8').split('\n');
  return lines
    .filter((line) => line.startsWith('- `') && !line.includes('file › case'))
    .map((line) => {
      const found = row.exec(line);
      if (!found) throw new Error(`known-gaps.md: cannot read "${line}"`);
      const versions = found[3]?.split(',').map((version) => version.trim());
      return { file: found[1]!, name: found[2]!, versions, reason: found[4]! };
    });
}

export function findGap(gaps: readonly Gap[], file: string, name: string, kubernetes: string): Gap | undefined {
  return gaps.find(
    (gap) =>
      gap.file === file && (gap.name === '*' || gap.name === name) && (gap.versions?.includes(kubernetes) ?? true),
  );
}
