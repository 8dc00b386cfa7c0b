import type { GoCrds, GoView } from '../features/golang/view.ts';
import type { GoPackages } from '../workspace/goPackages.ts';

/** What is known of the Go packages of open files. */
export interface GoState {
  readonly packages: GoPackages;
  /** By folder: those of the group's other versions, its own among them. */
  readonly versions: Map<string, readonly string[]>;
  /** By folder: what was last made of its package, and of which texts. */
  readonly made: Map<string, Made>;
  /** By folder, or by file with generated CRDs: what is being read. */
  readonly pending: Map<string, Promise<void>>;
  /** API groups whose types were looked for. */
  readonly groups: Set<string>;
}

export interface Made {
  readonly open: ReadonlyMap<string, string>;
  readonly crds: GoCrds;
  readonly views: Map<string, GoView | undefined>;
}
