import { kubernetesVersion } from '../kubernetes/releases/all.ts';
import { parseStream, type YamlStream } from '../yaml/parse.ts';
import { defaultLimits, type Limits } from './limits.ts';
import { type Manifest, manifestsOf } from './manifest.ts';
import { isLeftAlone, namedKubernetes } from './partial.ts';
import { blankTemplateLines, isTemplate } from './template.ts';

/** A YAML file of one moment, parsed. */
export interface SourceFile {
  readonly uri: string;
  readonly text: string;
  readonly stream: YamlStream;
  /** The text waits for a template engine: what it defines is known, but nothing is said about it. */
  readonly template: boolean;
  /** The file's objects are not judged: it is excluded, or a test's expectation. */
  readonly leftAlone: boolean;
  /** The Kubernetes version that a comment asks for. */
  readonly kubernetes: string | undefined;
  readonly manifests: readonly Manifest[];
  readonly definesKinds: boolean;
  /** What was left out, and why. */
  readonly leftOut: readonly string[];
}

export interface SourceOptions {
  readonly languageId?: string | undefined;
  readonly previous?: SourceFile | undefined;
  readonly limits?: Limits;
}

export function sourceFile(uri: string, text: string, options: SourceOptions = {}): SourceFile {
  const limits = options.limits ?? defaultLimits;
  const template = isTemplate(text, uri, options.languageId);
  const tooLarge = text.length > limits.fileBytes;
  const read = tooLarge ? '' : template ? blankTemplateLines(text) : text;
  const stream = parseStream(read, options.previous?.stream);
  const documents = stream.documents.slice(0, limits.documents);
  const leftOut = [
    ...(tooLarge ? [`the file is over ${limits.fileBytes} characters and is not checked`] : []),
    ...(stream.documents.length > limits.documents ? [`only the first ${limits.documents} documents are checked`] : []),
  ];
  const manifests = documents.flatMap(({ document }) => manifestsOf(document));
  const definesKinds = manifests.some((manifest) => manifest.role === 'crd');
  const kubernetes = kubernetesVersion(namedKubernetes(text)?.name ?? '')?.name;
  const leftAlone = isLeftAlone(uri, text);
  return { uri, text, stream, template, leftAlone, kubernetes, manifests, definesKinds, leftOut };
}
