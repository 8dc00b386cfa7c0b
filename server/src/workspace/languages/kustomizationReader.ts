import { generatorGlobs } from '../fileNames.ts';
import { buildOf, rootsWith } from '../kustomizations/builds.ts';
import { KustomizeFiles } from '../kustomizations/kustomizeFiles.ts';
import { readForBuild } from '../kustomizations/readBuilds.ts';
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

  read(uri: string): Promise<void> | undefined {
    const unread = this.unreadFor(uri).filter((root) => !this.pending.has(root));
    if (unread.length === 0) return undefined;
    return Promise.all(unread.map((root) => this.begin(root))).then(() => {});
  }

  async settled(uri: string): Promise<void> {
    const pending = this.unreadFor(uri).map((root) => this.pending.get(root));
    // What fails is told by those who began it.
    await Promise.allSettled(pending);
  }

  forget(uri: string): boolean {
    if (!this.host.snapshot().kustomize?.entries.has(uri)) return false;
    this.host.change((snapshot) => ({ ...snapshot, kustomize: snapshot.kustomize?.without(uri) }));
    return true;
  }

  /** Whatever is open may be a part of what another open file is built to. */
  judgesBy(_language: Language): boolean {
    return this.host.snapshot().kustomize !== undefined;
  }

  /** The folders that are built with a file, and of which not all that they take was read. */
  private unreadFor(uri: string): readonly string[] {
    const snapshot = this.host.snapshot();
    return rootsWith(snapshot, uri).filter((root) => buildOf(snapshot, root) === undefined);
  }

  private begin(root: string): Promise<void> {
    const reading = this.readRoot(root).finally(() => this.pending.delete(root));
    this.pending.set(root, reading);
    return reading;
  }

  private async readRoot(root: string): Promise<void> {
    const { files, homesOf } = this.host;
    const snapshot = this.host.snapshot();
    const known = snapshot.kustomize ?? new KustomizeFiles();
    const { entries, notes } = await readForBuild(files, snapshot, root, known, await homesOf(root));
    for (const note of notes) this.host.log(note);
    this.host.change((now) => ({ ...now, kustomize: (now.kustomize ?? known).with(entries, notes) }));
  }
}
