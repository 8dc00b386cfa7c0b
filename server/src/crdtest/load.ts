import { grouped } from '../base/text.ts';
import { isMap, type Value } from '../base/value.ts';
import type { BuiltinFile } from '../kubernetes/builtin/file.ts';
import type { Definition, Definitions } from '../workspace/definitions.ts';
import type { Files } from '../workspace/files.ts';
import { globOfUri } from '../workspace/glob.ts';
import { defaultLimits } from '../workspace/limits.ts';
import { textOf } from '../workspace/scan.ts';
import { sourceFile } from '../workspace/sourceFile.ts';
import { folderOf, nearness, resolve } from '../workspace/uri.ts';
import { crdsFrom } from '../workspace/xrd.ts';
import { parseDocument } from '../yaml/parse.ts';
import { valueOf } from '../yaml/value.ts';
import type { FoundCrd } from './coverage.ts';
import { patched } from './objects.ts';
import type { ObjectSpec } from './reader.ts';
import type { Ground } from './run.ts';
import type { Given } from './said.ts';
import { type Size, sizeOf, sizeWith, together, tooDeep } from './size.ts';
import {
  type CrdRef,
  crdPatchOf,
  isOfObjects,
  type ObjectRequest,
  type Suite,
  specsOf,
  type TestCase,
} from './suite.ts';

/** Where the parts of tests come from. */
export interface Around {
  readonly files: Files;
  /** The file of the tests: paths start at its folder. */
  readonly uri: string;
  readonly definitions: Definitions;
  /** Reads the built-in kinds; undefined where there are none. */
  readonly builtin?: () => Promise<BuiltinFile | undefined>;
}

/** The CRD that tests are about, or why there is none. */
export async function crdOf(ref: CrdRef, around: Around): Promise<FoundCrd | { readonly why: string }> {
  const found = 'path' in ref ? await crdsIn(ref.path, around) : definitionsOf(ref, around.uri, around.definitions);
  if ('why' in found) return found;
  const [crd, ...more] = found;
  const text = 'path' in ref ? ref.path : ref.kind;
  if (crd === undefined) return { why: `no CRD is found at ${text}` };
  return more.length === 0 || !('path' in ref)
    ? crd
    : { why: `there are ${found.length} CRDs at ${text}; name the kind` };
}

/** How many files that a pattern names are looked at for a CRD. */
export const mostCrdFiles = 1_000;

async function crdsIn(pattern: string, { files, uri }: Around): Promise<FoundCrd[] | { readonly why: string }> {
  const { uris, cut, refused } = await files.expand(pattern, folderOf(uri), mostCrdFiles);
  if (refused !== undefined) return { why: refused };
  if (cut) return { why: `${pattern} names more than ${grouped(mostCrdFiles)} files; name the CRD` };
  const found: FoundCrd[] = [];
  for (const one of uris) {
    const text = textOf(await files.read(one, defaultLimits.fileBytes));
    const file = text === undefined ? undefined : sourceFile(one, text);
    const crds = (file?.manifests ?? []).flatMap(crdsFrom);
    if (file) for (const manifest of crds) found.push({ file, manifest });
  }
  return found;
}

/** Those of the workspace, the nearest first. */
function definitionsOf({ kind, group }: Extract<CrdRef, { kind: string }>, uri: string, definitions: Definitions) {
  return [...definitions.values()]
    .flat()
    .filter((one) => one.kind === kind && (group === undefined || one.group === group))
    .sort((a, b) => nearness(b.file.uri, uri) - nearness(a.file.uri, uri));
}

/** The CRD that is meant, if it is one of the workspace. */
export function definitionOf(ref: CrdRef, uri: string, definitions: Definitions): Definition | undefined {
  if (!('path' in ref)) return definitionsOf(ref, uri, definitions)[0];
  const matches = globOfUri(resolve(folderOf(uri), ref.path));
  const [found, ...more] = [...definitions.values()].flat().filter(({ file }) => matches(file.uri));
  return more.length > 0 ? undefined : found;
}

/** The objects of a case; undefined where they are in files, or where there is too much of them to judge. */
export function givenHere(one: TestCase, suite: Suite): Given | undefined {
  const { request } = one;
  if (isDeep(sizeOfCase(one, suite))) return undefined;
  if (!isOfObjects(request)) return {};
  const given: { object?: Value; from?: Value } = {};
  for (const [part, spec] of partsOf(request)) {
    const value = hereWithPatches(spec, suite);
    if (value === undefined) return undefined;
    given[part] = value;
  }
  return given;
}

/** The objects that a request has, with what they are in it. */
function partsOf(request: ObjectRequest): (readonly ['object' | 'from', ObjectSpec])[] {
  const from = request.verb === 'create' ? undefined : request.from;
  return [...(request.object ? [['object', request.object] as const] : []), ...(from ? [['from', from] as const] : [])];
}

const isDeep = (size: Size) => tooDeep(size, '') !== undefined;

function hereWithPatches(spec: ObjectSpec, suite: Suite): Value | undefined {
  const here = objectHere(spec, suite);
  const found = here === undefined ? undefined : withPatches(here, spec);
  return isDeep(sizeOf(found)) ? undefined : found;
}

/** The objects of a case, or why it cannot be run. */
export async function givenOf(
  one: TestCase,
  suite: Suite,
  around: Around,
  take: Take = () => undefined,
): Promise<Given | { readonly why: string }> {
  const { request } = one;
  const why = tooDeep(sizeOfCase(one, suite), 'the case');
  if (why !== undefined) return { why };
  if (!isOfObjects(request)) return {};
  const given: { object?: Value; from?: Value } = {};
  for (const [part, spec] of partsOf(request)) {
    const found = await objectOf(spec, suite, around, take);
    if ('why' in found) return found;
    given[part] = found.value;
  }
  return given;
}

/** How large a case is as it is written, with the bases that it names; what is in files is not counted. */
export function sizeOfCase({ request, expected }: TestCase, suite: Suite): Size {
  const specs = specsOf(request);
  const crd = crdPatchOf(request);
  const sizes = [
    sizeOf(expected.stored),
    ...specs.map((spec) => sizeWith(objectHere(spec, suite), spec.patches)),
    ...(request.verb === 'rule' ? [sizeOf(request.self), sizeOf(request.oldSelf)] : []),
    ...(request.verb === 'evaluate' ? [sizeWith(request.given, request.patches)] : []),
    ...(crd ? [sizeWith(undefined, [crd])] : []),
  ];
  return together(sizes);
}

/** What running a case comes to in all versions: its objects, and the CRD where that is patched. */
export function sizeOfRun(one: TestCase, suite: Suite, served: Ground['served']): number {
  const patch = crdPatchOf(one.request);
  const [any] = served.values();
  const crd = patch && any ? sizeOfServing(any.document) : 0;
  return served.size * (sizeOfCase(one, suite).values + crd);
}

/** Creating a CRD compiles its rules and looks at each of its fields many times. */
export function sizeOfServing(crd: Value): number {
  return 4 * sizeOf(crd).values;
}

type Found = { readonly value: Value } | { readonly why: string };

/** Takes what a file comes to from what is left; gives why it cannot. */
type Take = (values: number) => string | undefined;

async function objectOf(spec: ObjectSpec, suite: Suite, around: Around, take: Take): Promise<Found> {
  const { of } = spec;
  if ('file' in of) {
    const found = await objectIn(of.file, around, take);
    return 'why' in found ? found : whole(withPatches(found.value, spec), of.file);
  }
  const here = objectHere(spec, suite);
  if (here === undefined) return { why: `there is no base ${'base' in of ? (of.base ?? '') : ''}`.trim() };
  return whole(withPatches(here, spec), 'the object');
}

function whole(value: Value, name: string): Found {
  const why = tooDeep(sizeOf(value), name);
  return why === undefined ? { value } : { why };
}

function withPatches(value: Value, { patches }: ObjectSpec): Value {
  return patches.reduce<Value>(patched, value);
}

/** What is written in the tests themselves; undefined where it is in a file, or of a base that is not there. */
function objectHere({ of }: ObjectSpec, { bases }: Suite): Value | undefined {
  return 'whole' in of ? of.whole : 'base' in of && of.base !== undefined ? bases.get(of.base) : undefined;
}

async function objectIn(path: string, { files, uri }: Around, take: Take): Promise<Found> {
  const { uris, refused } = await files.expand(path, folderOf(uri), 2);
  const text = uris.length === 1 ? textOf(await files.read(uris[0]!, defaultLimits.fileBytes)) : undefined;
  if (text === undefined) return { why: refused ?? `${path} cannot be read` };
  const unread = take(text.length);
  if (unread !== undefined) return { why: unread };
  const value = valueOf(parseDocument(text));
  return isMap(value) ? whole(value, path) : { why: `${path} does not hold an object` };
}
