import { generatorGlobs } from '../fileNames.ts';
import { buildOf, foldersUnseen, madeOfBuilds, rootsWith, wantedOf } from '../kustomizations/builds.ts';
import { rootsOfKinds } from '../kustomizations/builtCrds.ts';
import { KustomizeFiles } from '../kustomizations/kustomizeFiles.ts';
import { type ReadBuilds, readForBuild, readPlaces } from '../kustomizations/readBuilds.ts';
import { fileAt, type Snapshot } from '../snapshot.ts';
import type { SourceFile } from '../sourceFile.ts';
import type { Language, Reader, ReaderHost } from './language.ts';

/** Reads what the builds take that open files have a part in. */
export class KustomizationReader implements Reader {
  readonly forClosed = true;
  readonly watches = generatorGlobs.map((glob) => `**/${glob}`);
  private readonly host: ReaderHost;
  private readonly pending = new Map<string, Promise<void>>();

  constructor(host: ReaderHost) {
    this.host = host;
  }

  read(uri: string, closed?: SourceFile): Promise<void> | undefined {
    const unread = this.unreadFor(uri, closed).filter((root) => !this.pending.has(root));
    const unseen = foldersUnseen(this.host.snapshot(), uri).filter((folder) => !this.pending.has(folder));
    if (unread.length + unseen.length === 0) return undefined;
    const all = [
      ...unread.map((root) => this.begin(root, this.readRoot(root))),
      ...unseen.map((folder) => this.begin(folder, this.readFolder(folder))),
    ];
    // What is built may be of kinds whose CRDs are built elsewhere.
    return Promise.all(all).then(() => this.read(uri, closed));
  }

  async settled(uri: string): Promise<void> {
    const waiting = [...this.unreadFor(uri), ...foldersUnseen(this.host.snapshot(), uri)];
    const pending = waiting.map((one) => this.pending.get(one));
    // What fails is told by those who began it.
    await Promise.allSettled(pending);
  }

  forget(uri: string): boolean {
    if (!this.host.snapshot().kustomize?.has(uri)) return false;
    this.host.change((snapshot) => ({ ...snapshot, kustomize: snapshot.kustomize?.without(uri) }));
    return true;
  }

  /** Whatever is open may be a part of what another open file is built to. */
  judgesBy(_language: Language): boolean {
    return this.host.snapshot().kustomize !== undefined;
  }

  /** The folders that are built with a file, or with the CRDs of its kinds, and of which not all that they take was read. */
  private unreadFor(uri: string, closed?: SourceFile): readonly string[] {
    const snapshot = this.host.snapshot();
    const own = fileAt(snapshot, uri) ?? closed;
    const files = [...(own ? [own] : []), ...madeOfBuilds(snapshot, uri)];
    const roots = new Set([
      ...rootsWith(snapshot, uri),
      ...(snapshot.kustomizations.all.size > 0 ? rootsOfKinds(snapshot, files) : []),
    ]);
    return [...roots].filter((root) => buildOf(snapshot, root) === undefined);
  }

  private begin(what: string, reads: Promise<ReadBuilds>): Promise<void> {
    const reading = reads.then((read) => this.take(read)).finally(() => this.pending.delete(what));
    this.pending.set(what, reading);
    return reading;
  }

  private async readRoot(root: string): Promise<ReadBuilds> {
    const { files, homesOf } = this.host;
    const snapshot = this.host.snapshot();
    const wanted = wantedOf(snapshot, root);
    return readForBuild(files, snapshot, wanted, known(snapshot), await homesOf(wanted.folder));
  }

  private async readFolder(folder: string): Promise<ReadBuilds> {
    const { files, homesOf } = this.host;
    return readPlaces(files, [folder], await homesOf(folder));
  }

  private take({ entries, notes }: ReadBuilds): void {
    for (const note of notes) this.host.log(note);
    this.host.change((now) => ({ ...now, kustomize: known(now).with(entries, notes) }));
  }
}

function known({ kustomize }: Snapshot): KustomizeFiles {
  return kustomize ?? new KustomizeFiles();
}
