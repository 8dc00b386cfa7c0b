import type { DatedCommit, History, PlacedFolder, Repository } from '../../server/src/workspace/baseline/history.ts';
import { folder } from './beforeTexts.ts';

/** The texts that are stored already, as a history with one commit. It is another one whenever they change. */
export class OlderTexts implements History {
  private texts: ReadonlyMap<string, string> = new Map();
  private turn = 0;
  private readonly listeners = new Set<() => void>();

  set(texts: Readonly<Record<string, string>>): void {
    this.texts = new Map(Object.entries(texts));
    this.turn++;
    for (const moved of this.listeners) moved();
  }

  async repositoryOf(asked: string): Promise<PlacedFolder | undefined> {
    const at = asked.replace(/\/$/, '');
    if (at === folder) return { repository: this.repository, prefix: '' };
    return at.startsWith(`${folder}/`)
      ? { repository: this.repository, prefix: `${at.slice(folder.length + 1)}/` }
      : undefined;
  }

  close(): void {
    this.listeners.clear();
  }

  private readonly repository: Repository = {
    root: folder,
    commitOf: async () => (this.texts.size > 0 ? this.commit : undefined),
    mergeBaseWith: async () => undefined,
    refNames: async () => [],
    filesOf: async (commit) => new Map([...this.texts.keys()].map((path) => [path, `${commit}:${path}`])),
    read: async (name, mostBytes) => {
      const text = this.texts.get(name.slice(name.indexOf(':') + 1));
      if (text === undefined) return undefined;
      const bytes = new TextEncoder().encode(text);
      return bytes.length > mostBytes ? 'too-large' : bytes;
    },
    commitsThatChanged: async (path): Promise<readonly DatedCommit[]> =>
      this.texts.has(path) ? [{ commit: this.commit, time: this.turn }] : [],
    uriOf: (path) => `${folder}/${path}`,
    onMoved: (listener) => this.listeners.add(listener),
  };

  private get commit(): string {
    return String(this.turn);
  }
}
