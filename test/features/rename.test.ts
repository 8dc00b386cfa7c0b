import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isList, isMap, type Path, type Value, valueAt } from '../../server/src/base/value.ts';
import { isRefusal } from '../../server/src/features/navigate/rename/places.ts';
import { renameAt } from '../../server/src/features/navigate/rename/rename.ts';
import { createResource } from '../../server/src/kubernetes/cr/create.ts';
import { serveCrd } from '../../server/src/kubernetes/cr/served.ts';
import { createCrd } from '../../server/src/kubernetes/crd/create.ts';
import { lowerCrd } from '../../server/src/kubernetes/crd/lower.ts';
import { newestVersion } from '../../server/src/kubernetes/releases/all.ts';
import { versionsOf } from '../../server/src/rules/lints/linted.ts';
import { eachRule } from '../../server/src/rules/lints/ruleWalk.ts';
import { inDocument, type Manifest } from '../../server/src/workspace/manifest.ts';
import type { Snapshot } from '../../server/src/workspace/snapshot.ts';
import type { SourceFile } from '../../server/src/workspace/sourceFile.ts';
import { rangeOf } from '../../server/src/yaml/place.ts';
import { makeWorld } from '../probe/world.ts';
import { seeded } from '../support/random.ts';
import { applyEdits, snapshotOf } from '../support/workspace.ts';

// A property by another name is the same property: its CRD and the resources are judged as before.

const kubernetes = newestVersion;

/** All declarations below a schema, junctors aside. */
function declarations(schema: Value | undefined, path: Path): Path[] {
  if (!isMap(schema)) return [];
  const properties = schema.get('properties');
  const own = isMap(properties)
    ? [...properties.keys()].flatMap((name) => {
        const at = [...path, 'properties', name];
        return [at, ...declarations(properties.get(name), at)];
      })
    : [];
  const below = ['items', 'additionalProperties'].flatMap((key) => declarations(schema.get(key), [...path, key]));
  return [...own, ...below];
}

/** What the server says of a CRD, by code, and what each rule costs. */
function judged(crd: Manifest) {
  const { errors, warnings, decode, panic } = createCrd(crd.value, { kubernetes });
  const lowered = lowerCrd(crd.value, kubernetes);
  const costs: string[] = [];
  if (lowered) {
    const linted = { manifest: crd, crd: lowered, kubernetes, settings: { rules: new Map() } };
    for (const version of versionsOf(linted)) {
      eachRule(linted, version, ({ rule, occurs }) => costs.push(`${rule.error?.internal} ${rule.maxCost} ${occurs}`));
    }
  }
  return { decode, panic, errors: errors.map(({ code }) => code), warnings: warnings.map(({ code }) => code), costs };
}

/** What the server says of a resource: the kinds of errors, and of each where it is, by place instead of name. */
function verdictOf(crd: Manifest, resource: Manifest) {
  const served = serveCrd(crd.value, kubernetes);
  if ('error' in served) return served.error;
  const { decode, strict, errors, warnings } = createResource(resource.value, served, { kubernetes });
  return {
    decode: decode?.path.length,
    strict: strict.map(({ kind }) => kind),
    errors: errors.map(({ code }) => code),
    warnings: warnings.map(({ code }) => code),
  };
}

/** The files after a rename; undefined where it is refused. */
function renamed(
  snapshot: Snapshot,
  file: SourceFile,
  path: Path,
  name: string,
  part: 'key' | 'value' = 'key',
): { after: Snapshot } | string {
  const manifest = file.manifests[0]!;
  const range = rangeOf(manifest.document, inDocument(manifest, path), part)!;
  const target = renameAt(snapshot, file.uri, range.start + 1);
  assert.ok(target, path.join('.'));
  if (isRefusal(target)) return target.refused;
  assert.equal(target.name, part === 'key' ? path.at(-1) : valueAt(manifest.value, path));
  const found = target.to(name);
  if (isRefusal(found)) return found.refused;
  const all = [...found.edits];
  for (const other of snapshot.open.values()) {
    const edits = found.elsewhere[0]!.edits(other);
    assert.ok(!isRefusal(edits), isRefusal(edits) ? edits.refused : '');
    all.push(edits);
  }
  const files = [...snapshot.open.values()].map(({ uri, text }) => {
    const edits = all.filter((one) => one.file.uri === uri).flatMap((one) => one.edits.map(({ edit }) => edit));
    return { uri, text: applyEdits(text, edits) };
  });
  return { after: snapshotOf(files) };
}

test('renaming a property changes no verdict and no cost, and renaming it back gives the same files', () => {
  const random = seeded(5);
  const { crds, resources } = makeWorld({ kinds: 14, resourcesEach: 3, rulesEach: 4 });
  const counts = { done: 0, refused: 0, inRules: 0, inResources: 0 };
  for (const crd of crds) {
    const kind = /kind: (?!CustomResourceDefinition)(\w+)/.exec(crd.text)?.[1] ?? '';
    const own = resources.filter(({ text }) => text.split('\n').includes(`kind: ${kind}`));
    const snapshot = snapshotOf([crd, ...own]);
    const file = snapshot.open.get(crd.uri)!;
    const manifest = file.manifests[0]!;
    const versions = valueAt(manifest.value, ['spec', 'versions']);
    assert.ok(isList(versions));
    const root: Path = ['spec', 'versions', 0, 'schema', 'openAPIV3Schema'];
    const all = declarations(valueAt(manifest.value, root), root);
    for (let i = 0; i < 12; i++) {
      const path = random.pick(all);
      const old = String(path.at(-1));
      // Of the same length: the least size of an object counts in what its rules can cost.
      const name = `${random.pick(['q', 'Z'])}${old.slice(1)}`;
      if (name === old || (path.length === 7 && old === 'status')) continue;
      const first = renamed(snapshot, file, path, name);
      if (typeof first === 'string') {
        counts.refused++;
        assert.match(first, /already has a property|every object|json path under \.(?:spec|status)/i);
        continue;
      }
      counts.done++;
      const changed = [...first.after.open.values()].filter(({ uri, text }) => text !== snapshot.open.get(uri)!.text);
      if (changed.length > 1) counts.inResources++;
      const after = first.after.open.get(crd.uri)!;
      if (ruleTexts(after.manifests[0]!.value) !== ruleTexts(manifest.value)) counts.inRules++;
      const context = `${path.slice(5).join('.')} → ${name}\n${crd.text}`;
      assert.deepEqual(judged(after.manifests[0]!), judged(manifest), context);
      for (const { uri } of own) {
        const now: readonly Manifest[] = first.after.open.get(uri)!.manifests;
        for (const [k, one] of snapshot.open.get(uri)!.manifests.entries())
          assert.deepEqual(verdictOf(after.manifests[0]!, now[k]!), verdictOf(manifest, one), context);
      }
      const back = renamed(first.after, after, [...path.slice(0, -1), name], old);
      assert.ok(typeof back !== 'string', String(back));
      for (const [uri, { text }] of snapshot.open) assert.equal(back.after.open.get(uri)!.text, text, context);
    }
  }
  assert.ok(counts.done > 100 && counts.inRules > 10 && counts.inResources > 40, JSON.stringify(counts));
});

test('renaming a kind or a version changes no verdict', () => {
  const { crds, resources } = makeWorld({ kinds: 8, resourcesEach: 2, rulesEach: 2 });
  const counts = { renamed: 0, resources: 0 };
  for (const crd of crds) {
    const kind = /kind: (?!CustomResourceDefinition)(\w+)/.exec(crd.text)?.[1] ?? '';
    const own = resources.filter(({ text }) => text.split('\n').includes(`kind: ${kind}`));
    const snapshot = snapshotOf([crd, ...own]);
    const file = snapshot.open.get(crd.uri)!;
    const names: [Path, string][] = [
      [['spec', 'names', 'kind'], 'Bakery'],
      [['spec', 'versions', 0, 'name'], 'v9'],
    ];
    for (const [path, name] of names) {
      const found = renamed(snapshot, file, path, name, 'value');
      assert.ok(typeof found !== 'string', String(found));
      const now = found.after.open.get(crd.uri)!.manifests[0]!;
      assert.equal(valueAt(now.value, path), name);
      assert.deepEqual(judged(now), judged(file.manifests[0]!), crd.text);
      counts.renamed++;
      for (const { uri } of own) {
        const after: readonly Manifest[] = found.after.open.get(uri)!.manifests;
        for (const [k, one] of snapshot.open.get(uri)!.manifests.entries()) {
          assert.notDeepEqual(after[k]!.value, one.value);
          assert.deepEqual(verdictOf(now, after[k]!), verdictOf(file.manifests[0]!, one), uri);
          counts.resources++;
        }
      }
    }
  }
  assert.ok(counts.renamed >= 16 && counts.resources >= 32, JSON.stringify(counts));
});

function ruleTexts(value: Value): string {
  if (isList(value)) return value.map(ruleTexts).join('\n');
  if (!isMap(value)) return '';
  return [...value].map(([key, one]) => (key === 'rule' ? String(one) : ruleTexts(one))).join('\n');
}
