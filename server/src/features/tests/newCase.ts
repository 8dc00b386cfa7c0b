import type { Steps } from '../../base/steps.ts';
import { movedRange, type TextEdit } from '../../base/text.ts';
import { isList, isMap, type Path, type Value, type ValueMap, valueAt } from '../../base/value.ts';
import { type Breaking, breakRule } from '../../crdtest/breakRule.ts';
import { differences, pathOf } from '../../crdtest/objects.ts';
import { rulePathOf, rulesIn, rulesKey } from '../../crdtest/rulePath.ts';
import { saidTo, serving } from '../../crdtest/run.ts';
import { freeName, readSuite, type Suite } from '../../crdtest/suite.ts';
import type { KubernetesVersion } from '../../kubernetes/releases/release.ts';
import { type Definition, definitionsFor } from '../../workspace/definitions.ts';
import { type Manifest, metadataText } from '../../workspace/manifest.ts';
import { kubernetesFor, type Snapshot } from '../../workspace/snapshot.ts';
import type { SourceFile } from '../../workspace/sourceFile.ts';
import { folderOf, relative } from '../../workspace/uri.ts';
import { insertItem, insertKey } from '../../yaml/edit.ts';
import type { PlacedDocument } from '../../yaml/parse.ts';
import { renderBlock } from '../../yaml/render.ts';
import { valueOf } from '../../yaml/value.ts';
import { cursorAt } from '../place/cursor.ts';
import { testedBy } from '../place/objectIn.ts';

/** A case that can be written at a place: of the resource there, or of the rule. */
export type NewCase = { readonly of: 'resource' } | { readonly of: 'rule'; readonly path: Path };

/** What becomes of which file: edits of one that is there, or the text of a new one. */
export type Written = { readonly uri: string } & ({ readonly edits: readonly TextEdit[] } | { readonly text: string });

/** Which new case could be written from a place; undefined where none could. */
export function newCaseAt(snapshot: Snapshot, uri: string, offset: number): NewCase | undefined {
  const cursor = cursorAt(snapshot, uri, offset);
  const { manifest, path, definitions } = cursor ?? {};
  if (!cursor || !manifest || manifest.at.length > 0) return undefined;
  if (manifest.role === 'crd') {
    const at = path?.indexOf(rulesKey) ?? -1;
    return path && at !== -1 && path.length > at + 1 ? { of: 'rule', path: path.slice(0, at + 2) } : undefined;
  }
  const [definition] = definitions ?? [];
  const isNamed = path?.length === 1 && (path[0] === 'kind' || path[0] === 'apiVersion');
  return isNamed && definition && definition.file.origin === undefined && definition.file.uri !== uri
    ? { of: 'resource' }
    : undefined;
}

/** Writes the case, into a file of tests of the CRD if there is one; a text says why there is none. */
export function* writeNewCase(
  snapshot: Snapshot,
  uri: string,
  offset: number,
  tests: readonly SourceFile[],
): Steps<Written | string> {
  const manifest = cursorAt(snapshot, uri, offset)?.manifest;
  const wanted = newCaseAt(snapshot, uri, offset);
  const definition = manifest && wanted && crdOf(snapshot, uri, manifest);
  if (!definition) return 'There is nothing here to write a test of.';
  const target = targetOf(snapshot, definition, tests);
  const kubernetes = kubernetesFor(snapshot, target.uri);
  if (wanted.of === 'resource')
    return write(target, definition, caseOfResource(manifest, definition, target, kubernetes));
  const found = yield* broken(definition, wanted.path, target, kubernetes);
  if ('why' in found) return `No object was found that breaks this rule and is right otherwise: ${found.why}.`;
  return write(target, definition, { bases: undefined, one: caseOfRule(found, target) });
}

function crdOf(snapshot: Snapshot, uri: string, manifest: Manifest): Definition | undefined {
  if (manifest.role === 'resource') return definitionsFor(snapshot.definitions, manifest, uri)[0];
  return [...snapshot.definitions.values()].flat().find((one) => one.manifest === manifest);
}

/** Where the case goes: a document of tests, or a file that is not there yet. */
interface Target {
  readonly uri: string;
  readonly placed: PlacedDocument | undefined;
  readonly suite: Suite | undefined;
}

function targetOf(snapshot: Snapshot, definition: Definition, tests: readonly SourceFile[]): Target {
  for (const { uri, stream } of tests) {
    for (const placed of stream.documents) {
      if (testedBy(placed.document, uri, snapshot.definitions) !== definition) continue;
      const { suite } = readSuite(placed.document);
      if (suite && placed.document.problems.length === 0) return { uri, placed, suite };
    }
  }
  // Where other tests are, or beside the CRD.
  const folder = folderOf(tests[0]?.uri ?? definition.file.uri);
  const name = `${folder}/${baseOf(definition.file.uri)}`;
  const taken = new Set(tests.map(({ uri }) => uri));
  let uri = `${name}.crdtest.yaml`;
  for (let i = 2; taken.has(uri); i++) uri = `${name}-${i}.crdtest.yaml`;
  return { uri, placed: undefined, suite: undefined };
}

function baseOf(uri: string): string {
  return uri.slice(uri.lastIndexOf('/') + 1).replace(/\.(?:ya?ml|json)$/i, '');
}

interface Case {
  /** The bases of a document that has none yet. */
  readonly bases: ValueMap | undefined;
  readonly one: ValueMap;
}

function write({ uri, placed }: Target, definition: Definition, { bases, one }: Case): Written {
  if (placed) return { uri, edits: inserted(placed, { bases, one }) };
  const { file, kind, group } = definition;
  const isAlone = file.manifests.filter(({ role }) => role === 'crd').length === 1;
  const crd: Value = isAlone
    ? relative(folderOf(uri), file.uri)
    : new Map([
        ['kind', kind],
        ['group', group],
      ]);
  const whole = new Map<string, Value>([['crd', crd], ...(bases ? [['bases', bases] as const] : []), ['cases', [one]]]);
  return { uri, text: `${renderBlock(whole, 0, { eol: '\n', step: 2, indentLists: true })}\n` };
}

function inserted({ document, start }: PlacedDocument, { bases, one }: Case): TextEdit[] {
  const hasCases = isList(valueAt(valueOf(document), ['cases']));
  const edits = [
    ...(bases ? insertKey(document, [], 'bases', bases, { before: 'cases' }) : []),
    ...(hasCases ? insertItem(document, ['cases'], one) : insertKey(document, [], 'cases', [one])),
  ];
  return edits.map(({ range, text }) => ({ range: movedRange(range, start), text }));
}

/** A resource as the base of a file's first case, or whole in one more. */
function caseOfResource(
  manifest: Manifest,
  definition: Definition,
  target: Target,
  kubernetes: KubernetesVersion,
): Case {
  const name = metadataText(manifest, 'name') || manifest.kind.toLowerCase();
  const hasBases = (target.suite?.bases.size ?? 0) > 0;
  const object = manifest.value;
  const came = saidTo(object, definition.manifest.value, kubernetes);
  const errors = came.map(
    ({ field, message }) => new Map([...(field === '' ? [] : [['field', field] as const]), ['message', message]]),
  );
  const one = new Map<string, Value>([
    ['name', freeName(`${name} is ${came.length === 0 ? 'accepted' : 'refused'}`, target.suite?.cases ?? [])],
    // Where there is one base, cases need not name it: another one would change what they mean.
    ['create', hasBases ? object : new Map()],
    ...(errors.length > 0 ? [['errors', errors] as const] : []),
  ]);
  return { bases: hasBases ? undefined : new Map([[name, object]]), one };
}

function* broken(
  definition: Definition,
  path: Path,
  { suite }: Target,
  kubernetes: KubernetesVersion,
): Steps<Breaking | { readonly why: string }> {
  const { value } = definition.manifest;
  const root = path.slice(0, path.indexOf('openAPIV3Schema') + 1);
  const below = path.slice(root.length).join('/');
  const named = rulesIn(valueAt(value, root)).find((one) => one.path.join('/') === below);
  const rule = named && rulePathOf(named.text);
  const served = serving(value, kubernetes);
  if ('refused' in served) return { why: `the CRD is refused: ${served.refused[0]}` };
  const version = served.crd.versions.get(String(valueAt(value, [...path.slice(0, 3), 'name'])));
  if (!rule || !version) return { why: 'the CRD serves no such rule' };
  const apiVersion = `${version.group}/${version.version}`;
  const starts = [...(suite?.bases.values() ?? [])]
    .filter(isMap)
    .filter((base) => base.get('apiVersion') === apiVersion);
  return yield* breakRule(served, version, rule, starts, kubernetes);
}

function caseOfRule({ verb, start, from, object, field, message }: Breaking, target: Target): ValueMap {
  const bases = [...(target.suite?.bases ?? [])];
  const base = bases.find(([, value]) => value === start)?.[0];
  const spec = (value: ValueMap): Value => {
    const patch = base === undefined ? undefined : patchBetween(start, value);
    if (!patch) return value;
    const named = bases.length > 1 ? [['base', base!] as const] : [];
    return new Map<string, Value>([...named, ...(patch.size > 0 ? [['with', patch] as const] : [])]);
  };
  const request =
    verb === 'create' || !from
      ? spec(object)
      : new Map([
          ['from', spec(from)],
          ['to', spec(object)],
        ]);
  const error = new Map([
    ...(field === '' || field === '<nil>' ? [] : [['field', field] as const]),
    ['contains', message],
  ]);
  return new Map<string, Value>([
    ['name', freeName(`refused: ${message}`, target.suite?.cases ?? [])],
    [verb, request],
    ['errors', [error]],
  ]);
}

/** The patch that makes one object of another; undefined where its paths could not be written. */
function patchBetween(start: Value, value: Value): ValueMap | undefined {
  const patch = new Map<string, Value>();
  let canBe = true;
  const set = (path: Path, one: Value) => {
    const text = path.join('.');
    canBe &&= pathOf(text)?.join('.') === text && pathOf(text)?.length === path.length;
    patch.set(text, one);
  };
  // In a patch null takes away: one that is to be there cannot be written so.
  const give = (path: Path, one: Value) => {
    canBe &&= !holdsNull(one);
    set(path, one);
  };
  const compare = (before: Value, after: Value, path: Path) => {
    if (!isMap(before) || !isMap(after)) {
      if (differences(before, after, false).length > 0) give(path, after);
      return;
    }
    for (const [key, one] of after) {
      const known = before.get(key);
      if (known === undefined) give([...path, key], one);
      else compare(known, one, [...path, key]);
    }
    for (const key of before.keys()) if (!after.has(key)) set([...path, key], null);
  };
  compare(start, value, []);
  return canBe ? patch : undefined;
}

function holdsNull(value: Value): boolean {
  if (isList(value)) return value.some(holdsNull);
  return isMap(value) ? [...value.values()].some(holdsNull) : value === null;
}
