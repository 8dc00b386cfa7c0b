/** How much is read and parsed. What goes over a limit is left out and said so in the log and the status bar. */
export interface Limits {
  /** Files listed in one workspace folder. */
  readonly files: number;
  /** Bytes of one file. */
  readonly fileBytes: number;
  /** Documents checked in one file. */
  readonly documents: number;
  /** Problems reported for one file. */
  readonly problems: number;
  /** How deep an object may be nested to be judged: walks go down by recursion. */
  readonly levels: number;
  /** Rules in one document. */
  readonly rules: number;
  /** Characters of a pattern. */
  readonly pattern: number;
}

/** How much is read of what holds CRDs outside of the workspace's own files: of each archive and folder, or of all. */
export interface SourceLimits {
  /** Archives of the workspace. */
  readonly archives: number;
  /** Bytes of an archive as it is on disk. */
  readonly archiveBytes: number;
  /** Bytes that an archive unpacks to, with the archives in it, and that all archives do which the settings name. */
  readonly unpackedBytes: number;
  /** Bytes that all other archives unpack to, those of the workspace and of caches; half of it for one of them. */
  readonly othersUnpackedBytes: number;
  /** Entries of an archive, with those of the archives in it. */
  readonly archiveEntries: number;
  /** Entries of all archives that the settings name, and of all others. */
  readonly allEntries: number;
  /** How deep archives may be inside each other. */
  readonly archiveLevels: number;
  /** Folders below the folder of a module or chart. */
  readonly folders: number;
  /** Folders of the repository around a file that is opened without a folder; a hundred names in one count as one more. */
  readonly foldersAround: number;
  /** YAML files below it. */
  readonly files: number;
  /** Modules or charts that one file of the workspace names. */
  readonly named: number;
  /** Files of a source that are parsed to find the CRD of one kind. */
  readonly candidates: number;
  /** Characters of all such files that turn out to define nothing. */
  readonly vainCharacters: number;
}

export const defaultLimits: Limits = {
  files: 200_000,
  fileBytes: 8_000_000,
  documents: 20_000,
  problems: 5_000,
  levels: 500,
  rules: 10_000,
  pattern: 100_000,
};

export const sourceLimits: SourceLimits = {
  archives: 200,
  archiveBytes: 32_000_000,
  unpackedBytes: 256_000_000,
  othersUnpackedBytes: 128_000_000,
  archiveEntries: 20_000,
  allEntries: 40_000,
  archiveLevels: 3,
  folders: 5_000,
  foldersAround: 20_000,
  files: 5_000,
  named: 2_000,
  candidates: 20,
  vainCharacters: 8_000_000,
};
