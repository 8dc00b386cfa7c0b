import { shortened } from '../../base/text.ts';
import { comesWithGo } from '../standard.ts';
import type { GeneratedCrd } from './model.ts';

/** Why a CRD was not made of its types; undefined where it was. */
export function whyNotMade({ missing, tooMuch }: Pick<GeneratedCrd, 'missing' | 'tooMuch'>): string | undefined {
  if (tooMuch !== undefined) return `it would have ${tooMuch}`;
  return missing.length > 0 ? whyMissing(missing) : undefined;
}

/** Why a CRD could not be made of types that are in packages which were not read. */
function whyMissing(missing: readonly string[]): string {
  const [own, others] = [missing.filter(comesWithGo), missing.filter((path) => !comesWithGo(path))];
  const parts = [
    ...(others.length > 0 ? [`types of ${fewOf(others)} are not here (\`go mod download\` fetches modules)`] : []),
    ...(own.length > 0 ? [`types of ${fewOf(own)}, which comes with Go, are not read`] : []),
  ];
  return parts.join(', and ');
}

/** How many packages are named, and how much of each. */
const most = { packages: 10, characters: 200 };

function fewOf(paths: readonly string[]): string {
  const named = paths.slice(0, most.packages);
  const shown = named.map((path) => shortened(path, most.characters));
  const rest = paths.length - named.length;
  return rest === 0 ? shown.join(', ') : `${shown.join(', ')} and ${rest} more packages`;
}
