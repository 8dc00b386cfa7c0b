import type { Files } from '../files.ts';
import type { PackagedData } from '../packaged.ts';
import type { Snapshot } from '../snapshot.ts';
import type { SourceFile, TextChange } from '../sourceFile.ts';
import type { Homes } from '../sources/named.ts';
import type { Caches } from '../sources/places.ts';
import type { FileName, OpenText } from './openText.ts';

/** A kind of file that is understood: which files those are, and how they come into the snapshot and leave it. */
export interface Language {
  isOf(file: FileName): boolean;
  /** Whether what a snapshot knows of files on disk are such ones. */
  readonly isKnownOnDisk: boolean;
  /** The snapshot once a file is open, or has another text, by an edit if that is known. */
  withText(snapshot: Snapshot, file: OpenText, edit?: TextChange): Snapshot;
  /** The snapshot once a file is closed. */
  without(snapshot: Snapshot, uri: string): Snapshot;
  /** The text of a file that a snapshot knows, be it open or not. */
  textAt(snapshot: Snapshot, uri: string): string | undefined;
}

/** What a reader works with. */
export interface ReaderHost {
  readonly files: Files;
  readonly caches: Caches;
  /** Where what files of a folder name may lie. */
  readonly homesOf: Homes;
  /** What comes with the program. */
  readonly data: PackagedData;
  /** The newest snapshot. */
  snapshot(): Snapshot;
  /** Takes in what was read. */
  change(next: (snapshot: Snapshot) => Snapshot): void;
  log(message: string): void;
}

/** Reads the files that open ones need beside themselves. */
export interface Reader {
  /** Whether files that are not open are judged by what it reads as well, where all of a workspace are. */
  readonly forClosed: boolean;
  /** Globs of the files that it wants to be told of, once it has read something. */
  readonly watches: readonly string[];
  /** Begins to read what an open file needs, or one that is given; undefined where there is nothing more to read. */
  read(uri: string, closed?: SourceFile): Promise<void> | undefined;
  /** Resolves when what a file needs was read. */
  settled(uri: string): Promise<void>;
  /** A file on disk has changed: whether something of it was read, and is forgotten now. */
  forget(uri: string): boolean;
  /** Whether open files are judged by other open files of a language. */
  judgesBy(language: Language): boolean;
}
