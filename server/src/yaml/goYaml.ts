/** Values as the Go programs of Kubernetes write them, to the byte: with sigs.k8s.io/yaml 1.6, the width that it has. */
import { isList, type Value, type ValueMap } from '../base/value.ts';
import { byteLength } from '../gostd/bytes.ts';
import { formatFloat, jsonFloat } from '../gostd/float.ts';
import { goScalar, hasBreak, type ScalarPlace } from './goScalar.ts';
import { compareKeys } from './keyOrder.ts';
import { isScalar } from './render.ts';
import { resolvePlain } from './resolve.ts';

export function goYaml(value: Value): string {
  return isScalar(value) ? ended(scalar(value, { column: 0, indent: 2 })) : block(value, 0, ofKubernetes);
}

/** What the encoder of goyaml.v3 writes, set to indent by two: lists in maps are indented, and no line is broken. */
export function goYamlPretty(value: Value): string {
  return isScalar(value) ? ended(pretty.scalar(value, { column: 0, indent: 2 })) : block(value, 0, pretty);
}

interface Style {
  /** How much further in the dashes of a list in a map stand. */
  readonly listIndent: number;
  scalar(value: Value, place: ScalarPlace): string;
}

const ofKubernetes: Style = { listIndent: 0, scalar };
const pretty: Style = {
  listIndent: 2,
  scalar: (value, place) =>
    typeof value === 'number' ? floatText(value) : scalar(value, { ...place, column: Number.NEGATIVE_INFINITY }),
};

/** Go's %g, with YAML's words for what is not a number. */
function floatText(value: number): string {
  const text = formatFloat(value);
  return /[IN]/.test(text) ? text.replace('+', '').replace('Inf', '.inf').replace('NaN', '.nan') : text;
}

/** A value from a column on, where its lines start as well, with the break that ends it. */
function block(value: Value, column: number, style: Style): string {
  if (isScalar(value)) return ended(style.scalar(value, { column, indent: column }));
  const lines = isList(value)
    ? value.map((item) => `- ${block(item, column + 2, style)}`)
    : [...(value as ValueMap)].sort(([a], [b]) => compareKeys(a, b)).map((entry) => pair(entry, column, style));
  return lines.join(' '.repeat(column));
}

function pair([key, value]: readonly [string, Value], column: number, style: Style): string {
  // A key that is long or has several lines is marked as one, and what belongs to it stands as in a list.
  if (hasBreak(key) || byteLength(key) > 128)
    return `? ${block(key, column + 2, style)}${' '.repeat(column)}: ${block(value, column + 2, style)}`;
  const name = `${goScalar(key, { column, indent: undefined })}:`;
  if (isScalar(value))
    return `${name} ${ended(style.scalar(value, { column: column + name.length + 1, indent: column + 2 }))}`;
  const inner = isList(value) ? column + style.listIndent : column + 2;
  return `${name}\n${' '.repeat(inner)}${block(value, inner, style)}`;
}

/** Of a text with breaks at its end, the last one ends the line. */
function ended(text: string): string {
  return hasBreak(text.slice(-1)) ? text : `${text}\n`;
}

function scalar(value: Value, place: ScalarPlace): string {
  if (typeof value === 'string') return goScalar(value, place);
  if (typeof value === 'number') return number(value);
  if (typeof value === 'object' && value !== null) return isList(value) ? '[]' : '{}';
  return String(value);
}

/** Numbers come to the library as JSON, which it reads as YAML: whole ones are integers again as far as 64 bits go. */
function number(value: number): string {
  const read = resolvePlain(jsonFloat(value));
  return typeof read === 'number' ? formatFloat(read) : String(read);
}
