import { isMap, type Path, type Value, type ValueMap } from '../base/value.ts';
import { type InputName, inputNames } from '../kubernetes/policy/evaluations.ts';
import { pathOf } from './objects.ts';
import type { Reader } from './reader.ts';

// Tests of expressions outside of CRDs and admission: what `*.crdtest.yaml` says beside `expressions`. docs/testing.md
// teaches it.

/** What is asked of a file with expressions. */
export interface EvaluateRequest {
  readonly verb: 'evaluate';
  /** The place of an expression, or of what holds several; undefined where there is just one thing to ask. */
  readonly at: string | undefined;
  /** The name of the object, where several have the place. */
  readonly of: string | undefined;
  readonly input: InputName;
  /** By the name of the input, and what rows of a table put into it. */
  readonly given: ValueMap;
  readonly patches: readonly ValueMap[];
}

/** What a case may say that is about an expression. */
const ofCase = ['evaluate', 'of', ...inputNames, 'value', 'error', 'cost'];
const saidInRow = ['value', 'error', 'cost'];

/** The requests of a case: one, or one for each row of its table. */
export function readEvaluate(reader: Reader, value: ValueMap, path: Path): readonly Asked[] {
  reader.keys(value, path, ['name', ...ofCase, 'each']);
  const rows = reader.list(value, path, 'each');
  if (rows?.length === 0) reader.wrong([...path, 'each'], 'expected `each` to have rows');
  if (!rows) {
    const request = requestOf(reader, value, new Map(), path);
    return request ? [{ request, said: value, path, row: undefined }] : [];
  }
  return rows.flatMap((row, i): Asked[] => {
    const at = [...path, 'each', i];
    if (!isMap(row)) return reader.wrong(at, 'expected paths with their values, such as `{claims.sub: jane}`') ?? [];
    const patch = new Map([...row].filter(([key]) => !saidInRow.includes(key)));
    const request = requestOf(reader, value, patch, at);
    const said = new Map([...value, ...row]);
    // What a row says is all that it expects.
    if (row.has('error')) said.delete('value');
    if (row.has('value')) said.delete('error');
    return request ? [{ request, said, path: at, row: patch }] : [];
  });
}

export interface Asked {
  readonly request: EvaluateRequest;
  /** The map that says what is expected. */
  readonly said: ValueMap;
  readonly path: Path;
  readonly row: ValueMap | undefined;
}

function requestOf(reader: Reader, value: ValueMap, patch: ValueMap, path: Path): EvaluateRequest | undefined {
  const given = new Map([...value].filter(([key]) => isInput(key)));
  for (const [key, input] of given)
    if (!isMap(input)) reader.wrong([...path.slice(0, 2), key], `expected \`${key}\` to be a map`);
  for (const key of patch.keys())
    if (!isInput(firstOf(key)))
      return reader.wrong([...path, key], `expected a path that begins with ${namesText}`, { part: 'key' });
  const names = new Set([...given.keys(), ...[...patch.keys()].map(firstOf)]);
  const [input, other] = [...names];
  if (input === undefined)
    return reader.wrong(path, `expected one of ${namesText}`, { lacks: { key: inputNames[0], values: [new Map()] } });
  if (other !== undefined)
    return reader.wrong(path, `expected one of ${namesText}, not both \`${input}\` and \`${other}\``);
  return {
    verb: 'evaluate',
    at: reader.text(value, path.slice(0, 2), 'evaluate'),
    of: reader.text(value, path.slice(0, 2), 'of'),
    input: input as InputName,
    given,
    patches: patch.size > 0 ? [patch] : [],
  };
}

const namesText = inputNames.map((name) => `\`${name}\``).join(', ');

function firstOf(key: string): string {
  return String((pathOf(key) ?? [key])[0]);
}

function isInput(name: Value): boolean {
  return inputNames.some((one) => one === name);
}
