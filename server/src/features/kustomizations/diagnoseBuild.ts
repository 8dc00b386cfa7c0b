/** What is found in what kustomizations build, at the places that it comes from. */

import { memo } from '../../base/memo.ts';
import { SortedMap } from '../../base/sortedMap.ts';
import { counted, movedRange, type Range } from '../../base/text.ts';
import {
  type DocumentPath,
  isList,
  isString,
  type ManifestPath,
  mayBeEqual,
  type Value,
  valueAt,
} from '../../base/value.ts';
import {
  type BuildError,
  type BuiltResource,
  type FileText,
  type LeftOut,
  type ListAt,
  type Note,
  type Place,
  placesOf as placesOfOrigin,
  rangeIn,
} from '../../kustomize/build.ts';
import { nearestNames } from '../../rules/fixing/nearest.ts';
import type { Diagnostic, Related } from '../../rules/model/diagnostic.ts';
import { type RuleCode, ruleOf } from '../../rules/model/registry.ts';
import type { Says } from '../../rules/model/says.ts';
import { definitionsFor } from '../../workspace/definitions.ts';
import { deliveryOf } from '../../workspace/delivery/index.ts';
import { type Delivered, nameOfDelivered, textIn } from '../../workspace/delivery/objects.ts';
import { areAppliersPatched, isPatchedLater } from '../../workspace/delivery/patches.ts';
import { realPlace, textPlaceOf } from '../../workspace/delivery/texts.ts';
import { isKustomization } from '../../workspace/fileNames.ts';
import {
  appliedBuildOf,
  folderOfRoot,
  foldersNamedIn,
  madeOf,
  rootsWith,
} from '../../workspace/kustomizations/builds.ts';
import { crdsBuilt } from '../../workspace/kustomizations/builtCrds.ts';
import { kustomizationIn } from '../../workspace/kustomizations/graph.ts';
import type { FolderBuild } from '../../workspace/kustomizations/kustomizeFiles.ts';
import { isAsWritten, isCrd, type MadeBuild } from '../../workspace/kustomizations/madeBuild.ts';
import { pathOf } from '../../workspace/kustomizations/paths.ts';
import { type BuildPlace, type BuiltPlaces, piecesIn } from '../../workspace/projections/kustomization.ts';
import { rootSchema, schemaAt } from '../../workspace/schemaNode.ts';
import { fileAt, type Snapshot } from '../../workspace/snapshot.ts';
import type { SourceFile } from '../../workspace/sourceFile.ts';
import { folderOf, relative } from '../../workspace/uri.ts';
import { documentAt, type PlacedDocument, parseStream, type YamlStream } from '../../yaml/parse.ts';
import { pathAt } from '../../yaml/place.ts';
import { scalarMap } from '../../yaml/scalarMap.ts';
import { valueOf } from '../../yaml/value.ts';
import { ofCode } from '../charts/finding.ts';
import { asNotes } from '../problems/asNotes.ts';
import { diagnose, firstOf } from '../problems/diagnose.ts';
import { placeAt } from '../problems/objectAt.ts';
import { isForAnyWithKind } from './componentTargets.ts';

/** A finding with the file that it is in. */
export interface BuildFinding {
  readonly uri: string;
  readonly diagnostic: Diagnostic;
  /** As it was found in what was built, and in which resource. */
  readonly inMade?: { readonly diagnostic: Diagnostic; readonly resource: number };
}

/** What is found in what a folder is built to; undefined as long as not all that it takes was read. */
export type FoundIn = (root: string) => FoundInBuild | undefined;

export interface FoundInBuild {
  readonly isBuilt: boolean;
  readonly findings: readonly BuildFinding[];
  /** What it builds, by the file that it was written in first. */
  readonly applied: ReadonlyMap<string, readonly Applied[]>;
}

/** A resource that is built, and the place of what it was first. */
interface Applied {
  readonly range: Range;
  readonly value: Value;
}

/** What is found in a file by itself, once it is held against what is built of it. */
export function withBuilds(
  snapshot: Snapshot,
  uri: string,
  own: readonly Diagnostic[],
  foundIn: FoundIn = (root) => foundInBuild(snapshot, root),
): Diagnostic[] {
  const roots = rootsWith(snapshot, uri);
  const builds = roots.flatMap((root) => {
    const found = foundIn(root);
    return found ? [{ root, ...found }] : [];
  });
  const paths = pathsNotFound(snapshot, uri);
  if (builds.length === 0) return firstOf([...own, ...paths]);
  const isWhole = builds.length === roots.length && builds.every(({ isBuilt }) => isBuilt);
  const found = foundInAll(snapshot, builds, uri);
  const inAny = new Set(found.map(sameId));
  // What is changed on the way, and is still wrong there, is told as it is found there.
  const kept = (isWhole ? asApplied(snapshot, uri, builds, own) : own).filter(
    (one, i) => one === own[i] || !inAny.has(sameId(one)),
  );
  const known = new Set(kept.map(sameId));
  // What is missing in an item is said at the item by one, and at its first key by the other.
  const isKnown = (one: Diagnostic) => known.has(sameId(one)) || kept.some((other) => isWithin(one, other));
  // What cannot be read cannot be built either.
  const isUnreadable = own.some(({ code, severity }) => severity === 'error' && code.startsWith('yaml/'));
  const isUnnamed = own.some(({ code }) => ruleOf(code)?.unnamed);
  const isSaid = ({ code, message }: Diagnostic) =>
    code === 'kustomize/not-built' && (isUnreadable || (isUnnamed && message.includes('missing metadata.name')));
  const inBuilds = found.filter((one) => !isKnown(one) && !isSaid(one));
  const more = [...paths, ...inBuilds];
  return more.length === 0 ? [...kept] : firstOf([...kept, ...more]);
}

/** Folders that Kustomizations of Flux are to apply, and that this repository does not have. */
function pathsNotFound(snapshot: Snapshot, uri: string): Diagnostic[] {
  return foldersNamedIn(snapshot, uri).flatMap(({ by, folder }) => {
    const place = snapshot.kustomize?.entries.get(folder) === 'nothing' ? textPlaceOf(by, ['spec', 'path']) : undefined;
    if (!place) return [];
    const path = textIn(by, 'spec', 'path');
    const message = `This repository has no folder \`${path}\`: ${nameOfDelivered(by)} fails with "kustomization path not found", and nothing is applied.`;
    return ofCode(snapshot, 'flux/path-not-found', realPlace(snapshot, place), message).map((one) => one.diagnostic);
  });
}

type Found = FoundInBuild & { readonly root: string };

/** The findings of several builds in a file, each once, with those of the builds in which it is found. */
function foundInAll(snapshot: Snapshot, builds: readonly Found[], uri: string): Diagnostic[] {
  const found = new Map<string, { readonly one: Diagnostic; readonly roots: string[]; isForOthers: boolean }>();
  for (const { root, findings } of builds) {
    for (const { uri: at, diagnostic } of findings) {
      if (at !== uri) continue;
      const id = sameId(diagnostic);
      const known = found.get(id);
      const isForOthers = diagnostic.says.isForOtherValue === true;
      if (!known) found.set(id, { one: diagnostic, roots: [root], isForOthers });
      else if (!known.roots.includes(root)) known.roots.push(root);
      if (known && isForOthers) known.isForOthers = true;
    }
  }
  const told = [...found.values()].filter(({ one, roots }) => isTold(snapshot, one, roots, builds, uri));
  const isUnmatched = (target: Range) =>
    told.some(({ one: { code, range } }) => ruleOf(code)?.ofAll && range.start === target.start);
  return told.map(({ one, roots, isForOthers }) => {
    if (isForOthers) return forOthers(one, 'What is here has other values of what the target asks for');
    const isForTakers = ruleOf(one.code)?.ofAll && isForAnyWithKind(snapshot, uri, one.range, isUnmatched);
    if (isForTakers) return forOthers(one, 'Whoever takes the component may have one');
    return inRoots(snapshot, one, roots, builds.length, uri);
  });
}

function forOthers(one: Diagnostic, why: string): Diagnostic {
  return { ...one, severity: 'hint', message: `${one.message}\n(${why})` };
}

/** A patch that does something in one of the builds is there for that; one in an object that applies them is for its own. */
function isTold(
  snapshot: Snapshot,
  { code }: Diagnostic,
  roots: readonly string[],
  builds: readonly Found[],
  uri: string,
): boolean {
  if (!ruleOf(code)?.ofAll || roots.length === builds.length) return true;
  return roots.some((root) => {
    const owner = ownerOf(snapshot, root);
    return (
      owner?.uri === uri && builds.every((one) => ownerOf(snapshot, one.root) !== owner || roots.includes(one.root))
    );
  });
}

/** The object that says what is added to a build: one for all that a set makes. */
function ownerOf(snapshot: Snapshot, root: string): Delivered | undefined {
  const by = appliedBuildOf(snapshot, root)?.by;
  return by?.variantOf ?? by;
}

/** How many of the folders in which something is found are named. */
const mostNamed = 1;

function inRoots(snapshot: Snapshot, one: Diagnostic, roots: readonly string[], all: number, uri: string): Diagnostic {
  // What only one object builds is known by that, in which the finding is.
  const isOwn = roots.length === 1 && appliedBuildOf(snapshot, roots[0]!)?.by.uri === uri;
  if (ruleOf(one.code)?.ofBuild || roots.length === all || isOwn) return one;
  const named = roots.slice(0, mostNamed).map((root) => shownRoot(snapshot, root, uri));
  const rest = roots.length - named.length;
  const others = rest === 0 ? '' : ` and ${counted(rest, 'other')}`;
  return {
    ...one,
    message: `${one.message}\n(In what ${named.join(', ')}${others} ${roots.length === 1 ? 'builds' : 'build'})`,
  };
}

/** What the build of a folder is called in a file: by who applies it, where that adds something. */
export function shownRoot(snapshot: Snapshot, root: string, uri: string): string {
  const applied = appliedBuildOf(snapshot, root);
  return applied ? nameOfDelivered(applied.by) : shownFolder(root, uri);
}

/** What a folder is called in a file. */
function shownFolder(root: string, uri: string): string {
  return relative(folderOf(uri), root) || '.';
}

function isWithin(one: Diagnostic, around: Diagnostic): boolean {
  const isSame = one.code === around.code && wordsOf(one) === wordsOf(around);
  return isSame && around.range.start <= one.range.start && one.range.start < around.range.end;
}

const wordsOf = ({ about, message }: Diagnostic) => about?.words ?? message;

/** A file that is missing is missing in each build that takes it, whatever kustomize says around that. */
function sameId({ code, range, about, message, says: { missingFile } }: Diagnostic): string {
  return [code, range.start, missingFile ?? about?.words ?? message].join('\0');
}

/** All that is found in what a folder is built to, and while it is built. */
export function foundInBuild(snapshot: Snapshot, root: string): FoundInBuild | undefined {
  const made = madeOf(snapshot, root);
  if (!made) return undefined;
  const { definitions, missing, builtin, settings } = snapshot;
  const kept = findings(made, definitions, missing, builtin, settings, crdsBuilt(snapshot));
  const isUnsettled = appliedBuildOf(snapshot, root)?.isOpen ?? false;
  kept.found ??= [...(isUnsettled ? [] : whileBuilding(snapshot, kept.made)), ...inResources(snapshot, kept.made)];
  const { error, outside } = made.build;
  const isBuilt = error === undefined && outside === undefined;
  // Where it is patched once more on the way to the cluster, what is missing may be what that adds.
  const delivery = deliveryOf(snapshot);
  const by = appliedBuildOf(snapshot, root)?.addition?.by;
  const isOpen = by ? areAppliersPatched(delivery, by) : isPatchedLater(delivery, root);
  const found = isOpen ? kept.found.filter(({ diagnostic }) => !ruleOf(diagnostic.code)?.ofWhole) : kept.found;
  return { isBuilt, findings: found, applied: appliedIn(made.build) };
}

/** By all that findings rest on beside what is built. */
const findings = memo(
  (
    made: MadeBuild,
    _: Snapshot['definitions'],
    __: Snapshot['missing'],
    ___: Snapshot['builtin'],
    ____: Snapshot['settings'],
    _____: object,
  ): { readonly made: MadeBuild; found?: readonly BuildFinding[] } => ({ made }),
);

/** kustomize's own error, what was not done, and what was done for nothing. */
function whileBuilding(snapshot: Snapshot, { root, build, places }: MadeBuild): BuildFinding[] {
  // What has no folder is said of that.
  if (snapshot.kustomize?.entries.get(folderOfRoot(root)) === 'nothing') return [];
  const at = (place: Place | undefined) => (place ? places.at(place) : topOf(snapshot, root));
  const failed = (code: RuleCode, error: BuildError | undefined) =>
    error
      ? ofCode(
          snapshot,
          ...([code, at(error.place), inPlainWords(snapshot, at(error.place), error.message)] as const),
          ...([[], saysOfError(error)] as const),
        )
      : [];
  const { outside } = build;
  return [
    ...failed('kustomize/not-built', build.error),
    ...failed('kustomize/outside', build.restricted),
    ...(outside ? ofCode(snapshot, 'kustomize/left-out', at(outside.place), outsideText(root, outside.uri)) : []),
    ...build.leftOut.flatMap((one) => ofCode(snapshot, leftOutCodes[one.reason], at(one.place), leftOutText(one))),
    ...build.notes.flatMap((note) => ofNote(snapshot, places, note)),
  ];
}

/** Where what has no place of its own is said of a build. */
function topOf(snapshot: Snapshot, root: string): BuildPlace {
  const own = kustomizationIn(snapshot.kustomizations, folderOfRoot(root));
  const uri = own ?? appliedBuildOf(snapshot, root)?.by.uri ?? folderOfRoot(root);
  return { uri, range: { start: 0, end: 0 } };
}

function outsideText(root: string, uri: string): string {
  return `${relative(root, uri)} is outside of the workspace and is not read: nothing of what is built here is known.`;
}

/** kustomize knows its errors by words. */
function saysOfError({ message }: BuildError): Says {
  const folder = missingInFolder.exec(message)?.[1];
  const missingFile = folder === undefined ? missingPath.exec(message)?.[1] : `${folder}/kustomization.yaml`;
  const isNoYaml = message.includes('yaml: ');
  const isEmptyBuild = message === 'kustomization.yaml is empty';
  return {
    ...(missingFile !== undefined && { missingFile }),
    ...(isNoYaml && { isNoYaml }),
    ...(isEmptyBuild && { isEmptyBuild }),
  };
}

const missingPath = /evalsymlink failure on '([^']{1,4096})'/;
const missingInFolder = /couldn't make target for path '([^']{1,4096})': unable to find one of 'kustomization\.yaml'/;

const missing = /(?:lstat|open|stat) ([^\s:]+): no such file or directory/;

/** kustomize says on the way out of each folder what it was doing there: a plain line comes first. */
function inPlainWords(snapshot: Snapshot, at: BuildPlace, message: string): string {
  const path = missing.exec(message)?.[1];
  if (path !== undefined) return `\`${path.slice(path.lastIndexOf('/') + 1)}\` does not exist.\n${message}`;
  // Of a patch that it cannot read it does not say why.
  const why = message.includes('unable to parse SM or JSON patch') ? unreadable(snapshot, at) : undefined;
  return why === undefined ? message : `${why}\n${message}`;
}

function unreadable(snapshot: Snapshot, { uri, range }: BuildPlace): string | undefined {
  const { document } = documentAt(textAt(snapshot, uri), range.start) ?? {};
  return document?.readerError ? document.problems[0]?.message : undefined;
}

const leftOutCodes: Readonly<Record<LeftOut['reason'], RuleCode>> = {
  remote: 'kustomize/left-out',
  helm: 'kustomize/left-out',
  plugin: 'kustomize/left-out',
  bound: 'kustomize/too-much',
};

function leftOutText({ reason, what }: LeftOut): string {
  return leftOutTexts[reason](what);
}

const leftOutTexts: Readonly<Record<LeftOut['reason'], (what: string) => string>> = {
  remote: (what) => `${what} is not fetched: what it brings, and what rests on that, is not known.`,
  helm: (what) => `${what} is not rendered for a build: what it brings, and what rests on that, is not known.`,
  plugin: (what) => `${what} is a program, and is not run: what it makes, and what rests on that, is not known.`,
  bound: (what) => `${what}. The build is not judged as a whole.`,
};

const noteTexts: Readonly<Record<Note['code'], (about: string, keys: readonly string[]) => string>> = {
  'patch-changes-nothing': (about) => `The patch leaves ${about} as it is.`,
  'patch-matches-nothing': () =>
    'The target selects no resource, so that the patch does nothing: kustomize passes over it.',
  'list-replaced': (about, keys) =>
    keys.length > 0
      ? `The patch replaces the list ${about} as a whole. The CRD calls it a map by ${listedKeys(keys)}, which kustomize does not look at: what the patch does not repeat is gone.`
      : `The patch replaces the list ${about} as a whole: kustomize merges no lists of this kind.`,
  'deprecated-field': (about) => about,
};

const relatedTexts: Readonly<Partial<Record<Note['code'], string>>> = { 'list-replaced': 'the list that is replaced' };

/** The keys by which a CRD tells the items of a list apart. */
function mapKeysOf({ definitions }: Snapshot, { apiVersion, kind, path }: ListAt, uri: string): readonly string[] {
  for (const definition of definitionsFor(definitions, { apiVersion, kind }, uri)) {
    const root = rootSchema(definition, apiVersion);
    const schema = root && schemaAt(root, path as ManifestPath)?.schema;
    const keys = schema?.get('x-kubernetes-list-type') === 'map' ? schema.get('x-kubernetes-list-map-keys') : undefined;
    if (isList(keys)) return keys.filter(isString);
  }
  return [];
}

function listedKeys(keys: readonly string[]): string {
  return keys.map((key) => `\`${key}\``).join(', ');
}

function ofNote(snapshot: Snapshot, places: BuiltPlaces, note: Note): BuildFinding[] {
  const { code, about, place, related, list } = note;
  const at = places.at(place);
  const keys = list ? mapKeysOf(snapshot, list, at.uri) : [];
  const more = related ? [{ ...places.at(related), message: relatedTexts[code] ?? 'what it is about' }] : [];
  const says = isForOtherValue(note) ? ({ isForOtherValue: true } as const) : {};
  return ofCode(snapshot, `kustomize/${code}`, at, noteTexts[code](about, keys), more, says);
}

/** Whether a target is for one of several values of a label, and not for a misspelled one. */
function isForOtherValue({ otherValues }: Note): boolean {
  const areNear = (a: string, b: string) => nearestNames(a, [b]).length > 0 || nearestNames(b, [a]).length > 0;
  return otherValues?.wanted.every((one) => !otherValues.held.some((other) => areNear(one, other))) ?? false;
}

function inResources(snapshot: Snapshot, made: MadeBuild): BuildFinding[] {
  const { definitions, missing, builtin, settings } = snapshot;
  const known = findingsBy(definitions, missing, builtin, settings, crdsBuilt(snapshot), made.filling);
  return made.build.resources.flatMap((resource, i) => {
    // Something that is not here may have changed it. What is wrong with a CRD as it is written is found in its file.
    if (resource.isPartial || (isCrd(resource) && isAsWritten(resource))) return [];
    const before = known.get(resource);
    if (before?.judged.length === 0) return [];
    const starts = piecesIn(resource).map((piece) => rangeIn(made.build.pieces, piece).start);
    if (before?.starts.every((start, nth) => start === starts[nth])) return before.found;
    const judged = before?.judged ?? judgedIn(snapshot, made, i);
    const found = judged.flatMap((one) => atItsPlace(snapshot, made, i, one));
    known.set(resource, { judged, starts, found });
    return found;
  });
}

/** What is found in a resource holds as long as the builds of its folder leave it as it is. */
const findingsBy = memo(
  (
    _definitions: Snapshot['definitions'],
    _missing: Snapshot['missing'],
    _builtin: Snapshot['builtin'],
    _settings: Snapshot['settings'],
    _crds: object,
    _filling: MadeBuild['filling'],
    // Not a memo: there are many resources, and few sets of what they are judged by.
  ) => new WeakMap<BuiltResource, FoundInResource>(),
);

interface FoundInResource {
  readonly judged: readonly Diagnostic[];
  /** The same at its places, which hold as long as the pieces of files that it comes from begin there. */
  readonly found: readonly BuildFinding[];
  readonly starts: readonly number[];
}

function judgedIn(snapshot: Snapshot, made: MadeBuild, resource: number): readonly Diagnostic[] {
  const source = made.source(resource);
  const { diagnostics } = asNotes(diagnose(withMade(snapshot, made, source), source.uri), source.uri);
  return diagnostics.filter(({ code }) => !ruleOf(code)?.ofFiles);
}

/** The snapshot in which a resource is judged: it defines nothing that its file does not define. */
export function withMade(snapshot: Snapshot, { root, filling }: MadeBuild, source: SourceFile): Snapshot {
  return { ...snapshot, filling, builtBy: root, open: SortedMap.of(snapshot.open).with(source.uri, source) };
}

function atItsPlace(snapshot: Snapshot, made: MadeBuild, resource: number, diagnostic: Diagnostic): BuildFinding[] {
  const [whole, ...others] = placesOf(made, resource, diagnostic);
  if (!whole) return [];
  const { uri, range } = withinText(snapshot, made.source(resource), diagnostic.range, whole) ?? whole;
  const related = [
    ...others.map((place) => ({ ...place, message: 'changed on the way from here' })),
    ...diagnostic.related.flatMap((one) => relatedIn(made, resource, one)),
  ];
  // What a patch in a kustomization does to an object, it does in each overlay that has it.
  const object = isKustomization(uri) ? placeAt(made.source(resource), diagnostic.range.start) : undefined;
  const place = object === undefined ? {} : { place: object };
  const found = { ...diagnostic, ...place, range, related, key: { of: 'file' } } as const;
  return [{ uri, diagnostic: found, inMade: { diagnostic, resource } }];
}

/** Where what is in a range of a document was written, what had the last word first. */
export function placesOf(
  made: MadeBuild,
  resource: number,
  { range, about }: Pick<Diagnostic, 'range' | 'about'>,
): BuildPlace[] {
  const { document, start } = made.source(resource).stream.documents[0]!;
  const found = pathAt(document, range.start - start);
  const isMore = about !== undefined && about.path.length > found.path.length;
  const path = isMore ? about.path : found.path;
  const at = isMore || found.where !== 'key' ? 'value' : 'key';
  return made.places.written({ resource, path, at }).map(({ place }) => place);
}

/** A part of a text, such as of an expression, where the same text is written in a file. */
function withinText(
  snapshot: Snapshot,
  { stream }: SourceFile,
  range: Range,
  { uri, range: whole }: BuildPlace,
): BuildPlace | undefined {
  const [{ document, start }] = stream.documents as [PlacedDocument];
  const at = pathAt(document, range.start - start);
  if (at.node?.kind !== 'scalar' || start + at.start === range.start) return undefined;
  const made = scalarMap(document, at.path);
  const written = documentAt(textAt(snapshot, uri), whole.start);
  if (!made || !written) return undefined;
  const source = scalarMap(written.document, pathAt(written.document, whole.start - written.start).path);
  const [from, to] = [made.toValue(range.start - start), made.toValue(range.end - start - 1)];
  if (source?.value !== made.value || from === undefined || to === undefined) return undefined;
  return { uri, range: movedRange({ start: source.toText(from), end: source.toTextEnd(to) }, written.start) };
}

/** A file as it is open, or as it was read for a build. */
export function textAt(snapshot: Snapshot, uri: string): YamlStream | undefined {
  const known = fileAt(snapshot, uri);
  const read = snapshot.kustomize?.entries.get(uri);
  return known?.stream ?? (typeof read === 'object' && 'text' in read ? streamOf(read) : undefined);
}

const streamOf = memo(({ text }: FileText) => parseStream(text));

function relatedIn(made: MadeBuild, resource: number, one: Related): Related[] {
  if (one.uri !== made.source(resource).uri) return [one];
  const [place] = placesOf(made, resource, { range: one.range });
  return place ? [{ ...place, message: one.message }] : [];
}

/**
 * What is found in a base as it stands is nobody's trouble where each build of it changes that very part: then nothing is
 * applied as it stands. It stays a hint, for whoever is at the line.
 */
function asApplied(
  snapshot: Snapshot,
  uri: string,
  builds: readonly FoundInBuild[],
  own: readonly Diagnostic[],
): readonly Diagnostic[] {
  if (!own.some(isOfObject)) return own;
  const path = pathOf(uri);
  const applied = builds.flatMap((build) => build.applied.get(path) ?? []);
  return own.map((one) => {
    const changes = isOfObject(one) ? changesOf(snapshot, uri, applied, one) : 'none';
    return changes === 'none' ? one : asItStands(one, changes);
  });
}

const appliedIn = memo(({ resources, pieces }: FolderBuild): FoundInBuild['applied'] => {
  const applied = new Map<string, Applied[]>();
  for (const { root, value } of resources) {
    const [place] = placesOfOrigin(root.origin);
    const known = place && applied.get(place.file);
    if (!place) continue;
    const one = { range: rangeIn(pieces, place), value };
    if (known) known.push(one);
    else applied.set(place.file, [one]);
  }
  return applied;
});

type OfObject = Diagnostic & { readonly about: NonNullable<Diagnostic['about']> };

/** Whether something is wrong with an object, rather than with how it is written. */
function isOfObject(one: Diagnostic): one is OfObject {
  const isSevere = one.severity === 'error' || one.severity === 'warning';
  return isSevere && one.key.of === 'document' && one.about !== undefined && !one.code.startsWith('yaml/');
}

/** Whether all that is made of an object, or what is enough of it, has something else at the place of a finding. */
function changesOf(
  snapshot: Snapshot,
  uri: string,
  applied: readonly Applied[],
  one: OfObject,
): 'none' | 'all' | 'some' {
  const value = one.key.of === 'document' ? ownValue(snapshot, uri, one.key.start) : undefined;
  const resources = applied.filter((resource) => isAround(resource, one.range.start));
  if (value === undefined || resources.length === 0) return 'none';
  const { endsWith, endsInOne } = ruleOf(one.code) ?? {};
  const paths = [one.about.path, ...(endsWith ? [endsWith] : [])];
  if (!resources.some((resource) => paths.every((path) => isSameAt(value, resource.value, path)))) return 'all';
  const isEnded = endsWith && endsInOne && resources.some((resource) => !isSameAt(value, resource.value, endsWith));
  return isEnded ? 'some' : 'none';
}

function asItStands(one: Diagnostic, changes: 'all' | 'some'): Diagnostic {
  const who =
    changes === 'all' ? 'each kustomization that takes it changes this' : 'a kustomization that takes it changes this';
  return { ...one, severity: 'hint', message: `${one.message}\n(As it stands here: ${who})` };
}

function ownValue(snapshot: Snapshot, uri: string, start: number): Value | undefined {
  const placed = fileAt(snapshot, uri)?.stream.documents.find((document) => document.start === start);
  return placed && valueOf(placed.document);
}

/** Whether a resource was written around a place of its file. */
function isAround({ range }: Applied, offset: number): boolean {
  return range.start <= offset && offset <= range.end;
}

/** Whether what is at a path is the same; at the root each build may have another name. */
function isSameAt(a: Value, b: Value, path: DocumentPath): boolean {
  return path.length > 0 && mayBeEqual(valueAt(a, path), valueAt(b, path));
}
