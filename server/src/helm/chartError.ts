/** What goes wrong before anything is rendered, in Helm's words. */
export class ChartError extends Error {
  /** The address of the file that cannot be read, where it is one. */
  readonly file: string | undefined;

  constructor(message: string, file?: string) {
    super(message);
    this.file = file;
  }
}
