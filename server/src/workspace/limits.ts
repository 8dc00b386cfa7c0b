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
}

export const defaultLimits: Limits = {
  files: 20_000,
  fileBytes: 8_000_000,
  documents: 2_000,
  problems: 500,
  levels: 500,
};
