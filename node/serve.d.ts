/** How `kube-crd serve` is started; what is left out is as the command has it. */
export interface ServeOptions {
  /** Files or folders with CRDs, or Go types of which they are made. */
  readonly crds?: string | readonly string[];
  /** The version that it answers as, such as `1.34`. */
  readonly kubernetes?: string;
  readonly port?: number;
  /** Where to write the kubeconfig; otherwise it is in a folder that is gone at the end. */
  readonly kubeconfig?: string;
  /** A folder to keep what is written in. */
  readonly data?: string;
  /** A file to add an event to for each request. */
  readonly audit?: string;
}

/** A server that runs. It ends with this process, whatever becomes of that. */
export interface Served {
  /** Where it listens, such as `https://127.0.0.1:40123`. */
  readonly address: string;
  /** A file that leads there. */
  readonly kubeconfig: string;
  /** What requests have to bear. */
  readonly token: string;
  /** Who has signed its certificate, in PEM. */
  readonly certificateAuthority: string;
  /** The version that it answers as. */
  readonly kubernetes: string;
  /** Ends it. */
  stop(): Promise<void>;
}

/** Starts an API server for CRDs, and waits until it is ready. */
export function serve(options?: ServeOptions): Promise<Served>;
