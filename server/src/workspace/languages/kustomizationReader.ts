import { rootsOf } from '../kustomizations/graph.ts';
import { readForBuild } from '../kustomizations/readBuilds.ts';
import { settingsFor } from '../snapshot.ts';
import type { Language, Reader, ReaderHost } from './language.ts';

/** Reads what the builds take that open files have a part in. */
export class KustomizationReader implements Reader {
  /** What generators take beside YAML. */
  readonly watches = ['**/Kustomization', '**/*.env', '**/*.properties', '**/*.conf'];
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
    if (!this.host.snapshot().kustomize.entries.has(uri)) return false;
    this.host.change((snapshot) => ({ ...snapshot, kustomize: snapshot.kustomize.without(uri) }));
    return true;
  }

  judgesBy(_language: Language): boolean {
    return true;
  }

  /** The folders that are built with a file, and of which not all that they take was read. */
  private unreadFor(uri: string): readonly string[] {
    const { open, kustomize, kustomizations } = this.host.snapshot();
    if (!settingsFor(this.host.snapshot(), uri).kustomize) return [];
    return rootsOf(kustomizations, uri).filter(
      (root) => kustomize.memory.build(root, open, kustomize).unread.length > 0,
    );
  }

  private begin(root: string): Promise<void> {
    const reading = this.readRoot(root).finally(() => this.pending.delete(root));
    this.pending.set(root, reading);
    return reading;
  }

  private async readRoot(root: string): Promise<void> {
    const { files, homesOf } = this.host;
    const snapshot = this.host.snapshot();
    const { entries, notes } = await readForBuild(files, snapshot, root, snapshot.kustomize, await homesOf(root));
    for (const note of notes) this.host.log(note);
    this.host.change((now) => ({ ...now, kustomize: now.kustomize.with(entries, notes) }));
  }
}
