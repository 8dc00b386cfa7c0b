import { printable } from '../base/printable.ts';
import { lineIndex } from '../base/text.ts';
import { inlayHints } from '../features/inlayHints.ts';
import type { KubernetesVersion } from '../kubernetes/releases/release.ts';
import { defaultSettings } from '../workspace/settings.ts';
import { emptySnapshot, settingsOf, withOpen } from '../workspace/snapshot.ts';
import { expandAll, namedSources, readable } from './inputs.ts';
import { nameOf } from './report.ts';

export interface CostOptions {
  readonly paths: readonly string[];
  readonly version: KubernetesVersion;
  /** The share of the budget, in percent, that no rule may go beyond. */
  readonly max: number;
}

/** Prints what the rules of CRDs may cost, the most expensive first; gives the exit code. */
export async function cost({ paths, version, max }: CostOptions): Promise<number> {
  if (paths.length === 0) throw new Error('no files given');
  const all = { ...defaultSettings, kubernetesVersion: version.name, costHintThreshold: 0 };
  const settings = settingsOf(all);
  let unread = 0;
  let tooMuch = 0;
  for await (const file of readable(namedSources((await expandAll(paths)).uris), () => unread++)) {
    const { uri } = file;
    const hints = inlayHints(withOpen({ ...emptySnapshot, settings }, file), uri, { start: 0, end: file.text.length });
    const lines = lineIndex(file.text);
    for (const { offset, share, label, tooltip } of [...hints].sort((a, b) => b.share - a.share)) {
      if (share > max) tooMuch++;
      const line = lines.lineAt(offset);
      const source = file.text.slice(lines.lineStart(line), lines.lineEnd(line)).trim();
      const more = tooltip.split('\n').filter((row) => row !== '');
      const rows = [source, ...more].map((row) => `    ${printable(row)}\n`);
      process.stdout.write(`${printable(nameOf(uri))}:${line + 1}: ${label}\n${rows.join('')}`);
    }
  }
  if (unread > 0) return 2;
  return tooMuch > 0 ? 1 : 0;
}
