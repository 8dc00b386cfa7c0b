import { unescapedStep } from '../../../base/jsonPointer.ts';
import { type DocumentPath, isList, isMap, isString, listAt, type Value, type ValueMap } from '../../../base/value.ts';
import { pathOf } from '../../../crdtest/objects.ts';
import { isKustomization, isTestFile } from '../../../workspace/fileNames.ts';
import { splitApiVersion } from '../../../workspace/manifest.ts';
import type { SourceFile } from '../../../workspace/sourceFile.ts';
import { folderOf, resolve } from '../../../workspace/uri.ts';
import { parseDocument, type YamlDocument } from '../../../yaml/parse.ts';
import { valueOf } from '../../../yaml/value.ts';
import { keysOf, type Way } from '../propertyUses.ts';
import type { Group, Place } from './places.ts';

// Where a file has what is of a kind: resources, tests of CRDs, and patches of kustomizations.

export interface KindInVersion {
  readonly group: string;
  readonly kind: string;
  readonly version: string;
  /** The files that define it. */
  readonly files: readonly string[];
}

/** The places that name a property of a kind, in one file that is not its CRD. */
export function fieldsIn(file: SourceFile, wanted: KindInVersion, way: Way): Place[] {
  const objects = file.manifests
    .filter((manifest) => isOf(manifest.value, wanted))
    .flatMap(({ document, at, value }) => keys(document, at, value, way, 'resources'));
  const others = file.stream.documents.flatMap(({ document }) => {
    const root = isTestFile(file.uri) || isKustomization(file.uri) ? valueOf(document) : undefined;
    if (!isMap(root)) return [];
    return isTestFile(file.uri)
      ? inTests(file, document, root, wanted, way)
      : inKustomization(document, root, wanted, way);
  });
  return [...objects, ...others];
}

function isOf(value: Value | undefined, { group, kind, version }: KindInVersion): boolean {
  const apiVersion = isMap(value) ? value.get('apiVersion') : undefined;
  if (!isMap(value) || !isString(apiVersion) || value.get('kind') !== kind) return false;
  const own = splitApiVersion(apiVersion);
  return own.group === group && own.version === version;
}

function keys(document: YamlDocument, at: DocumentPath, value: Value | undefined, way: Way, group: Group): Place[] {
  return keysOf(value, way, at).map((path) => ({ document, path, at: 'key', form: 'name', group }));
}

// Tests of CRDs

function inTests(file: SourceFile, document: YamlDocument, root: ValueMap, wanted: KindInVersion, way: Way): Place[] {
  const bases = root.get('bases');
  const named = isMap(bases) ? bases : new Map<string, Value>();
  const inBases = [...named].flatMap(([name, value]) =>
    isOf(value, wanted) ? keys(document, ['bases', name], value, way, 'tests') : [],
  );
  const cases = root.get('cases');
  const test: Test = { document, wanted, way, bases: named, isAbout: isAbout(file, root, wanted) };
  return [
    ...inBases,
    ...(isList(cases) ? cases : []).flatMap((one, i) => (isMap(one) ? inCase(test, one, ['cases', i]) : [])),
  ];
}

interface Test {
  readonly document: YamlDocument;
  readonly wanted: KindInVersion;
  readonly way: Way;
  readonly bases: ReadonlyMap<string, Value>;
  /** The tests are of this kind, by what they say of their CRD or of their objects. */
  readonly isAbout: boolean;
}

function isAbout({ uri }: SourceFile, root: ValueMap, { kind, group, files }: KindInVersion): boolean {
  const crd = root.get('crd');
  if (isMap(crd)) return crd.get('kind') === kind && (crd.get('group') ?? group) === group;
  return isString(crd) && files.includes(resolve(folderOf(uri), crd));
}

function inCase(test: Test, one: ValueMap, path: DocumentPath): Place[] {
  const specs = objectSpecs(one, path);
  const isOurs = specs.some(([spec]) => isSpecOf(test, spec));
  const inSpecs = specs.flatMap(([spec, at]) => inSpec(test, spec, at));
  if (!isOurs) return test.isAbout && isString(one.get('rule')) ? inRuleCase(test, one, path) : inSpecs;
  return [...inSpecs, ...inExpected(test, one, path)];
}

/** The objects of a case: what is created, or both sides of a change. */
function objectSpecs(one: ValueMap, path: DocumentPath): [Value, DocumentPath][] {
  const both = (verb: string): [Value, DocumentPath][] => {
    const change = one.get(verb);
    return isMap(change) ? [...change].map(([side, spec]) => [spec, [...path, verb, side]]) : [];
  };
  const created = one.get('create');
  return [
    ...(created === undefined ? [] : [[created, [...path, 'create']] as [Value, DocumentPath]]),
    ...both('update'),
    ...both('status'),
  ];
}

/** Whether an object is of the kind: a whole one, or one that a base is the beginning of. */
function isSpecOf({ wanted, bases }: Test, spec: Value): boolean {
  if (!isMap(spec)) return false;
  if (spec.has('apiVersion')) return isOf(spec, wanted);
  const name = spec.get('base') ?? (bases.size === 1 ? [...bases.keys()][0] : undefined);
  return isString(name) && isOf(bases.get(name), wanted);
}

function inSpec(test: Test, spec: Value, path: DocumentPath): Place[] {
  if (!isMap(spec) || !isSpecOf(test, spec)) return [];
  const { document, way } = test;
  return spec.has('apiVersion')
    ? keys(document, path, spec, way, 'tests')
    : inPatch(test, spec.get('with'), [...path, 'with']);
}

/** A patch, whose own keys may be paths such as `spec.ports[0].name`. */
function inPatch({ document, way }: Test, patch: Value | undefined, path: DocumentPath): Place[] {
  if (!isMap(patch)) return [];
  return [...patch].flatMap(([key, value]): Place[] => {
    const steps = pathOf(key) ?? [key];
    const at = [...path, key];
    if (!startsAlong(steps, way)) return [];
    if (steps.length < way.length) return keys(document, at, value, way.slice(steps.length), 'tests');
    const part = partOf(key, way.length - 1);
    return [{ document, path: at, at: 'key', part, form: 'step', group: 'tests' }];
  });
}

/** Whether steps follow a way, as far as both go. */
function startsAlong(steps: readonly (string | number)[], way: Way): boolean {
  return steps.slice(0, way.length).every((step, i) => way[i] === '*' || way[i] === step);
}

/** The steps of a path such as `spec.ports[0].name` or `spec.ports[*].name`, each with its place. */
function stepsOf(text: string): { readonly step: string | number; readonly start: number; readonly end: number }[] {
  return [...text.matchAll(/[^.[\]]+|\[[^[\]]*\]/g)].map(({ 0: step, index: start }) => {
    return { step: step.startsWith('[') ? 0 : step, start, end: start + step.length };
  });
}

const namesOf = (text: string) => stepsOf(text).map(({ step }) => step);

function partOf(text: string, step: number): { start: number; end: number } {
  const { start, end } = stepsOf(text)[step]!;
  return { start, end };
}

function inExpected(test: Test, one: ValueMap, path: DocumentPath): Place[] {
  const { document, way } = test;
  const stored = ['stored', 'exactly'].flatMap((key) => keys(document, [...path, key], one.get(key), way, 'tests'));
  const rows = one.get('each');
  const inRows = (isList(rows) ? rows : []).flatMap((row, i): Place[] => {
    if (!isMap(row)) return [];
    const at = [...path, 'each', i];
    const patch = new Map([...row].filter(([key]) => key !== 'error' && key !== 'errors'));
    return [...inPatch(test, patch, at), ...inErrors(test, row, at)];
  });
  return [...stored, ...inRows, ...inErrors(test, one, path)];
}

/** The fields of the errors and warnings that are expected. */
function inErrors(test: Test, map: ValueMap, path: DocumentPath): Place[] {
  const of = (value: Value | undefined, at: DocumentPath) => {
    const field = isMap(value) ? value.get('field') : undefined;
    return isString(field) ? inFieldText(test, field, [...at, 'field']) : [];
  };
  const lists = ['errors', 'warnings'].flatMap((key) => {
    const list = map.get(key);
    return (isList(list) ? list : []).flatMap((one, i) => of(one, [...path, key, i]));
  });
  return [...lists, ...of(map.get('error'), [...path, 'error'])];
}

/** A path in a text: `spec.parts[0].name`. */
function inFieldText({ document, way }: Test, text: string, path: DocumentPath): Place[] {
  const steps = namesOf(text);
  if (steps.length < way.length || !startsAlong(steps, way)) return [];
  return [{ document, path, at: 'value', part: partOf(text, way.length - 1), form: 'step', group: 'tests' }];
}

/** A rule alone: the path to it, and the value that it is evaluated on. */
function inRuleCase(test: Test, one: ValueMap, path: DocumentPath): Place[] {
  const text = one.get('rule');
  if (!isString(text)) return [];
  const node = text.slice(0, Math.max(0, text.indexOf('x-kubernetes-validations')));
  const steps = namesOf(node);
  if (!startsAlong(steps, test.way)) return [];
  if (steps.length >= test.way.length) return inFieldText(test, text, [...path, 'rule']);
  const rest = test.way.slice(steps.length);
  return ['self', 'oldSelf'].flatMap((key) => keys(test.document, [...path, key], one.get(key), rest, 'tests'));
}

// Kustomizations

/** Patches that a kustomization holds itself. */
function inKustomization(outer: YamlDocument, root: ValueMap, wanted: KindInVersion, way: Way): Place[] {
  return inlinePatches(outer, root).flatMap(({ document, target, inside }) =>
    inPatchDocument(document, target, wanted, way).map((place) => ({ ...place, inside })),
  );
}

interface InlinePatch {
  readonly document: YamlDocument;
  readonly target: Value | undefined;
  /** The text that the document is. */
  readonly inside: { readonly document: YamlDocument; readonly path: DocumentPath };
}

export function inlinePatches(outer: YamlDocument, root: ValueMap): InlinePatch[] {
  return patchesOf(root).flatMap(({ patch, target, path }) =>
    isString(patch) && patch.includes('\n')
      ? [{ document: parseDocument(patch), target, inside: { document: outer, path } }]
      : [],
  );
}

function inPatchDocument(document: YamlDocument, target: Value | undefined, wanted: KindInVersion, way: Way): Place[] {
  const value = valueOf(document);
  if (isList(value)) return isTarget(target, wanted) ? inOperations(document, value, way) : [];
  return isOf(value, wanted) ? keys(document, [], value, way, 'patches') : [];
}

interface Patch {
  readonly patch: Value | undefined;
  readonly target: Value | undefined;
  readonly file: string | undefined;
  readonly path: DocumentPath;
}

function patchesOf(root: ValueMap): Patch[] {
  const listed = ['patches', 'patchesJson6902'].flatMap((key) =>
    listAt(root, [key]).flatMap((one, i): Patch[] => {
      if (!isMap(one)) return [];
      const file = one.get('path');
      return [
        {
          patch: one.get('patch'),
          target: one.get('target'),
          file: isString(file) ? file : undefined,
          path: [key, i, 'patch'],
        },
      ];
    }),
  );
  const merges = listAt(root, ['patchesStrategicMerge']).map((patch, i): Patch => {
    return { patch, target: undefined, file: undefined, path: ['patchesStrategicMerge', i] };
  });
  return [...listed, ...merges];
}

function isTarget(target: Value | undefined, { group, kind, version }: KindInVersion): boolean {
  if (!isMap(target) || target.get('kind') !== kind) return false;
  return (target.get('group') ?? group) === group && (target.get('version') ?? version) === version;
}

/** Operations of a JSON patch: their pointers, and the values that they put. */
function inOperations(document: YamlDocument, operations: readonly Value[], way: Way): Place[] {
  return operations.flatMap((one, i): Place[] => {
    if (!isMap(one)) return [];
    const places = ['path', 'from'].flatMap((key): Place[] => {
      const step = stepsAlong(one.get(key), way)?.[way.length - 1];
      return step ? [{ document, path: [i, key], at: 'value', part: step, form: 'pointer', group: 'patches' }] : [];
    });
    const above = stepsAlong(one.get('path'), way)?.length ?? way.length;
    return above < way.length
      ? [...places, ...keys(document, [i, 'value'], one.get('value'), way.slice(above), 'patches')]
      : places;
  });
}

/** The steps of a pointer that follows a way, as far as both go. What is not a text is taken for the whole document. */
function stepsAlong(pointer: Value | undefined, way: Way) {
  const steps = isString(pointer) ? pointerSteps(pointer) : [];
  const names = steps.map(({ name }) => name);
  return startsAlong(names, way) ? steps : undefined;
}

function pointerSteps(pointer: string): { readonly name: string; readonly start: number; readonly end: number }[] {
  return [...pointer.matchAll(/\/([^/]*)/g)].map((match) => {
    const start = match.index + 1;
    const name = unescapedStep(match[1]!);
    return { name, start, end: start + match[1]!.length };
  });
}

/** The files of JSON patches that a kustomization applies to a kind. */
export function patchFilesIn(file: SourceFile, wanted: KindInVersion): string[] {
  if (!isKustomization(file.uri)) return [];
  return file.stream.documents.flatMap(({ document }) => {
    const root = valueOf(document);
    const patches = isMap(root) ? patchesOf(root) : [];
    return patches.flatMap((one) =>
      one.file !== undefined && isTarget(one.target, wanted) ? [resolve(folderOf(file.uri), one.file)] : [],
    );
  });
}

/** The places that name a property in a file of operations. */
export function fieldsInPatchFile(file: SourceFile, way: Way): Place[] {
  return file.stream.documents.flatMap(({ document }) => {
    const value = valueOf(document);
    return isList(value) ? inOperations(document, value, way) : [];
  });
}
