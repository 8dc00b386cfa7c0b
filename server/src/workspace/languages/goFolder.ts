import { bug } from '../../base/bug.ts';
import type { GoPackages } from '../goPackages.ts';
import { crdsOf, type GoCrds, type GoView, viewOf } from '../projections/goTypes.ts';
import type { SourceFile } from '../sourceFile.ts';

/** What is made of the packages; `failure` is why kube-crd itself has failed over them. */
interface Made {
  readonly crds?: GoCrds | undefined;
  readonly failure?: Error;
}

interface Read {
  readonly folder: string;
  /** The folders of the group's other versions, its own among them. */
  readonly folders: readonly string[];
  readonly packages: GoPackages;
}

/** The Go package of a folder at one moment. What comes of its types is made when somebody asks for it, and once. */
export class GoFolder {
  readonly folders: readonly string[];
  private readonly read: Read;
  /** The open files among those of all folders, as they are in the editor. */
  private readonly open: ReadonlyMap<string, string>;
  private readonly views = new Map<string, GoView | undefined>();
  private made: Made | undefined;
  /** What was made before a change: what is as it was is taken over. */
  private before: SourceFile | undefined;

  constructor(read: Read, open: ReadonlyMap<string, string>, made?: Made, before?: SourceFile) {
    this.read = read;
    this.folders = read.folders;
    this.open = open;
    this.made = made;
    this.before = before;
  }

  /** The same with other texts of open files. */
  withOpen(open: ReadonlyMap<string, string>): GoFolder {
    if (sameTexts(this.open, open)) return this;
    return new GoFolder(this.read, open, undefined, this.made?.crds?.source ?? this.before);
  }

  get crds(): GoCrds | undefined {
    return this.result.crds;
  }

  get failure(): Error | undefined {
    return this.result.failure;
  }

  /** A file of the packages, be it open or not. */
  view(uri: string): GoView | undefined {
    const { crds } = this;
    if (crds && !this.views.has(uri)) this.views.set(uri, viewOf(crds, uri));
    return this.views.get(uri);
  }

  /** The text of a file on disk that was read for the packages. */
  textOf(uri: string): string | undefined {
    return this.read.packages.textOf(uri);
  }

  private get result(): Made {
    this.made ??= this.make();
    this.before = undefined;
    return this.made;
  }

  private make(): Made {
    const { packages, folders, folder } = this.read;
    try {
      const result = packages.generateNow(folders, this.open);
      return { crds: result && crdsOf(result, folder, this.before) };
    } catch (error) {
      const failure = error instanceof Error ? error : new Error(String(error));
      bug(`${folder}: ${failure.stack ?? failure.message}`);
      return { failure };
    }
  }
}

function sameTexts(a: ReadonlyMap<string, string>, b: ReadonlyMap<string, string>): boolean {
  return a.size === b.size && [...a].every(([uri, text]) => b.get(uri) === text);
}
