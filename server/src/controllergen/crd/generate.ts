import { memo } from '../../base/memo.ts';
import { isMap, type Path, type Value, type ValueMap } from '../../base/value.ts';
import { quote } from '../../gostd/quote.ts';
import type { Draft, Marker } from '../markers/model.ts';
import {
  type Declared,
  type GoPackage,
  importOf,
  isBroken,
  isLeftOut,
  markersIn,
  markersOfType,
  type PackageFile,
  type Packages,
  packageMarkers,
  typesOf,
} from '../packages.ts';
import { comesWithGo } from '../standard.ts';
import type { TypeExpression } from '../syntax/model.ts';
import { copyOf, draft, draftAt, draftsAt, sourceOf } from './draft.ts';
import { fileNameOf } from './fileName.ts';
import { Flattener, whyTooMuch } from './flatten.ts';
import { stillRight } from './kept.ts';
import { metaPackage } from './known.ts';
import type { Generated, GeneratedCrd, GoMistake, GoPlace, Kept, Origin } from './model.ts';
import { type CrdOptions, noOptions } from './optionTypes.ts';
import { pluralOf } from './plural.ts';
import { byCodeUnits, placeOfOrigin, type Run, referenceTo, schemaOfType, unread } from './schemas.ts';
import { withShortDescriptions } from './shortDescriptions.ts';
import { beyond, mostOfCrd, type Size, sizeOf } from './size.ts';
import { jsonTag } from './tags.ts';
import { resolve, scopeOf } from './types.ts';

/** The release of controller-gen that this follows. */
export const controllerGenVersion = 'v0.23.0';

/** The CRDs that controller-gen makes of packages. Of others, their types are taken as far as they were read. */
export function generate(
  roots: readonly GoPackage[],
  packages: Packages,
  options: CrdOptions = noOptions,
  before?: Kept,
): Generated {
  const now: Packages = new Map(packages);
  const left = before && stillRight(before, now, options);
  const schemas = new Map(left?.schemas);
  const most = mostOfAll(now);
  const run: Run = {
    packages: now,
    options,
    mistakes: [],
    wanted: new Set(),
    schemas,
    named: [],
    uses: new Map(),
    steps: most.steps,
    flattening: '',
  };
  const flattener = new Flattener(run, left?.merged);
  markerMistakes(roots, run.mistakes);
  unimported(roots, run);
  for (const path of [...now.values()].flatMap((of) => (of ? namedOfGo(of) : []))) {
    if (!now.has(path)) run.wanted.add(path);
  }
  const crds: GeneratedCrd[] = [];
  for (const { group, kind, of } of kindsIn(roots, run)) {
    const crd = new CrdOfKind(run, flattener, group, kind, of).crd(most.crds);
    if (crd) crds.push(crd);
  }
  // What was said of a type, or is missing of it, would have to be kept as well.
  const isWhole = crds.every((crd) => crd.tooMuch === undefined);
  const isKept = run.mistakes.length === 0 && run.wanted.size === 0 && !flattener.isCyclic && isWhole;
  const kept = isKept ? { packages: now, options, schemas, merged: flattener.merged } : undefined;
  return { crds, mistakes: unique(run.mistakes), wanted: run.wanted, kept };
}

/**
 * The packages that come with Go whose types a package names where controller-gen looks for such names. What is embedded has
 * methods only if its package is among them.
 */
const namedOfGo = memo((of: GoPackage): readonly string[] => [...packagesNamed(of)].filter(comesWithGo));

const packagesNamed = memo((of: GoPackage): ReadonlySet<string> => {
  const found = new Set<string>();
  for (const { file, type } of typesOf(of).values()) {
    for (const name of packagesIn(type.type)) {
      const path = importOf(file, name, none);
      if (path !== undefined) found.add(path);
    }
  }
  return found;
});

/** Whether controller-gen reads a package on its way, since something with a tag leads there. */
function leadsTo(wanted: string, from: GoPackage, packages: Packages, seen: Set<GoPackage>): boolean {
  for (const of of ledTo(from, packages, seen)) if (packagesNamed(of).has(wanted)) return true;
  return false;
}

/** Whether what a package leads to leads on to metadata shows where it has been read. */
function wantLed(root: GoPackage, { packages, wanted }: Run): void {
  for (const of of ledTo(root, packages, new Set())) {
    for (const path of packagesNamed(of)) if (!packages.has(path)) wanted.add(path);
  }
}

/** The packages that controller-gen reads from one on, without those that were seen before. */
function* ledTo(from: GoPackage, packages: Packages, seen: Set<GoPackage>): Iterable<GoPackage> {
  const open = [from];
  for (let of = open.pop(); of !== undefined; of = open.pop()) {
    if (seen.has(of)) continue;
    seen.add(of);
    yield of;
    for (const path of packagesNamed(of)) {
      const next = packages.get(path);
      if (next) open.push(next);
    }
  }
}

const none: Packages = new Map();

/** controller-gen looks for what names of packages stand for in all that it reads, whether or not a kind is made of it. */
function unimported(roots: readonly GoPackage[], { packages, mistakes }: Run): void {
  const seen = new Set<GoPackage>();
  for (const root of roots) {
    for (const of of ledTo(root, packages, seen)) {
      for (const name of unimportedIn(of, packages)) {
        const message = `use of unimported package ${quote(name)}`;
        mistakes.push({ message, place: undefined, said: undefined, package: of.path, isEarly: true });
      }
    }
  }
}

function unimportedIn(of: GoPackage, packages: Packages): ReadonlySet<string> {
  const missing = [...notPlainlyImported(of)].filter(([, file]) => isRead(file, packages));
  return new Set(missing.flatMap(([name, file]) => (importOf(file, name, packages) === undefined ? [name] : [])));
}

/** The names of packages that are not the end of an import's path, with the file of each. */
const notPlainlyImported = memo((of: GoPackage): readonly (readonly [string, PackageFile])[] => {
  const names = [...typesOf(of).values()].flatMap(({ file, type }) =>
    packagesIn(type.type).map((name) => [name, file] as const),
  );
  const found = names.filter(([name, file]) => importOf(file, name, none) === undefined);
  return found.length > 0 && isBroken(of) ? [] : found;
});

/** Whether all packages that a file imports are known by their names: one that was not read may have any. */
function isRead({ go }: PackageFile, packages: Packages): boolean {
  return go.imports.every(({ name, path }) => name !== undefined || comesWithGo(path) || packages.get(path));
}

/** Whose types a type expression names, apart from those of fields without a tag. */
function packagesIn(type: TypeExpression): readonly string[] {
  switch (type.kind) {
    case 'selected':
      return [type.package];
    case 'pointer':
      return packagesIn(type.to);
    case 'parenthesized':
      return packagesIn(type.of);
    case 'list':
      return [...namesOfPackages(type.length ?? ''), ...packagesIn(type.of)];
    case 'generic':
      return [type.of, ...type.arguments].flatMap(packagesIn);
    case 'map':
      return [...packagesIn(type.key), ...packagesIn(type.of)];
    case 'struct':
      return type.fields.flatMap((field) => (jsonTag(field) ? packagesIn(field.type) : []));
    default:
      return [];
  }
}

/** `limits` of `2 * limits.Most`. */
function namesOfPackages(expression: string): readonly string[] {
  const words = expression.match(/[\p{L}_][\p{L}\p{Nd}_]*\.?/gu) ?? [];
  return words.filter((word) => word.endsWith('.')).map((word) => word.slice(0, -1));
}

/** What all kinds together may come to: it grows with the text that they are made of. */
function mostOfAll(packages: Packages): { steps: number; crds: Mutable<Size> } {
  let text = 0;
  for (const of of packages.values()) for (const { go } of of?.files ?? []) text += go.text.length;
  const { lines, characters, levels } = mostOfCrd;
  return { steps: 500_000 + 2 * text, crds: { lines: lines + text / 5, characters: characters + 8 * text, levels } };
}

type Mutable<T> = { -readonly [Key in keyof T]: T[Key] };

/** Arguments that cannot be read make controller-gen drop all markers of the package. */
function markerMistakes(roots: readonly GoPackage[], mistakes: GoMistake[]): void {
  for (const { path, files } of roots) {
    for (const { uri, go } of files) {
      for (const marker of markersIn(go)) {
        for (const { message } of ofCrds(marker) ? marker.mistakes : []) {
          const start = go.text.lastIndexOf('//', marker.range.start);
          const said = { uri, range: { start, end: marker.range.end } };
          mistakes.push({ message, place: { uri, range: marker.range }, said, package: path, isEarly: true });
        }
      }
    }
  }
}

/** Markers of other generators are read only where those run. */
function ofCrds({ definition }: Marker): boolean {
  return definition?.reader === 'crd';
}

/** Whether controller-gen makes nothing of a package, and says nothing of its types. */
export function hasMistakes({ files }: GoPackage): boolean {
  return files.some(({ go }) => markersIn(go).some((marker) => ofCrds(marker) && marker.mistakes.length > 0));
}

export interface GroupVersion {
  readonly group: string;
  readonly version: string;
}

/** The group and version that the markers of a package say; undefined where controller-gen leaves the package out. */
const groupVersionOf = memo((of: GoPackage): GroupVersion | undefined => {
  const markers = packageMarkers(of);
  const first = (name: string) => markers.find(({ marker }) => marker.definition?.name === name)?.marker.value;
  if (isLeftOut(of)) return undefined;
  const group = first('groupName');
  if (group === undefined) return { group: '', version: '' };
  const version = first('versionName');
  return {
    group: asText(group),
    version: version === undefined ? (of.files[0]?.go.package.name ?? '') : asText(version),
  };
});

function asText(value: Value): string {
  return typeof value === 'string' ? value : '';
}

interface KindInGroup {
  readonly group: string;
  readonly kind: string;
  /** The packages of its group. */
  readonly of: readonly GoPackage[];
}

/** The types with TypeMeta and ObjectMeta in them. */
function kindsIn(roots: readonly GoPackage[], run: Run): readonly KindInGroup[] {
  const groups = new Map<string, GoPackage[]>();
  const kinds = new Map<string, KindInGroup>();
  const seen = new Set<GoPackage>();
  let knowsMetadata = false;
  for (const root of roots) {
    knowsMetadata ||= leadsTo(metaPackage, root, run.packages, seen);
    const { group } = groupVersionOf(root) ?? {};
    if (group === undefined) continue;
    const of = groups.get(group) ?? [];
    groups.set(group, of);
    of.push(root);
    for (const [kind, declared] of typesOf(root)) {
      if (!isKind(declared, run.packages)) continue;
      if (knowsMetadata) kinds.set(`${kind}.${group}`, { group, kind, of });
      else wantLed(root, run);
    }
  }
  return [...kinds.entries()].sort(([a], [b]) => byCodeUnits(a, b)).map(([, found]) => found);
}

export function isKind(declared: Declared, packages: Packages): boolean {
  const { type } = declared.type;
  if (type.kind !== 'struct') return false;
  const embedded = new Set<string>();
  for (const field of type.fields) {
    if (field.names.length > 0 || field.type.kind !== 'selected') continue;
    const found = resolve(field.type, scopeOf(declared, packages));
    const path = found.kind === 'unread' ? found.path : found.kind === 'declared' ? found.declared.package.path : '';
    if (path === metaPackage) embedded.add(field.type.name);
  }
  return embedded.has('ObjectMeta') && embedded.has('TypeMeta');
}

interface VersionOfKind {
  readonly name: string;
  readonly declared: Declared;
  readonly of: GoPackage;
}

/** Makes the CRD of one kind from the packages of its group. */
class CrdOfKind {
  private readonly run: Run;
  private readonly flattener: Flattener;
  private readonly group: string;
  private readonly kind: string;
  private readonly versions: readonly VersionOfKind[];
  /** Where parts outside of the schemas come from, by their path. */
  private readonly places = new Map<string, GoPlace>();

  constructor(run: Run, flattener: Flattener, group: string, kind: string, packages: readonly GoPackage[]) {
    this.run = run;
    this.flattener = flattener;
    this.group = group;
    this.kind = kind;
    this.versions = versionsOf(kind, packages, run);
  }

  /** `left` is what all CRDs that are still to be made may come to. */
  crd(left: Mutable<Size>): GeneratedCrd | undefined {
    const { kind, group } = this;
    const plural = pluralOf(kind).toLowerCase();
    const names = draft(
      ['kind', kind],
      ['listKind', `${kind}List`],
      ['plural', plural],
      ['singular', kind.toLowerCase()],
    );
    const versions = this.versions.map((version) => this.version(version));
    const spec = draft(['group', group], ['names', names], ['scope', 'Namespaced'], ['versions', versions]);
    const { omitToolVersion, deprecatedV1beta1CompatibilityPreserveUnknownFields: keepsUnknown } = this.run.options;
    const annotations = draft(['controller-gen.kubebuilder.io/version', controllerGenVersion]);
    const metadata = omitToolVersion ? draft() : draft(['annotations', annotations]);
    const crd = draft(
      ['apiVersion', 'apiextensions.k8s.io/v1'],
      ['kind', 'CustomResourceDefinition'],
      ['metadata', metadata],
      ['spec', spec],
    );
    for (const version of this.versions) this.applyMarkers(crd, version);
    for (const key of ['annotations', 'labels']) if (draftAt(metadata, key)?.size === 0) metadata.delete(key);
    metadata.set('name', `${names.get('plural')}.${group}`);
    const made = [...draftsAt(spec, 'versions')].sort((a, b) =>
      byCodeUnits(String(a.get('name')), String(b.get('name'))),
    );
    if (made.length === 0) return this.versions.length > 0 ? this.emptyCrd() : undefined;
    if (keepsUnknown !== undefined) spec.set('preserveUnknownFields', keepsUnknown);
    spec.set('versions', made);
    this.finish(made);
    const tooMuch = whyTooMuch(crd) ?? beyond(sizeOf(crd), mostOfCrd) ?? this.beyondAll(crd, left);
    if (tooMuch !== undefined) for (const version of made) version.clear();
    return {
      ...this.about(),
      value: crd,
      fileName: fileNameOf(group, String(names.get('plural'))),
      missing: [...new Set(made.flatMap((version) => unreadIn(version.get('schema') ?? null)))].sort(),
      tooMuch,
      originOf: (path) => this.originOf(crd, path),
    };
  }

  /** Of a kind whose versions are all skipped controller-gen writes a CRD all the same, with nothing in it. */
  private emptyCrd(): GeneratedCrd {
    const { omitToolVersion, deprecatedV1beta1CompatibilityPreserveUnknownFields: keepsUnknown } = this.run.options;
    const annotations = draft(['controller-gen.kubebuilder.io/version', controllerGenVersion]);
    const spec = draft(
      ['group', ''],
      ['names', draft(['kind', ''], ['plural', ''])],
      ['scope', ''],
      ['versions', null],
    );
    if (keepsUnknown !== undefined) spec.set('preserveUnknownFields', keepsUnknown);
    const value = draft(
      ['apiVersion', 'apiextensions.k8s.io/v1'],
      ['kind', 'CustomResourceDefinition'],
      ['metadata', omitToolVersion ? draft() : draft(['annotations', annotations])],
      ['spec', spec],
    );
    return { ...this.about(), value, fileName: fileNameOf('', ''), missing: [], tooMuch: undefined };
  }

  /** What a CRD has besides what is in it. */
  private about(): Pick<GeneratedCrd, 'kinds' | 'isDropped' | 'originOf'> {
    const first = this.versions[0] && placeOf(this.versions[0].declared);
    return {
      kinds: this.versions.map(({ name, declared }) => ({ version: name, place: placeOf(declared) })),
      isDropped: this.versions.some(({ of }) => hasMistakes(of)),
      originOf: () => first,
    };
  }

  private beyondAll(crd: Draft, left: Mutable<Size>): string | undefined {
    const { lines, characters } = sizeOf(crd);
    if (lines > left.lines || characters > left.characters) return 'more lines than are made of all kinds together';
    left.lines -= lines;
    left.characters -= characters;
    return undefined;
  }

  private version({ name, declared, of }: VersionOfKind): Draft {
    const whole = this.flattener.schemaOf(referenceTo(of.path, declared.type.name)) ?? draft();
    const { maxDescLen } = this.run.options;
    const schema = maxDescLen === undefined ? whole : withShortDescriptions(whole, maxDescLen);
    return draft(
      ['name', name],
      ['served', true],
      ['storage', false],
      ['schema', draft(['openAPIV3Schema', withPlainMetadata(schema)])],
    );
  }

  private applyMarkers(crd: Draft, { declared, name }: VersionOfKind): void {
    for (const marker of markersOfType(declared)) {
      if (!marker.definition?.applyToCrd || marker.mistakes.length > 0) continue;
      const place = { uri: declared.file.uri, range: marker.range };
      const refused = marker.definition.applyToCrd(crd, marker.value, name);
      if (refused !== undefined) this.refuse(refused, place, placeOf(declared));
      else this.remember(marker, place, name, crd);
    }
  }

  private remember(marker: Marker, place: GoPlace, version: string, crd: Draft): void {
    const { sets } = marker.definition!;
    if (!sets || sets.of === 'schema') return;
    if (sets.of === 'crd') {
      this.place(sets.path, place);
      return;
    }
    const found = draftsAt(draftAt(crd, 'spec')!, 'versions').find((one) => one.get('name') === version);
    const list = found?.get(String(sets.path[0]));
    const path = Array.isArray(list) ? [...sets.path, list.length - 1] : sets.path;
    this.place(['version', version, ...path], place);
  }

  /** The first marker that sets something is where it comes from. */
  private place(path: Path, place: GoPlace): void {
    const key = keyOf(path);
    if (!this.places.has(key)) this.places.set(key, place);
  }

  private finish(versions: readonly Draft[]): void {
    if (versions.length === 1) versions[0]!.set('storage', true);
    const groupKind = this.group === '' ? this.kind : `${this.kind}.${this.group}`;
    const first = this.versions[0];
    const place = first && placeOf(first.declared);
    if (!versions.some((version) => version.get('storage') === true)) {
      this.refuse(`CRD for ${groupKind} has no storage version`, place, undefined);
    }
    if (!versions.some((version) => version.get('served') === true)) {
      this.refuse(`CRD for ${groupKind} with version(s) does not serve any version`, place, undefined);
    }
  }

  private refuse(message: string, place: GoPlace | undefined, said: GoPlace | undefined): void {
    this.run.mistakes.push({ message, place, said, package: this.versions[0]?.of.path ?? '' });
  }

  private originOf(crd: ValueMap, path: Path): GoPlace | undefined {
    const fallback = this.versions[0] && placeOf(this.versions[0].declared);
    if (path[0] !== 'spec' || path[1] !== 'versions' || typeof path[2] !== 'number') {
      return this.longest(path) ?? fallback;
    }
    const version = draftsAt(draftAt(crd as Draft, 'spec')!, 'versions')[path[2]];
    const name = String(version?.get('name') ?? '');
    const own = this.versions.find((one) => one.name === name);
    const whole = own ? placeOf(own.declared) : fallback;
    if (path[3] === 'schema' && path[4] === 'openAPIV3Schema' && version) {
      const schema = draftAt(draftAt(version, 'schema')!, 'openAPIV3Schema')!;
      return placeOfOrigin(originIn(schema, path.slice(5)), this.run.packages) ?? whole;
    }
    return this.longest(['version', name, ...path.slice(3)]) ?? whole;
  }

  private longest(path: Path): GoPlace | undefined {
    for (let length = Math.min(path.length, longestPlace); length > 0; length--) {
      const found = this.places.get(keyOf(path.slice(0, length)));
      if (found) return found;
    }
    return undefined;
  }
}

/** The schema of a kind says nothing of its own metadata. Kinds share it with those that they are part of: it is a copy. */
function withPlainMetadata(schema: Draft): Draft {
  const properties = draftAt(schema, 'properties');
  if (!properties?.has('metadata')) return schema;
  const plain = copyOf(properties).set('metadata', draft(['type', 'object'])) as Draft;
  return copyOf(schema).set('properties', plain) as Draft;
}

/** Steps of the longest path that a marker is remembered by. */
const longestPlace = 4;

function keyOf(path: Path): string {
  return path.join('\0');
}

/** The nearest source on the way to a part of a schema. */
function originIn(schema: Draft, path: Path): Origin | undefined {
  let found = sourceOf(schema).place;
  let at: Value | undefined = schema;
  for (let i = 0; i < path.length; i++) {
    const step = path[i]!;
    if (isMap(at)) {
      found = sourceOf(at).keywords.get(String(step)) ?? found;
      at = at.get(String(step));
    } else at = Array.isArray(at) ? (at as readonly Value[])[Number(step)] : undefined;
    if (at === undefined || at === null || typeof at !== 'object') return found;
    found = sourceOf(at).place ?? found;
  }
  return found;
}

function versionsOf(kind: string, packages: readonly GoPackage[], run: Run): readonly VersionOfKind[] {
  return packages.flatMap((of) => {
    const declared = typesOf(of).get(kind);
    const found = groupVersionOf(of);
    if (!declared || !found) return [];
    schemaOfType(run, referenceTo(of.path, kind));
    return [{ name: found.version, declared, of }];
  });
}

export function placeOf({ file, type }: Declared): GoPlace {
  return { uri: file.uri, range: type.nameRange };
}

/** The packages that were not read. */
function unreadIn(value: Value): readonly string[] {
  if (Array.isArray(value)) return value.flatMap(unreadIn);
  return isMap(value) ? unreadInPart(value) : [];
}

/** Kinds share the schemas of their types. */
const unreadInPart = memo((part: ValueMap): readonly string[] => {
  const path = part.get(unread);
  return typeof path === 'string' ? [path] : [...new Set([...part.values()].flatMap(unreadIn))];
});

/** Each mistake once: types are read once for each place that lends from them. */
function unique(mistakes: readonly GoMistake[]): GoMistake[] {
  const seen = new Map<string, GoMistake>();
  for (const mistake of mistakes) {
    const { place } = mistake;
    const key = `${place?.uri}:${place?.range.start}:${mistake.message}`;
    if (!seen.has(key)) seen.set(key, mistake);
  }
  return [...seen.values()];
}
