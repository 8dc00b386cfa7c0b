import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isList, isMap, type Path, type Value, valueAt } from '../../server/src/base/value.ts';
import type { Json } from '../../server/src/gostd/json.ts';
import { createCrd } from '../../server/src/kubernetes/crd/create.ts';
import type { CrdFinding } from '../../server/src/kubernetes/crd/findings.ts';
import { laterFindings } from '../../server/src/kubernetes/crd/later.ts';
import { newestVersion } from '../../server/src/kubernetes/releases/all.ts';
import { loadCases } from '../conformance/cases.ts';
import { bodyOf } from '../conformance/ops/body.ts';
import { parseRequest } from '../conformance/protocol.ts';

// Whoever undoes a mistake gets what is left, so what is told beside the mistake has to be among that. What is left is
// what the recorded answers of real servers say.

const hidden = /^crd\/(?:rule-(?:compile|cost|message-expression)|default-(?!forbidden))/;

const found = (crd: Json): readonly CrdFinding[] => createCrd(crd).errors;
const later = (crd: Json) => laterFindings(crd, found(crd), newestVersion);
const placeOf = ({ code, field }: CrdFinding) => `${code} ${field}`;

const crds = loadCases((name) => /^crd\/(?:rules|defaults|schema-nodes|junctors)/.test(name))
  .flatMap(({ name, cases }) => cases.map((one) => ({ ...one, name: `${name} › ${one.name}` })))
  .flatMap(({ name, request }) => {
    const body = bodyOf(parseRequest(request), 'crd');
    return 'error' in body ? [] : [{ name, crd: body.json as Value }];
  })
  .filter(({ crd }) => found(crd).some(({ code }) => hidden.test(code)));

const root: Path = ['spec', 'versions', 0, 'schema', 'openAPIV3Schema'];

function withValue(value: Value | undefined, path: Path, change: (old: Value | undefined) => Value | undefined): Value {
  const [step, ...rest] = path;
  if (step === undefined) return change(value) ?? null;
  if (isList(value)) return value.map((item, i) => (i === step ? withValue(item, rest, change) : item));
  const map = new Map(isMap(value) ? value : []);
  const changed = rest.length === 0 ? change(map.get(String(step))) : withValue(map.get(String(step)), rest, change);
  if (changed === undefined) map.delete(String(step));
  else map.set(String(step), changed);
  return map;
}

const withProperty = (crd: Value, name: string, schema: Value) =>
  withValue(crd, [...root, 'properties', name], () => schema);

test('a mistake that nothing rests on hides nothing', () => {
  assert.ok(crds.length > 100);
  const mistakes = [new Map(), new Map([['type', 'strng']]), new Map<string, Value>([['type', 'array']])];
  for (const { name, crd } of crds) {
    for (const mistake of mistakes) {
      const broken = withProperty(crd, 'zz', mistake);
      const all = [...found(broken), ...later(broken)].map(placeOf);
      const expected = found(crd).filter(({ code }) => hidden.test(code) && !isOfWhole(code));
      for (const one of expected) assert.ok(all.includes(placeOf(one)), `${name}: ${placeOf(one)} stays hidden`);
    }
  }
});

/** What all rules cost together depends on everything. */
const isOfWhole = (code: string) => /total|contributes/.test(code);

test('what is told of later is what is left when the mistake is undone', () => {
  let told = 0;
  for (const { name, crd } of crds) {
    // Defaults that are wrong hide rules in their turn.
    const all = [...found(crd), ...found(withoutDefaults(crd))];
    const left = new Set(all.map(({ code, field, message }) => `${code} ${field} ${message}`));
    for (const broken of mistakesIn(crd)) {
      for (const one of later(broken)) {
        told += 1;
        assert.ok(left.has(`${one.code} ${one.field} ${one.message}`), `${name}: ${placeOf(one)} ${one.message}`);
      }
    }
  }
  assert.ok(told > 300, `only ${told} were told`);
});

/** The CRD without one of its types, with a type that does not exist, or with a rule that says nothing. */
function mistakesIn(crd: Value): Value[] {
  return typesIn(valueAt(crd, root), root).flatMap((path) => [
    withValue(crd, path, () => undefined),
    withValue(crd, path, () => 'strng'),
    withValue(crd, [...path.slice(0, -1), 'x-kubernetes-list-type'], () => 'lst'),
  ]);
}

function typesIn(schema: Value | undefined, path: Path): Path[] {
  if (!isMap(schema)) return [];
  const properties = schema.get('properties');
  const below = [...(isMap(properties) ? properties.keys() : [])].map((name) => ['properties', name]);
  return [
    ...(schema.has('type') ? [[...path, 'type']] : []),
    ...[...below, ['items'], ['additionalProperties']].flatMap((steps) =>
      typesIn(valueAt(schema, steps), [...path, ...steps]),
    ),
  ];
}

function withoutDefaults(value: Value): Value {
  if (isList(value)) return value.map(withoutDefaults);
  if (!isMap(value)) return value;
  return new Map([...value].filter(([key]) => key !== 'default').map(([key, one]) => [key, withoutDefaults(one)]));
}
