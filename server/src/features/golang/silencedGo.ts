import { memo } from '../../base/memo.ts';
import type { GoFile } from '../../controllergen/syntax/model.ts';
import { declarationAt } from '../../workspace/projections/goFields.ts';

// `// +kube-crd:ignore=CODE`, above a type, a field or one of its markers: the rule says nothing about that declaration.

/** What the codes stand behind, with commas between several. */
export const silencingMarker = '+kube-crd:ignore=';

/** By the type and the field that they are above: the codes that say nothing there. */
const silencedIn = memo((file: GoFile): ReadonlyMap<object, ReadonlySet<string>> => {
  const silenced = new Map<object, Set<string>>();
  for (const match of file.text.matchAll(/^[ \t]*\/\/[ \t]*\+kube-crd:ignore=([\w/,-]+)/gm)) {
    const { type, field } = declarationAt(file, match.index + match[0].length);
    const about = field ?? type;
    if (!about) continue;
    const codes = silenced.get(about) ?? new Set();
    silenced.set(about, codes);
    for (const code of match[1]!.split(',')) codes.add(code);
  }
  return silenced;
});

export function isSilencedIn(file: GoFile, code: string, offset: number): boolean {
  if (!file.text.includes(silencingMarker)) return false;
  const { type, field } = declarationAt(file, offset);
  const about = field ?? type;
  return about !== undefined && silencedIn(file).get(about)?.has(code) === true;
}
