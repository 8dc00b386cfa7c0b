import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isList, isMap, type Path, type Value } from '../../server/src/base/value.ts';
import { createResource } from '../../server/src/kubernetes/cr/create.ts';
import { laterRules } from '../../server/src/kubernetes/cr/later.ts';
import { type ServedCrd, serveCrd } from '../../server/src/kubernetes/cr/served.ts';
import { newestVersion as kubernetes } from '../../server/src/kubernetes/releases/all.ts';
import { loadCases } from '../conformance/cases.ts';
import { bodyOf } from '../conformance/ops/body.ts';
import { parseRequest } from '../conformance/protocol.ts';

// What is told of rules beside a mistake has to be what they say of the object without it.

interface Case {
  readonly name: string;
  readonly crd: ServedCrd;
  readonly object: Value;
}

const cases: Case[] = loadCases((name) => /^cr\//.test(name)).flatMap(({ name, cases }) =>
  cases.flatMap((one) => {
    const request = parseRequest(one.request);
    const [crd, body] = [bodyOf(request, 'crd'), bodyOf(request, 'obj')];
    if (request.op !== 'cr.create' || 'error' in crd || 'error' in body) return [];
    const served = serveCrd(crd.json, kubernetes);
    return 'error' in served ? [] : [{ name: `${name} › ${one.name}`, crd: served, object: body.json as Value }];
  }),
);

const found = ({ crd, object }: Case) => createResource(object, crd, { kubernetes }).errors;

test('what is told of later is what rules say without the mistake', () => {
  let told = 0;
  for (const one of cases.filter(onlyFails)) {
    const said = new Set(found(one).map(({ field, message }) => `${field} ${message}`));
    for (const object of mistakesIn(one.object)) {
      const broken = { ...one, object };
      for (const { field, message } of laterRules(object, one.crd, found(broken), { kubernetes })) {
        told += 1;
        assert.ok(said.has(`${field} ${message}`), `${one.name}: ${field} ${message}`);
      }
    }
  }
  assert.ok(told > 40, `only ${told} were told`);
});

/** A rule that costs too much hides those after it in its turn. */
function onlyFails(one: Case): boolean {
  const ofRules = found(one).filter(({ code }) => code === 'cr/rule');
  return ofRules.length > 0 && !ofRules.some(({ message }) => /budget|cost/.test(message));
}

/** The object with a list in place of one of its values. */
function mistakesIn(object: Value): Value[] {
  return placesIn(object).map((path) => withValue(object, path, [[]]));
}

function placesIn(value: Value): Path[] {
  const entries: [string | number, Value][] = isMap(value) ? [...value] : isList(value) ? [...value.entries()] : [];
  return entries
    .filter(([step]) => step !== 'apiVersion' && step !== 'kind' && step !== 'metadata')
    .flatMap(([step, below]) => [[step], ...placesIn(below).map((path) => [step, ...path])]);
}

function withValue(value: Value, [step, ...rest]: Path, to: Value): Value {
  if (step === undefined) return to;
  if (isList(value)) return value.map((item, i) => (i === step ? withValue(item, rest, to) : item));
  return new Map(
    [...(value as Map<string, Value>)].map(([key, one]) => [key, key === step ? withValue(one, rest, to) : one]),
  );
}
