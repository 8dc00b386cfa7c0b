import type { Range } from '../../base/text.ts';
import type { DocumentPath, Path } from '../../base/value.ts';
import type { KubernetesVersion } from '../../kubernetes/releases/release.ts';
import { isPlayground } from '../../workspace/fileNames.ts';
import { inManifest, type Manifest } from '../../workspace/manifest.ts';
import { policyPlace } from '../../workspace/policyPlace.ts';
import { type PolicyTypes, policyTypesFor } from '../../workspace/policyTypes.ts';
import { type RulePlace, rulePlace } from '../../workspace/rulePlace.ts';
import { kubernetesFor, type Snapshot } from '../../workspace/snapshot.ts';
import { nodeAtPath } from '../../yaml/place.ts';
import type { Cursor } from './cursor.ts';
import { cursorTargetAt } from './cursorTarget.ts';
import { playgroundPlace } from './playground.ts';

/** An expression, and the offset in it that the cursor stands at. */
export interface ExpressionAt {
  readonly place: RulePlace;
  readonly offset: number;
  /** From a range of the expression to one of the file. */
  toFile(range: Range): Range;
  /** A piece of an expression as it is written in this scalar: with the quotes and backslashes that its style wants. */
  inStyle(text: string): string;
}

const styles: Readonly<Record<string, (text: string) => string>> = {
  single: (text) => text.replaceAll("'", "''"),
  double: (text) => text.replace(/["\\]/g, '\\$&'),
};

/** The expression under the cursor, if there is one. */
export function expressionAt(snapshot: Snapshot, cursor: Cursor): ExpressionAt | undefined {
  const { manifest, target, placed } = cursor;
  const { uri } = cursor.file;
  if (target.at === 'key') return undefined;
  const isAhead = target.at === 'comment';
  const path = isAhead ? pathBehind(cursor) : target.at === 'gap' ? pathBefore(cursor) : target.path;
  const place = isPlayground(uri)
    ? playgroundPlace(snapshot, uri, placed.document, path)
    : manifest &&
      expressionPlace(
        manifest,
        path,
        kubernetesFor(snapshot, uri),
        policyTypesFor(snapshot, uri, manifest, inManifest(manifest, path)),
      );
  if (!place) return undefined;
  const { map } = place;
  const found = nodeAtPath(placed.document, path);
  // The first line of a block scalar says only how it is to be read.
  if (found && /^[|>][^\r\n]*$/.test(placed.document.text.slice(found.start, cursor.offset))) return undefined;
  const inStyle = (text: string) => (found?.node.kind === 'scalar' && styles[found.node.style]?.(text)) || text;
  const within = map.value === '' ? 0 : map.toValue(cursor.offset);
  const toFile = ({ start, end }: Range): Range => {
    const from = map.toText(start);
    return { start: from + placed.start, end: (end > start ? map.toTextEnd(end - 1) : from) + placed.start };
  };
  if (map.value === '' || isAhead) {
    const here = { start: cursor.offset + placed.start, end: cursor.offset + placed.start };
    return { place, offset: 0, toFile: () => here, inStyle };
  }
  return within === undefined ? beyond(cursor, place, inStyle) : { place, offset: within, toFile, inStyle };
}

/** The expression at a path of an object: a rule of a CRD, or one of a policy, typed where its kinds are given. */
export function expressionPlace(
  manifest: Manifest,
  path: DocumentPath,
  kubernetes: KubernetesVersion,
  types?: PolicyTypes,
): RulePlace | undefined {
  if (manifest.role === 'crd') return rulePlace(manifest, path, kubernetes);
  return policyPlace(manifest, path, kubernetes, types);
}

/** The path of what stands before the blanks before the cursor: a blank after an operator ends no rule. */
function pathBefore({ placed, offset }: Cursor): Path {
  const { text } = placed.document;
  let at = offset;
  while (at > 0 && ' \t\r\n'.includes(text[at - 1]!)) at--;
  return cursorTargetAt(placed.document, at).path;
}

/** The path of what stands behind the blanks behind the cursor, on its line: an operator whose left side is missing. */
function pathBehind({ placed, offset }: Cursor): Path {
  const blanks = /^ +(?=[^\s#])/.exec(placed.document.text.slice(offset, offset + 80))?.[0].length ?? 0;
  const { at, path } = cursorTargetAt(placed.document, offset + blanks);
  return blanks > 0 && at === 'value' ? path : [];
}

/** The cursor stands behind the expression, with nothing but blanks between: what is typed there goes on with it. */
function beyond(cursor: Cursor, place: RulePlace, inStyle: ExpressionAt['inStyle']): ExpressionAt | undefined {
  const { map } = place;
  const end = map.toTextEnd(map.value.length - 1);
  const between = cursor.placed.document.text.slice(end, cursor.offset);
  if (cursor.offset < end || between.trim() !== '' || (between.includes('\n') && !inBlock(cursor, place)))
    return undefined;
  const here = { start: cursor.offset + cursor.placed.start, end: cursor.offset + cursor.placed.start };
  return { place, offset: map.value.length + (between === '' ? 0 : 1), toFile: () => here, inStyle };
}

/** Whether the cursor's line still belongs to the expression's block scalar. */
function inBlock({ placed, offset }: Cursor, { map }: RulePlace): boolean {
  const { text } = placed.document;
  const columnOf = (at: number) => at - (text.lastIndexOf('\n', at - 1) + 1);
  const start = map.toText(0);
  const first = text.slice(0, start).trimEnd().at(-1) ?? '';
  return /[|>+\-0-9]/.test(first) && columnOf(offset) >= columnOf(start);
}
