import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Path, type Value, type ValueMap, valueAt } from '../../server/src/base/value.ts';
import { schemaMarkers, versionMarkers } from '../../server/src/controllergen/markers/inverse.ts';
import type { Draft, Fit, MarkerArgument, MarkerDefinition } from '../../server/src/controllergen/markers/model.ts';
import { namesOf, readMarker } from '../../server/src/controllergen/markers/read.ts';
import { allMarkers, markerNamed } from '../../server/src/controllergen/markers/table.ts';
import { rules } from '../../server/src/rules/model/registry.ts';

// A fix in a CRD is said as a marker. What a marker sets is in the table; read backwards, it is the marker again.

const written = allMarkers.filter(({ sets, isAlias, apply, applyToCrd }) => sets && !isAlias && (apply ?? applyToCrd));
const around = { enumValues: () => ({ values: [] }) };

const types: Readonly<Record<Fit, string>> = {
  number: 'number',
  string: 'string',
  list: 'array',
  object: 'object',
  map: 'object',
  struct: 'object',
};

/** A value that an argument may have. */
function sample({ type, values, name }: MarkerArgument): Value {
  if (name === 'url') return 'https://example.com/a';
  if (type.kind === 'list') return ['a b', 'c'];
  if (type.kind === 'bool') return true;
  if (type.kind === 'int') return 3n;
  if (type.kind === 'number') return 2.5;
  return values?.[1] ?? 'a "b" \\d';
}

function valueFor({ arguments: all }: MarkerDefinition): Value {
  if (all.length === 0) return null;
  return all[0]!.name === '' ? sample(all[0]!) : new Map(all.map((one) => [one.name, sample(one)]));
}

function schemaBefore({ fits, sets }: MarkerDefinition): Draft {
  const inItems = sets!.path.length > 1;
  const schema: Draft = new Map();
  if (fits && !inItems) schema.set('type', types[fits[0]!]);
  if (fits?.includes('struct')) schema.set('properties', new Map());
  if (sets!.path.at(-1) === 'x-kubernetes-list-map-keys') schema.set('x-kubernetes-list-type', 'map');
  const plain = inItems
    ? allMarkers.find(({ name }) => name === `kubebuilder:validation:${lastName(sets!.path)}`)
    : undefined;
  if (plain?.fits) schema.set('type', types[plain.fits[0]!]);
  return schema;
}

const lastName = (path: Path) => {
  const keyword = String(path.at(-1)).replace(/^x-kubernetes-validations$/, 'XValidation');
  return keyword[0]!.toUpperCase() + keyword.slice(1);
};

/** What a marker makes of something, with what that was. */
function changed(row: MarkerDefinition, value: Value): { before: ValueMap; after: ValueMap } {
  if (row.apply) {
    const before = schemaBefore(row);
    const after = new Map(before);
    assert.equal(row.apply(after, value, around), undefined);
    return { before, after };
  }
  const version: Draft = new Map([['name', 'v1']]);
  const before = new Map(version);
  const crd: Draft = new Map([['spec', new Map([['versions', [version]]])]]);
  assert.equal(row.applyToCrd!(crd, value, 'v1'), undefined);
  return { before, after: version };
}

for (const row of written.filter(({ sets }) => sets!.of !== 'crd')) {
  test(`${row.name} is read off from what it sets`, () => {
    const change = changed(row, valueFor(row));
    const inItems = row.sets!.path.length > 1;
    const texts = row.apply
      ? schemaMarkers(String(row.sets!.path.at(-1)), change, inItems)
      : versionMarkers(change).filter((text) => text.startsWith(`+${row.name}`));
    assert.equal(texts.length, 1, `${texts}`);
    const read = readMarker({ text: texts[0]!, start: 0 }, row.targets[0]!);
    assert.deepEqual(read.mistakes, []);
    assert.equal(read.definition, markerNamed(row.name, row.targets[0]!));
    assert.deepEqual(changed(row, read.value).after, change.after);
  });
}

test('what a marker sets is written with that marker alone, or with one for each kind of schema', () => {
  const partOf = ({ sets }: MarkerDefinition) => `${sets!.of} ${sets!.path.join(' ')}`;
  const several = [...new Set(written.map(partOf))].flatMap((part) => {
    const names = written.filter((row) => partOf(row) === part).map(({ name }) => name);
    return names.length > 1 ? [[part, names]] : [];
  });
  assert.deepEqual(several, [['schema x-kubernetes-map-type', ['mapType', 'structType']]]);
});

test('the markers that rules name are in the table', () => {
  const named = rules.flatMap(({ marker }) => marker?.match(/\+\S+/g) ?? []);
  assert.ok(named.length > 20);
  for (const one of named) {
    const marker = one.replace(/,$/, '');
    const names = namesOf(marker.replace(':…', ':x=y').replaceAll('…', 'x'));
    assert.ok(
      allMarkers.some((row) => names.includes(row.name)),
      marker,
    );
  }
});

test('nothing is said of keywords that no marker sets', () => {
  const after = new Map<string, Value>([['description', 'a']]);
  assert.deepEqual(schemaMarkers('description', { before: new Map(), after }, false), []);
  assert.equal(valueAt(after, ['description']), 'a');
});
