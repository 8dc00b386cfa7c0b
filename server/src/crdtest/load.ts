import { isMap, type Value } from '../base/value.ts';
import type { Definition, Definitions } from '../workspace/definitions.ts';
import type { Files } from '../workspace/files.ts';
import { globOf } from '../workspace/glob.ts';
import { defaultLimits } from '../workspace/limits.ts';
import { textOf } from '../workspace/scan.ts';
import { sourceFile } from '../workspace/sourceFile.ts';
import { folderOf, nearness, resolve } from '../workspace/uri.ts';
import { crdsFrom } from '../workspace/xrd.ts';
import { parseDocument } from '../yaml/parse.ts';
import { valueOf } from '../yaml/value.ts';
import type { FoundCrd } from './coverage.ts';
import { patched } from './objects.ts';
import type { Given } from './run.ts';
import type { CrdRef, ObjectSpec, Suite, TestCase } from './suite.ts';

/** Where the parts of tests come from. */
export interface Around {
  readonly files: Files;
  /** The file of the tests: paths start at its folder. */
  readonly uri: string;
  readonly definitions: Definitions;
}

/** The CRD that tests are about, or why there is none. */
export async function crdOf(ref: CrdRef, around: Around): Promise<FoundCrd | { readonly why: string }> {
  const found = 'path' in ref ? await crdsIn(ref.path, around) : definitionsOf(ref, around.uri, around.definitions);
  const [crd, ...more] = found;
  const text = 'path' in ref ? ref.path : ref.kind;
  if (crd === undefined) return { why: `no CRD is found at ${text}` };
  return more.length === 0 || !('path' in ref)
    ? crd
    : { why: `there are ${found.length} CRDs at ${text}; name the kind` };
}

async function crdsIn(pattern: string, { files, uri }: Around): Promise<FoundCrd[]> {
  const { uris } = await files.expand(pattern, folderOf(uri), defaultLimits.files);
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
  const matches = globOf(resolve(folderOf(uri), ref.path).replaceAll('%2A', '*').replaceAll('%3F', '?'));
  const [found, ...more] = [...definitions.values()].flat().filter(({ file }) => matches(file.uri));
  return more.length > 0 ? undefined : found;
}

/** The objects of a case; undefined where they are in files. */
export function givenHere({ request }: TestCase, suite: Suite): Given | undefined {
  if (request.verb === 'rule') return {};
  const object = objectHere(request.object, suite);
  if (object === undefined) return undefined;
  if (request.verb === 'create') return { object };
  const from = objectHere(request.from, suite);
  return from === undefined ? undefined : { object, from };
}

/** The objects of a case, or what could not be read. */
export async function givenOf(
  { request }: TestCase,
  suite: Suite,
  around: Around,
): Promise<Given | { readonly why: string }> {
  try {
    if (request.verb === 'rule') return {};
    const object = await objectOf(request.object, suite, around);
    return request.verb === 'create' ? { object } : { object, from: await objectOf(request.from, suite, around) };
  } catch (error) {
    if (error instanceof Unreadable) return { why: error.message };
    throw error;
  }
}

class Unreadable extends Error {}

async function objectOf(spec: ObjectSpec, suite: Suite, around: Around): Promise<Value> {
  const { of, patches } = spec;
  if ('file' in of) return patches.reduce(patched, await objectIn(of.file, around));
  const here = objectHere(spec, suite);
  if (here === undefined) throw new Unreadable(`there is no base ${'base' in of ? (of.base ?? '') : ''}`.trim());
  return here;
}

/** An object that is written in the tests themselves; undefined where it is in a file, or of a base that is not there. */
function objectHere({ of, patches }: ObjectSpec, { bases }: Suite): Value | undefined {
  const whole = 'whole' in of ? of.whole : 'base' in of && of.base !== undefined ? bases.get(of.base) : undefined;
  return whole === undefined ? undefined : patches.reduce<Value>(patched, whole);
}

async function objectIn(path: string, { files, uri }: Around): Promise<Value> {
  const { uris } = await files.expand(path, folderOf(uri), 2);
  const text = uris.length === 1 ? textOf(await files.read(uris[0]!, defaultLimits.fileBytes)) : undefined;
  if (text === undefined) throw new Unreadable(`${path} cannot be read`);
  const value = valueOf(parseDocument(text));
  if (!isMap(value)) throw new Unreadable(`${path} does not hold an object`);
  return value;
}
