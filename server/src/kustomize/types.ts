/** What a build reads, and what it gives. */
import type { Path, Value } from '../base/value.ts';
import type { YamlDocument } from '../yaml/document.ts';
import type { ArgoSpec, FluxSpec } from './kustomization.ts';
import type { Origin, Pieces, Place } from './origin.ts';

export type { Computed, Computing, Origin, Place, Source, Written } from './origin.ts';
export { type Pieces, placeIn, placesOf, rangeIn } from './origin.ts';

/** A file. What is parsed of it is kept by the identity of this object: the same text is the same object. */
export interface FileText {
  /** As `goText` of gostd/bytes.ts writes bytes, so that files that are no UTF-8 survive. */
  readonly text: string;
}

/** All that a build can read. Paths are absolute, clean and with `/`: `/apps/base/kustomization.yaml`. */
export interface Files {
  file(path: string): FileText | undefined;
  isFolder(path: string): boolean;
  /** Where a path leads, with all links followed; undefined where it leads nowhere. Without it, there are no links. */
  realPath?(path: string): string | undefined;
  /** All files of YAML below a folder, by their paths in it, in the order of a walk; for what makes a kustomization of them. */
  below?(path: string): readonly string[];
  /** What Helm makes of the chart in a folder; undefined where that is not known here. */
  chart?(request: ChartRequest): RenderedChart | undefined;
}

/** A chart that a kustomization has rendered. */
export interface ChartRequest {
  readonly folder: string;
  readonly release: { readonly name: string; readonly namespace?: string };
  /** The later ones go over the earlier ones. */
  readonly values: readonly ChartValues[];
  readonly apiVersions: readonly string[];
  readonly kubeVersion?: string;
  readonly includeCRDs: boolean;
  readonly skipHooks: boolean;
  readonly skipTests: boolean;
}

/** A file of values, or values whose parts were written in several files. */
export type ChartValues = ValuesFile | MergedValues;

export interface ValuesFile {
  readonly path: string;
  readonly file: FileText;
}

export interface MergedValues {
  readonly merged: BuiltNode;
  /** The kustomization, and where in it those are that are written there. */
  readonly inline: ValuesFile & { readonly at: Path };
  readonly below: ValuesFile | undefined;
}

/** What Helm prints, with where it was written; or why it does not. */
export type RenderedChart =
  | { readonly text: string; place(start: number, end: number): Place | undefined }
  | { readonly error: string; readonly place?: Place };

/** Keeps what was parsed and built, so that builds that share bases do it once. */
export interface Session {
  readonly kept: unknown;
}

/** An object that changes what is built of a folder. The same one says the same. */
interface AdditionAt extends SpecAt {
  /** What tells it from others of the same folder. */
  readonly name: string;
}

/** The file that a spec is in, the document, where that begins, and where in it the spec is. */
export interface SpecAt {
  readonly file: string;
  readonly document: YamlDocument;
  readonly start: number;
  readonly at: Path;
}

/** A Kustomization of Flux. */
export interface FluxAddition extends AdditionAt {
  readonly by: 'flux';
  readonly spec: FluxSpec;
}

/** `source.kustomize` of an Application of Argo CD. */
export interface ArgoAddition extends AdditionAt {
  readonly by: 'argo';
  /** Where parts of it are written instead, the last one with the last word. */
  readonly over: readonly SpecAt[];
  readonly spec: ArgoSpec;
}

export type Addition = FluxAddition | ArgoAddition;

export interface Options {
  /** Files from outside of a kustomization's folder may be read, as with `--load-restrictor LoadRestrictionsNone`. */
  readonly anyFile?: boolean;
  /** Whose words errors about files have: those of the disk, unless told. */
  readonly wording?: 'disk' | 'memory';
  readonly session?: Session;
  /** What whoever applies the folder adds to its kustomization. */
  readonly addition?: Addition;
}

/** A part of a resource. Nodes never change. */
export type BuiltNode = BuiltMap | BuiltList | BuiltScalar;

export interface BuiltMap {
  readonly kind: 'map';
  readonly origin: Origin | undefined;
  readonly entries: readonly BuiltEntry[];
}

export interface BuiltEntry {
  readonly key: string;
  readonly keyOrigin: Origin | undefined;
  readonly value: BuiltNode;
}

export interface BuiltList {
  readonly kind: 'list';
  readonly origin: Origin | undefined;
  readonly items: readonly BuiltNode[];
}

export interface BuiltScalar {
  readonly kind: 'scalar';
  readonly origin: Origin | undefined;
  readonly value: Value;
}

/** A file that had a hand in a resource, and where in it. */
export interface Touch {
  readonly what: 'resource' | 'generator' | 'kustomization' | 'patch';
  readonly place: Place;
}

export interface BuiltResource {
  readonly root: BuiltMap;
  readonly value: Value;
  /** In the order in which the resource went through them. */
  readonly touched: readonly Touch[];
  /** Something that was left out could have changed it or what it refers to. */
  readonly isPartial: boolean;
}

export interface BuildError {
  /** As kustomize words it. */
  readonly message: string;
  /** What is to blame. */
  readonly place: Place | undefined;
}

export type LeftOutReason = 'remote' | 'helm' | 'plugin' | 'bound';

/** What was not done. */
export interface LeftOut {
  readonly reason: LeftOutReason;
  /** Such as the URL of a base. */
  readonly what: string;
  readonly place: Place | undefined;
}

export type NoteCode =
  /** A patch that leaves all as it was. */
  | 'patch-changes-nothing'
  /** A patch whose target selects nothing; kustomize says nothing of that. */
  | 'patch-matches-nothing'
  /** A list that a patch replaces as a whole. */
  | 'list-replaced'
  /** A field that kustomize warns of. */
  | 'deprecated-field';

export interface Note {
  readonly code: NoteCode;
  /** What it is about: the id of a resource, the path of a list, the name of a field. */
  readonly about: string;
  readonly place: Place;
  /** What else belongs to it: the list that was replaced. */
  readonly related: Place | undefined;
  /** Of a list: where it is in which kind. */
  readonly list?: ListAt;
  /** Of a target: the values of labels and annotations that it wants. */
  readonly asked?: readonly AskedValues[];
  /** Of a target that selects nothing: values of a label or annotation that it wants, where what it is for has others. */
  readonly otherValues?: OtherValues;
}

export interface AskedValues {
  readonly key: string;
  readonly wanted: readonly string[];
}

export interface OtherValues extends AskedValues {
  readonly held: readonly string[];
}

export interface ListAt {
  readonly apiVersion: string;
  readonly kind: string;
  readonly path: readonly string[];
}

export interface Build {
  readonly resources: readonly BuiltResource[];
  readonly error: BuildError | undefined;
  readonly leftOut: readonly LeftOut[];
  readonly notes: readonly Note[];
  /** What places are counted from. */
  readonly pieces: Pieces;
  /** All files that were asked for, also those that do not exist: what the build depends on. */
  readonly read: ReadonlySet<string>;
}
