/**
 * What version control knows of earlier states of files, as an interface: the browser has none. Paths are relative to
 * a repository's root, with slashes.
 */
export interface History {
  /** The repository that a folder is in, and where; undefined where there is none. */
  repositoryOf(folder: string): Promise<PlacedFolder | undefined>;
  close(): void;
}

export interface PlacedFolder {
  readonly repository: Repository;
  /** The folder's path with a slash behind it; empty for the root. */
  readonly prefix: string;
}

/** A commit, and when it was made, in seconds since 1970. */
export interface DatedCommit {
  readonly commit: string;
  readonly time: number;
}

export interface Repository {
  /** Tells it from other repositories. */
  readonly root: string;
  /** The commit that a ref names now. */
  commitOf(ref: string): Promise<string | undefined>;
  /** The commit at which HEAD's history left that of a ref. */
  mergeBaseWith(ref: string): Promise<string | undefined>;
  /** The names of branches, tags and branches of remotes. */
  refNames(): Promise<readonly string[]>;
  /** The YAML files of a commit, by path: what names their content. */
  filesOf(commit: string): Promise<ReadonlyMap<string, string>>;
  /** The bytes that a name stands for: a content's own, or `commit:path`. */
  read(name: string, mostBytes: number): Promise<Uint8Array | 'too-large' | undefined>;
  /** The newest commits, up to this one, that changed a file. */
  commitsThatChanged(path: string, commit: string, most: number): Promise<readonly DatedCommit[]>;
  /** The address of a file of the working tree. */
  uriOf(path: string): string;
  /** Calls back when refs may have moved: after a commit, a checkout, a fetch. */
  onMoved(listener: () => void): void;
}
