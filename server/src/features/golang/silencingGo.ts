import { lineStartBefore } from '../../base/text.ts';
import type { GoFile } from '../../controllergen/syntax/model.ts';
import type { Diagnostic, Fix, ProblemId } from '../../rules/model/diagnostic.ts';
import { declarationAt } from '../../workspace/projections/goFields.ts';
import type { GoView } from '../../workspace/projections/goTypes.ts';
import type { Snapshot } from '../../workspace/snapshot.ts';
import { diagnoseGo } from './diagnoseGo.ts';
import { silencingMarker } from './silencedGo.ts';

/** A marker above what a finding is about: controller-gen passes over it, and takes it into no description. */
export function silencingGo(snapshot: Snapshot, view: GoView, { code, key }: ProblemId): readonly Fix[] {
  const { text } = view.file.go;
  const found = diagnoseGo(snapshot, view).find((one) => one.code === code && sameKey(one, key));
  if (!found) return [];
  const at = lineStartBefore(text, startOf(view.file.go, found.range.start));
  const indent = /^[ \t]*/.exec(text.slice(at))![0];
  const eol = text.includes('\r\n') ? '\r\n' : '\n';
  const edit = { range: { start: at, end: at }, text: `${indent}// ${silencingMarker}${code}${eol}` };
  return [{ title: `Ignore \`${code}\` here`, edits: [edit], safe: false }];
}

const sameKey = (one: Diagnostic, key: ProblemId['key']) => JSON.stringify(one.key) === JSON.stringify(key);

/** Where a comment belongs to the declaration that an offset is in: in what is written above it, or right above it. */
function startOf(file: GoFile, offset: number): number {
  const { type, field } = declarationAt(file, offset);
  const name = field ? (field.names[0]?.range ?? field.type.range) : type?.nameRange;
  return name ? Math.min(offset, name.start) : offset;
}
