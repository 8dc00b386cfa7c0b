/** Flux's Kustomizations: which files they apply, and the variables that they fill in there. */
import { memo } from '../../base/memo.ts';
import { isList, isMap, isString, valueAt } from '../../base/value.ts';
import { kustomizationNames } from '../fileNames.ts';
import { folderOf, isInside, resolve } from '../uri.ts';
import type { Filling, VariableSet } from './filling.ts';
import { type Delivery, objectNamed, repositoryOf } from './index.ts';
import { type Delivered, textIn } from './objects.ts';
import { repositoryName } from './onDisk.ts';
import { patchesIn } from './patches.ts';
import { isThisRepository } from './sources.ts';
import { decodedAt, isEncrypted, pathOfKey } from './texts.ts';

/** By the address of each kustomization: the files and folders that it takes objects from. */
export type Resources = ReadonlyMap<string, readonly string[]>;

/** The folder that a Kustomization applies, in this repository. */
export function folderAppliedBy(delivery: Delivery, one: Delivered): string | undefined {
  if (textIn(one, 'spec', 'sourceRef', 'kind') !== git) return undefined;
  const source = sourceOf(delivery, one);
  const folder = repositoryOf(delivery, one.uri)?.folder;
  if (folder === undefined || !isThisRepository(delivery, one, source)) return undefined;
  return resolve(folder, textIn(one, 'spec', 'path'));
}

const git = 'GitRepository';

function sourceOf(delivery: Delivery, one: Delivered): Delivered | undefined {
  const namespace = textIn(one, 'spec', 'sourceRef', 'namespace') || one.namespace;
  return objectNamed(delivery, one, git, textIn(one, 'spec', 'sourceRef', 'name'), namespace);
}

/** Whether the source of a Kustomization is known to be this repository, and nothing else. */
export function isSurelyHere(delivery: Delivery, one: Delivered): boolean {
  const source = sourceOf(delivery, one);
  const names = repositoryOf(delivery, one.uri)?.names ?? [];
  if (!source || !names.includes(repositoryName(textIn(source, 'spec', 'url')))) return false;
  return valueAt(source.manifest.value, ['spec', 'include']) === undefined;
}

/** The kustomization in a folder. */
export function kustomizationIn(resources: Resources, folder: string): string | undefined {
  return kustomizationNames.map((name) => `${folder}/${name}`).find((uri) => resources.has(uri));
}

/** Kustomizations that lead to one another. */
const mostReached = 5_000;

/** The kustomization of a folder, all files and folders that it leads to, and those that they lead to. */
const reachedFrom = memo((resources: Resources, kustomization: string): ReadonlySet<string> => {
  const found = new Set([kustomization]);
  const open = [kustomization];
  for (let at = open.pop(); at !== undefined && found.size < mostReached; at = open.pop()) {
    for (const one of resources.get(at) ?? []) {
      const next = kustomizationIn(resources, one) ?? one;
      if (found.has(next)) continue;
      found.add(next);
      open.push(next);
    }
  }
  return found;
});

/**
 * Whether a file is applied with a folder: without a kustomization in it, all files below are, but for those of folders that
 * have one, of which those are that it leads to.
 */
export function isAppliedWith(resources: Resources, folder: string, uri: string): boolean {
  const own = kustomizationIn(resources, folder);
  if (own !== undefined) return reachedFrom(resources, own).has(uri);
  if (!isInside(uri, folder)) return false;
  let outermost: string | undefined;
  for (let at = folderOf(uri); isInside(at, folder); at = folderOf(at))
    outermost = kustomizationIn(resources, at) ?? outermost;
  return outermost === undefined || reachedFrom(resources, outermost).has(uri);
}

/** What a Kustomization fills in; undefined where it leaves texts as they are. */
export function fillingOf(delivery: Delivery, by: Delivered): Filling | undefined {
  const post = valueAt(by.manifest.value, ['spec', 'postBuild']);
  if (!isMap(post)) return undefined;
  const variables = new Map<string, VariableSet>();
  const elsewhere: string[] = [];
  const from = post.get('substituteFrom');
  for (const ref of isList(from) ? from : []) if (isMap(ref)) takeFrom(delivery, by, ref, variables, elsewhere);
  const own = post.get('substitute');
  for (const [name, value] of isMap(own) ? own : []) {
    const path = ['spec', 'postBuild', 'substitute', name];
    // A variable may itself be filled in, or encrypted.
    if (isString(value) && !/\$\{|^ENC\[/.test(value))
      variables.set(name, { value: withoutBreaks(value), of: by, path });
    else elsewhere.push(`\`${name}\``);
  }
  const always = textIn(by, 'spec', 'postBuild', 'substituteStrategy') === 'Always';
  const patch = patchOf(delivery);
  if (patch) elsewhere.push('a patch');
  // What is written in the object wins over what is taken from others, but not over another writing of it.
  if (patch === 'substitute') variables.clear();
  if (variables.size === 0 && elsewhere.length === 0 && !always) return undefined;
  return sameAsBefore({ by, variables, elsewhere, always });
}

const lastFilling = memo((_: Delivered['manifest']): { last?: Filling } => ({}));

/** The same object as long as it says the same: verdicts rest on it. */
function sameAsBefore(filling: Filling): Filling {
  const kept = lastFilling(filling.by.manifest);
  if (!kept.last || wordsOf(kept.last) !== wordsOf(filling)) kept.last = filling;
  return kept.last;
}

function wordsOf({ variables, elsewhere, always }: Filling): string {
  const all = Array.from(variables, ([name, { value, of, path }]) => [name, value, of.uri, of.kind, of.name, path]);
  return JSON.stringify([all, elsewhere, always]);
}

/** What patches of kustomizations, or of Kustomizations above, may change of variables. */
const patchOf = memo((delivery: Delivery): 'substitute' | 'substituteFrom' | undefined => {
  const patches = patchesIn(delivery).filter((text) => /postBuild|substitute/.test(text));
  if (patches.length === 0) return undefined;
  return patches.some((text) => /\bsubstitute["']?\s{0,10}:|\/substitute\b/.test(text))
    ? 'substitute'
    : 'substituteFrom';
});

function takeFrom(
  delivery: Delivery,
  by: Delivered,
  ref: ReadonlyMap<string, unknown>,
  variables: Map<string, VariableSet>,
  elsewhere: string[],
): void {
  const [kind, name] = [ref.get('kind'), ref.get('name')];
  if ((kind !== 'ConfigMap' && kind !== 'Secret') || typeof name !== 'string') return;
  const source = objectNamed(delivery, by, kind, name);
  if (!source || isEncrypted(source)) {
    elsewhere.push(`${kind} ${name}`);
    // What it sets may be set by others before as well.
    variables.clear();
    return;
  }
  for (const key of keysOf(source)) {
    const path = pathOfKey(source, key)!;
    const value = decodedAt(source, path);
    if (value !== undefined) variables.set(key, { value: withoutBreaks(value), of: source, path });
  }
}

function keysOf({ manifest }: Delivered): ReadonlySet<string> {
  const maps = ['data', 'stringData'].map((part) => manifest.value.get(part)).filter(isMap);
  return new Set(maps.flatMap((map) => [...map.keys()]));
}

/** Flux takes the ends of lines out of values. */
function withoutBreaks(value: string): string {
  return value.replaceAll('\n', '');
}
