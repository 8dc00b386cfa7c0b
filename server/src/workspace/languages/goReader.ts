import { valueAt } from '../../base/value.ts';
import { buildGlobs, isBuildFile } from '../fileNames.ts';
import { GoPackages } from '../goPackages.ts';
import type { Manifest } from '../manifest.ts';
import { settingsFor } from '../snapshot.ts';
import { folderOf } from '../uri.ts';
import { generatorOf } from './generatedCrds.ts';
import { go, goViewAt, isWantedGo, openTexts, withGoFolder } from './go.ts';
import { GoFolder } from './goFolder.ts';
import type { Language, Reader, ReaderHost } from './language.ts';

/** Reads the Go packages of open files with types, and of the types that open CRDs were generated from. */
export class GoReader implements Reader {
  readonly forClosed = false;
  readonly watches = ['**/*.go', ...buildGlobs.map((name) => `**/${name}`)];
  private readonly host: ReaderHost;
  private readonly packages: GoPackages;
  /** By folder, or by file with generated CRDs. */
  private readonly pending = new Map<string, Promise<void>>();
  /** API groups whose types were looked for. */
  private readonly groups = new Set<string>();

  constructor(host: ReaderHost) {
    this.host = host;
    this.packages = new GoPackages(host.files, host.caches.goModules, host.data, (folder) => {
      return settingsFor(host.snapshot(), `${folder}/`).controllerGen;
    });
  }

  read(uri: string): Promise<void> | undefined {
    const snapshot = this.host.snapshot();
    if (isWantedGo(snapshot, uri)) {
      const folder = folderOf(uri);
      const isKnown = goViewAt(snapshot, uri) !== undefined && !this.wantsMore(folder);
      return isKnown ? undefined : this.once(folder, () => this.readFolder(folder));
    }
    const groups = this.groupsOf(uri);
    if (groups.length === 0) return undefined;
    for (const group of groups) this.groups.add(group);
    return this.once(uri, () => this.readGroups(folderOf(uri), groups));
  }

  async settled(uri: string): Promise<void> {
    // What fails is told by those who began it.
    await Promise.allSettled([this.pending.get(folderOf(uri)), this.pending.get(uri)]);
  }

  forget(uri: string): boolean {
    if (!(/(?:\.go|\/go\.mod)$/.test(uri) || isBuildFile(uri)) || !this.packages.forget(uri)) return false;
    this.groups.clear();
    this.host.change((snapshot) => ({ ...snapshot, go: new Map() }));
    return true;
  }

  judgesBy(language: Language): boolean {
    return language === go && this.groups.size > 0;
  }

  /** Whether packages are imported now that were not read. */
  private wantsMore(folder: string): boolean {
    return (this.host.snapshot().go.get(folder)?.crds?.result.wanted.size ?? 0) > 0;
  }

  private once(key: string, read: () => Promise<void>): Promise<void> | undefined {
    if (this.pending.has(key)) return undefined;
    const reading = read().finally(() => this.pending.delete(key));
    this.pending.set(key, reading);
    return reading;
  }

  private async readFolder(folder: string): Promise<void> {
    const { packages } = this;
    try {
      const folders = await packages.versionsBeside(folder);
      await packages.generate(folders, openTexts(this.host.snapshot(), folders));
      this.take(folder, folders);
    } catch (error) {
      const failure = error instanceof Error ? error : new Error(String(error));
      this.host.log(`${folder}: ${failure.stack ?? failure.message}`);
      this.take(folder, [folder], failure);
    }
  }

  private take(folder: string, folders: readonly string[], failure?: Error): void {
    const { packages } = this;
    this.host.change((snapshot) => {
      const open = openTexts(snapshot, folders);
      const read = new GoFolder({ folder, folders, packages }, open, failure && { failure });
      return withGoFolder(snapshot, folder, read);
    });
  }

  /** The groups of the generated CRDs in an open file whose types were not looked for. */
  private groupsOf(uri: string): string[] {
    const snapshot = this.host.snapshot();
    const file = snapshot.open.get(uri);
    if (!file || !settingsFor(snapshot, uri).go) return [];
    const groups = file.manifests.filter((manifest) => generatorOf(manifest) !== undefined).map(groupOf);
    return groups.filter((group) => group !== '' && !this.groups.has(group));
  }

  private async readGroups(from: string, groups: readonly string[]): Promise<void> {
    for (const folder of await this.packages.foldersOf(from, groups)) {
      if (!this.host.snapshot().go.has(folder)) await this.readFolder(folder);
    }
  }
}

function groupOf({ value }: Manifest): string {
  const group = valueAt(value, ['spec', 'group']);
  return typeof group === 'string' ? group : '';
}
