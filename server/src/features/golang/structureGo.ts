import { memo } from '../../base/memo.ts';
import type { Range } from '../../base/text.ts';
import { valueAt } from '../../base/value.ts';
import { jsonTag } from '../../controllergen/crd/tags.ts';
import { collectMarkers } from '../../controllergen/markers/collect.ts';
import type { Marker } from '../../controllergen/markers/model.ts';
import { markerAt } from '../../controllergen/markers/place.ts';
import type { Field, GoFile, TypeDeclaration } from '../../controllergen/syntax/model.ts';
import { Scanner } from '../../controllergen/syntax/scan.ts';
import { withMade } from '../../workspace/languages/go.ts';
import { declarationAt, nameOfField } from '../../workspace/projections/goFields.ts';
import { type GoView, toMade } from '../../workspace/projections/goTypes.ts';
import type { Snapshot } from '../../workspace/snapshot.ts';
import type { Fold } from '../navigate/folding.ts';
import { expressionSelection, growing } from '../navigate/selection.ts';
import type { OutlineSymbol } from '../navigate/symbols.ts';

/** The types that CRDs come of, each with its rules and with its fields as users of the kind write them. */
export function outlineGo(view: GoView): OutlineSymbol[] {
  return view.file.go.types.flatMap((type): OutlineSymbol[] => {
    const kind = kindOf(view, type);
    const fields = fieldsOf(type).flatMap((field) => fieldSymbol(view, field));
    if (!kind && fields.length === 0) return [];
    const { name, nameRange, range } = type;
    const start = (type.doc ?? type.groupDoc)?.range.start ?? range.start;
    const whole = { start, end: range.end };
    const children = [...rulesOf(view, type), ...fields];
    return [
      {
        name,
        detail: kind ?? '',
        kind: kind === undefined ? 'field' : 'kind',
        range: whole,
        selection: nameRange,
        children,
      },
    ];
  });
}

/** `example.com/v1` for a type that is a kind. */
function kindOf({ crds, uri }: GoView, { nameRange }: TypeDeclaration): string | undefined {
  for (const { value, kinds } of crds) {
    const kind = kinds.find(({ place }) => place.uri === uri && place.range.start === nameRange.start);
    if (kind) return `${valueAt(value, ['spec', 'group'])}/${kind.version}`;
  }
  return undefined;
}

function fieldsOf({ type }: TypeDeclaration): readonly Field[] {
  return type.kind === 'struct' ? type.fields : [];
}

function fieldSymbol({ types, uri, file, crds }: GoView, field: Field): OutlineSymbol[] {
  const [part] = types.made({ uri, range: nameOfField(field) });
  const name = jsonTag(field)?.name;
  if (!part || !name) return [];
  const type = valueAt(crds[part.document]?.value, [...part.path, 'type']);
  const start = field.doc?.range.start ?? field.range.start;
  const rules = (collectMarkers(file.go).ofField.get(field) ?? []).flatMap((marker) => ruleSymbol(marker));
  return [
    {
      name,
      detail: typeof type === 'string' ? type : '',
      kind: 'property',
      range: { start, end: field.range.end },
      selection: nameOfField(field),
      children: rules,
    },
  ];
}

function rulesOf({ file }: GoView, type: TypeDeclaration): OutlineSymbol[] {
  return (collectMarkers(file.go).ofType.get(type) ?? []).flatMap(ruleSymbol);
}

function ruleSymbol({ definition, arguments: given, range }: Marker): OutlineSymbol[] {
  const rule = definition?.name.endsWith('XValidation') && given.find(({ name }) => name === 'rule')?.value;
  if (typeof rule !== 'string') return [];
  const name = rule.replace(/\s+/g, ' ').trim().slice(0, 80) || '""';
  return [{ name, detail: '', kind: 'rule', range, selection: range, children: [] }];
}

/** Whatever is in brackets over several lines, and comments of several lines. */
export const foldsGo = memo((go: GoFile): readonly Fold[] => {
  const groups = go.comments.filter(({ range }) => /[\r\n]/.test(go.text.slice(range.start, range.end)));
  const comments = groups.map(({ range }): Fold => ({ ...range, comment: true }));
  return [...comments, ...brackets(go.text)].sort((a, b) => a.start - b.start);
});

/** From a bracket to what is before the one that closes it. */
function brackets(text: string): Fold[] {
  const found: Fold[] = [];
  const open: { readonly start: number; readonly line: number }[] = [];
  const scanner = new Scanner(text);
  let [line, end] = [0, 0];
  for (let token = scanner.next(); token.kind !== 'end'; token = scanner.next()) {
    if (token.first) line++;
    if (token.text === '(' || token.text === '{' || token.text === '[') open.push({ start: token.start, line });
    const from = token.text === ')' || token.text === '}' || token.text === ']' ? open.pop() : undefined;
    const last = Math.max(end, scanner.comments.at(-1)?.end ?? 0);
    if (from && from.line < line) found.push({ start: from.start, end: last, comment: false });
    end = token.end;
  }
  return found;
}

/** What a growing selection takes in: parts of a rule, its string, the marker, the field or type, the file. */
export function selectionGo(snapshot: Snapshot, view: GoView, offset: number): Range[] {
  const { go } = view.file;
  const made = toMade(view, offset);
  const inRule = made === undefined ? [] : expressionSelection(withMade(snapshot, view), view.made, made);
  const { type, field } = declarationAt(go, offset);
  const around = [markerAt(go, offset)?.marker, ...go.comments.filter((one) => holds(one.range, offset))];
  return growing(
    [
      ...inRule.flatMap((range) => view.types.writtenAt(range)?.range ?? []),
      ...stringsAround(view, offset),
      ...around.flatMap((one) => (one ? [one.range] : [])),
      ...(field ? withDoc(field.range, field.doc?.range) : []),
      ...(type ? withDoc(type.range, (type.doc ?? type.groupDoc)?.range) : []),
      { start: 0, end: go.text.length },
    ].filter((range) => holds(range, offset)),
  );
}

function stringsAround({ file }: GoView, offset: number): Range[] {
  const given = markerAt(file.go, offset)?.marker.arguments ?? [];
  const around = given.filter(({ valueRange }) => holds(valueRange, offset));
  return around.flatMap(({ valueRange, map }) => [
    ...(map ? [{ start: map.toText(0), end: map.toText(map.value.length) }] : []),
    valueRange,
  ]);
}

function withDoc(range: Range, doc: Range | undefined): Range[] {
  return doc ? [range, { start: doc.start, end: range.end }] : [range];
}

function holds({ start, end }: Range, offset: number): boolean {
  return start <= offset && offset <= end;
}
