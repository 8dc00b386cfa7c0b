/** What a build shares with all that it reads. */
import { cleanPath, dirPath } from '../gostd/path.ts';
import { Failure, fail } from './failure.ts';
import { builtinSchemas, type Schemas } from './merge/schema.ts';
import type { Resource } from './resource.ts';
import type { ChartRequest, Files, FileText, LeftOut, Note, Options, RenderedChart } from './types.ts';

/** Rows of docs/limits.md: what a build may take. */
export const limits = {
  /** Kustomizations one in the other. */
  depth: 64,
  /** Kustomizations that are built, each as often as it is named. */
  kustomizations: 10_000,
  /** Charts that are rendered, each as often as it is named. */
  charts: 100,
  files: 20_000,
  resources: 100_000,
  /** Characters of all files that are read, each as often as it is. */
  characters: 200_000_000,
  /** Nodes that steps which multiply may make or look at: replacements, variables, copies of JSON patches. */
  steps: 500_000,
  /** Resources that steps go through, each as often as one does. */
  visits: 1_000_000,
  /** Nodes of resources that JSON patches write anew. */
  patched: 3_000_000,
  /** Levels of a document, of a path, and of what a step makes. */
  levels: 1000,
} as const;

/** What a part of a build rested on. */
export interface Dependencies {
  /** What is asked for is noted by others just now. */
  isPaused: boolean;
  readonly files: Map<string, FileText | undefined>;
  readonly folders: Map<string, boolean>;
  readonly roots: Set<string>;
}

export function newDependencies(): Dependencies {
  return { isPaused: false, files: new Map(), folders: new Map(), roots: new Set() };
}

/** A note, and the resource that it was found in. */
export interface Noted {
  readonly note: Note;
  readonly about: Resource | undefined;
  /** It is not so where this was met: a component is taken in several places of one build, and one is enough. */
  readonly isMet?: true;
}

/** What is said of a build in the end. */
export function notesOf(all: readonly Noted[]): readonly Note[] {
  const met = new Set(all.flatMap(({ note, isMet }) => (isMet ? [keyOf(note)] : [])));
  const open = all.flatMap(({ note, isMet }) => (isMet || met.has(keyOf(note)) ? [] : [note]));
  return open.some(({ otherValues }) => otherValues) ? withChoices(open, all) : open;
}

/** That what is here has other values says something only of a label that targets want one value or another of. */
function withChoices(open: readonly Note[], all: readonly Noted[]): readonly Note[] {
  const wanted = new Map<string, Set<string>>();
  for (const { key, wanted: values } of all.flatMap(({ note }) => note.asked ?? [])) {
    const known = wanted.get(key) ?? new Set();
    wanted.set(key, known);
    for (const value of values) known.add(value);
  }
  return open.map((note) => {
    const { otherValues, ...rest } = note;
    return otherValues && (namesThings.has(otherValues.key) || wanted.get(otherValues.key)!.size < 2) ? rest : note;
  });
}

/** Labels that say what something is, which nobody chooses: a value that is not there is of something that is gone. */
const namesThings: ReadonlySet<string> = new Set([
  'app',
  'component',
  'k8s-app',
  'name',
  'app.kubernetes.io/component',
  'app.kubernetes.io/instance',
  'app.kubernetes.io/name',
  'kubernetes.io/metadata.name',
]);

function keyOf({ code, place }: Note): string {
  return JSON.stringify([code, place.file, place.piece, place.from, place.to]);
}

export class Context {
  readonly files: Files;
  readonly options: Options;
  readonly leftOut: LeftOut[] = [];
  readonly notes: Noted[] = [];
  schemas: Schemas = builtinSchemas;
  hasOwnSchemas = false;
  /** What charts come to rests on more than files that are asked for here. */
  hasCharts = false;
  /** The innermost one last. */
  readonly recorders: Dependencies[] = [newDependencies()];
  #characters = 0;
  #charts = 0;
  #kustomizations = 0;
  #steps = 0;
  #visits = 0;
  #patched = 0;

  constructor(files: Files, options: Options) {
    this.files = files;
    this.options = options;
  }

  file(path: string): FileText | undefined {
    const file = this.files.file(path);
    for (const { files, isPaused } of this.recorders) if (!isPaused) files.set(path, file);
    return file;
  }

  isFolder(path: string): boolean {
    const is = this.files.isFolder(path);
    for (const { folders, isPaused } of this.recorders) if (!isPaused) folders.set(path, is);
    return is;
  }

  /** Whether what is built may be kept for other builds. */
  get isKept(): boolean {
    return !this.hasOwnSchemas && !this.hasCharts;
  }

  chart(request: ChartRequest): RenderedChart | undefined {
    this.hasCharts = true;
    if (++this.#charts > limits.charts) this.bound(`more than ${limits.charts} charts are rendered`);
    return this.files.chart?.(request);
  }

  note(note: Note, about?: Resource): void {
    this.notes.push({ note, about });
  }

  /** Takes back what is noted elsewhere in the build. */
  met(note: Note): void {
    this.notes.push({ note, about: undefined, isMet: true });
  }

  /** Whether there is anything at a path. */
  has(path: string): boolean {
    return this.file(this.files.realPath?.(path) ?? path) !== undefined;
  }

  /** A path split as kustomize does: a folder, or a file in one. */
  find(path: string): { readonly folder: string; readonly file: string | undefined } {
    const asked = cleanPath(path);
    const clean = this.files.realPath?.(asked) ?? asked;
    if (this.isFolder(clean)) return { folder: clean, file: undefined };
    if (this.file(clean) !== undefined)
      return { folder: dirPath(clean), file: clean.slice(clean.lastIndexOf('/') + 1) };
    this.refuse(path, clean);
  }

  private refuse(path: string, clean: string): never {
    const missing = this.firstMissing(clean);
    if (this.options.wording === 'memory') {
      if (missing.below) fail(`unable to clean: '${missing.below}' is not a directory`);
      fail(`'${path}' doesn't exist`);
    }
    if (missing.below) fail(`evalsymlink failure on '${path}' : not a directory`);
    fail(`evalsymlink failure on '${path}' : lstat ${missing.path}: no such file or directory`);
  }

  /** The first part of a path that is not there, and the file that it would have to be in. */
  private firstMissing(path: string): { readonly path: string; readonly below: string | undefined } {
    const parts = path.split('/').slice(1);
    let at = '';
    for (const part of parts) {
      const next = `${at}/${part}`;
      if (!this.isFolder(next)) {
        const isFile = this.file(next) !== undefined;
        return { path: next, below: isFile ? next : undefined };
      }
      at = next;
    }
    return { path, below: undefined };
  }

  read(path: string): FileText {
    const file = this.file(path);
    if (file === undefined) {
      if (this.options.wording === 'memory') fail(`'${path}' doesn't exist`);
      fail(this.isFolder(path) ? `read ${path}: is a directory` : `open ${path}: no such file or directory`);
    }
    this.#characters += file.text.length;
    if (this.#characters > limits.characters) this.bound(`more than ${limits.characters} characters are read`);
    if (this.recorders[0]!.files.size > limits.files) this.bound(`more than ${limits.files} files are looked for`);
    return file;
  }

  enterKustomization(depth: number): void {
    if (depth > limits.depth) this.bound(`kustomizations are more than ${limits.depth} deep in each other`);
    if (++this.#kustomizations > limits.kustomizations)
      this.bound(`more than ${limits.kustomizations} kustomizations are built`);
  }

  countResources(count: number): void {
    if (count > limits.resources) this.bound(`there are more than ${limits.resources} resources`);
  }

  /** Work of steps that multiply. */
  spend(steps: number): void {
    this.#steps += steps;
    if (this.#steps > limits.steps) this.bound('replacements, variables and copies make more than is built');
  }

  /** Steps go through resources. */
  visit(resources: number): void {
    this.#visits += resources;
    if (this.#visits > limits.visits) this.bound('there are too many steps for so many resources');
  }

  /** A JSON patch writes a whole resource anew. */
  patch(nodes: number): void {
    this.#patched += nodes;
    if (this.#patched > limits.patched) this.bound('JSON patches write more than is built');
  }

  private bound(what: string): never {
    throw new Failure(what, undefined, 'bound');
  }
}

/** What is deeper than that is not built. */
export function checkLevels(levels: number): void {
  if (levels > limits.levels)
    throw new Failure(`something is more than ${limits.levels} levels deep`, undefined, 'bound');
}
