import { memo } from '../base/memo.ts';
import { isList, isMap, type Value } from '../base/value.ts';
import { formatFloat } from '../gostd/float.ts';
import { compareStrings, printJson, printJsonString } from '../gostd/jsonPrint.ts';
import { quote } from '../gostd/quote.ts';
import { type GoTime, printRfc3339 } from '../gostd/time.ts';

/**
 * A value of a Go type other than the plain ones, to be shown in an error as the API server shows it: as JSON with Go's
 * field names, or up to Kubernetes 1.33 in Go syntax.
 */
export type GoValue =
  | { readonly go: 'any'; readonly value: Value | undefined }
  | { readonly go: 'string'; readonly text: string }
  | { readonly go: 'bytes'; readonly base64: string; readonly bytes: Uint8Array }
  | { readonly go: 'time'; readonly time: GoTime }
  /** A type that writes itself as JSON, or one that JSON has no form of; in Go syntax it is as given. */
  | { readonly go: 'own'; readonly json: GoValue | undefined; readonly syntax: string }
  | { readonly go: 'nil'; readonly type: string }
  | { readonly go: 'pointer'; readonly type: string; readonly to: GoValue }
  | { readonly go: 'slice'; readonly type: string; readonly items: readonly GoValue[] }
  | { readonly go: 'map'; readonly type: string; readonly entries: readonly (readonly [string, GoValue])[] }
  | {
      readonly go: 'struct';
      readonly type: string;
      /** Go's field names, with the name in JSON where it is another (undefined there: left out when empty). */
      readonly fields: readonly GoField[];
    };

export interface GoField {
  readonly name: string;
  readonly value: GoValue;
  readonly json?: string;
  readonly omitEmpty?: boolean;
}

export const goAny = (value: Value | undefined): GoValue => ({ go: 'any', value });
export const goString = (text: string): GoValue => ({ go: 'string', text });
export const goNil = (type: string): GoValue => ({ go: 'nil', type });

export function goStrings(items: readonly string[] | undefined): GoValue {
  return items ? { go: 'slice', type: '[]string', items: items.map(goString) } : goNil('[]string');
}

/** A struct without names for JSON. */
export function goStruct(type: string, fields: Readonly<Record<string, GoValue>>): GoValue {
  return { go: 'struct', type, fields: Object.entries(fields).map(([name, value]) => ({ name, value })) };
}

function isEmpty(value: GoValue): boolean {
  if (value.go === 'nil') return true;
  if (value.go === 'string') return value.text === '';
  if (value.go === 'slice') return value.items.length === 0;
  if (value.go === 'map') return value.entries.length === 0;
  return value.go === 'any' && (value.value === false || value.value === 0n || value.value === undefined);
}

function sorted(entries: readonly (readonly [string, GoValue])[]): (readonly [string, GoValue])[] {
  return [...entries].sort(([a], [b]) => compareStrings(a, b));
}

/** As encoding/json writes it. */
export function goJson(value: GoValue): string {
  switch (value.go) {
    case 'any':
      return printJson(value.value ?? null);
    case 'string':
      return printJsonString(value.text);
    case 'bytes':
      return `"${value.base64}"`;
    case 'time':
      return `"${printRfc3339(value.time)}"`;
    case 'own':
      return value.json ? goJson(value.json) : value.syntax;
    case 'nil':
      return 'null';
    case 'pointer':
      return goJson(value.to);
    case 'slice':
      return sliceJson(value);
    case 'map':
      return `{${sorted(value.entries).map(jsonEntry).join(',')}}`;
    case 'struct':
      return `{${value.fields
        .filter((field) => !(field.omitEmpty && isEmpty(field.value)))
        .map(jsonField)
        .join(',')}}`;
  }
}

/** Findings about the parts of one list all show it whole. */
const sliceJson = memo((value: GoValue & { readonly go: 'slice' }): string => `[${value.items.map(goJson).join(',')}]`);

function jsonEntry([key, value]: readonly [string, GoValue]): string {
  return `${printJsonString(key)}:${goJson(value)}`;
}

function jsonField(field: GoField): string {
  return `${printJsonString(field.json ?? field.name)}:${goJson(field.value)}`;
}

const anyMap = 'map[string]interface {}';

function anySyntax(value: Value | undefined): string {
  if (value === null || value === undefined) return 'interface {}(nil)';
  if (typeof value === 'string') return quote(value);
  if (typeof value === 'number') return formatFloat(value);
  if (isList(value)) return `[]interface {}{${value.map(anySyntax).join(', ')}}`;
  if (!isMap(value)) return String(value);
  const entries = [...value].sort(([a], [b]) => compareStrings(a, b));
  return `${anyMap}{${entries.map(([key, item]) => `${quote(key)}:${anySyntax(item)}`).join(', ')}}`;
}

/** Up to 1.33 a time shows as its String method has it, in the server's zone, which is UTC here. */
function goTimeText(time: GoTime): string {
  return `${printRfc3339(time).replace('T', ' ').replace('Z', '')} +0000 UTC`;
}

/** As Go's %#v writes it; a pointer's address, which says nothing, is always the same. */
export function goSyntax(value: GoValue): string {
  switch (value.go) {
    case 'any':
      return anySyntax(value.value);
    case 'string':
      return quote(value.text);
    case 'bytes':
      return `[]byte{${Array.from(value.bytes, (byte) => `0x${byte.toString(16)}`).join(', ')}}`;
    case 'time':
      return goTimeText(value.time);
    case 'own':
      return value.syntax;
    case 'nil':
      return value.type.startsWith('*') ? `(${value.type})(nil)` : `${value.type}(nil)`;
    case 'pointer':
      return `(${value.type})(0xc000000000)`;
    case 'slice':
      return `${value.type}{${value.items.map(goSyntax).join(', ')}}`;
    case 'map':
      return `${value.type}{${sorted(value.entries)
        .map(([key, item]) => `${quote(key)}:${goSyntax(item)}`)
        .join(', ')}}`;
    case 'struct':
      return `${value.type}{${value.fields.map((field) => `${field.name}:${goSyntax(field.value)}`).join(', ')}}`;
  }
}

/** Go's name of the type that holds a value of a document. */
export function goTypeOf(value: Value): string {
  if (value === null) return '<nil>';
  if (typeof value === 'boolean') return 'bool';
  if (typeof value === 'string') return 'string';
  if (typeof value === 'bigint') return 'int64';
  if (typeof value === 'number') return 'float64';
  return isList(value) ? '[]interface {}' : 'map[string]interface {}';
}

/** As Go's %v writes it. */
export function plainText(value: Value): string {
  if (value === null) return '<nil>';
  if (typeof value === 'number') return formatFloat(value);
  if (isList(value)) return `[${value.map(plainText).join(' ')}]`;
  if (!isMap(value)) return String(value);
  const entries = [...value].sort(([a], [b]) => compareStrings(a, b));
  return `map[${entries.map(([key, item]) => `${key}:${plainText(item)}`).join(' ')}]`;
}
