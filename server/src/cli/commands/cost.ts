import { lineIndex } from '../../base/text.ts';
import { inlayHints } from '../../features/lenses/inlayHints.ts';
import type { KubernetesVersion } from '../../kubernetes/releases/release.ts';
import { defaultSettings } from '../../workspace/settings.ts';
import { emptySnapshot, settingsOf, withOpen } from '../../workspace/snapshot.ts';
import { listingAt, readable, sourcesAt } from '../inputs.ts';
import { nameOf } from '../report.ts';
import { command } from '../table/command.ts';
import { kubernetes, oneVersion, pathsOr, percentage } from '../table/shared.ts';
import { complain, print } from '../terminal.ts';

interface CostOptions {
  readonly paths: readonly string[];
  readonly version: KubernetesVersion;
  /** The share of the budget, in percent, that no rule may go beyond. */
  readonly max: number;
}

/** Prints what the rules of CRDs may cost, the most expensive first; gives the exit code. */
async function cost({ paths, version, max }: CostOptions): Promise<number> {
  const all = { ...defaultSettings, kubernetesVersion: version.name, costHintThreshold: 0 };
  const settings = settingsOf(all);
  let unread = 0;
  let tooMuch = 0;
  let [crds, rules] = [0, 0];
  for await (const file of readable(sourcesAt(paths, await listingAt(paths)), () => unread++)) {
    const { uri } = file;
    const hints = inlayHints(withOpen({ ...emptySnapshot, settings }, file), uri, { start: 0, end: file.text.length });
    crds += file.manifests.filter(({ role }) => role === 'crd').length;
    rules += hints.length;
    const lines = lineIndex(file.text);
    for (const { offset, share, label, tooltip } of [...hints].sort((a, b) => b.share - a.share)) {
      if (share > max) tooMuch++;
      const line = lines.lineAt(offset);
      const source = file.text.slice(lines.lineStart(line), lines.lineEnd(line)).trim();
      const more = tooltip.plain.split('\n').filter((row) => row !== '');
      print(`${nameOf(uri)}:${line + 1}: ${label}`, ...[source, ...more].map((row) => `    ${row}`));
    }
  }
  if (crds === 0 && unread === 0) throw new Error(`no CRDs found at ${paths.join(', ')}`);
  if (rules === 0) complain(`no rules found in ${crds === 1 ? 'the CRD' : `the ${crds} CRDs`} at ${paths.join(', ')}`);
  // As with a search that finds nothing: a run that passes has looked at rules.
  if (unread > 0 || rules === 0) return 2;
  return tooMuch > 0 ? 1 : 0;
}

export const costCommand = command({
  name: 'cost',
  about: 'prints what the rules of CRDs may cost, and what makes them expensive',
  inShort: 'prints what the rules of a CRD may cost and what makes them expensive',
  takes: '[PATH]...',
  explains: `Prints the share of its budget that each rule of a CRD may take, the most expensive first, for the CRDs at the paths, the folder it runs in by default; - is standard input.`,
  options: { max: percentage('fail when a rule may take more of its budget'), kubernetes },
  exits:
    'Exit code 0, 1: a rule may take more than --max, 2: wrong usage, files that could not be read, or no rules at all.',
  examples: ['kube-crd cost --max 50 config/crd'],
  run: async ({ max = Number.POSITIVE_INFINITY, ...values }, paths) =>
    cost({ paths: pathsOr(paths), version: await oneVersion(values.kubernetes, paths[0]), max }),
});
