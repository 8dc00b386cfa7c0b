import { EditedText } from '../base/editedText.ts';
import { type Difference, difference } from '../base/text.ts';
import { versionsNamed } from '../kubernetes/releases/range.ts';
import type { Node } from '../yaml/node.ts';
import { dormant, type PlacedDocument, parseStream, type YamlDocument, type YamlStream } from '../yaml/parse.ts';
import { documentVerdict, inheritValue } from '../yaml/value.ts';
import { type KeptValues, keepValues, keptStream } from './keptValues.ts';
import { defaultLimits, type Limits } from './limits.ts';
import { isTooDeep, type Manifest, manifestsOf } from './manifest.ts';
import type { Origin } from './origin.ts';
import { headLength, isIgnored, namedKubernetes } from './pragmas.ts';
import { aroundChange, blankTemplateLines, hasBraces, type Likeness, templateLikeness } from './template.ts';
import { definesKinds } from './xrd.ts';

/** A YAML file of one moment, parsed. */
export interface SourceFile {
  readonly uri: string;
  readonly text: string;
  readonly stream: YamlStream;
  /** Something in the text may be an action of a template engine. */
  readonly braces: boolean;
  /** The text waits for a template engine: what it defines is known, but it is not checked. */
  readonly template: boolean;
  /** The file's objects are not judged: it is excluded, or a test's expectation. */
  readonly ignored: boolean;
  /** The Kubernetes version that a comment asks for. */
  readonly kubernetes: string | undefined;
  readonly manifests: readonly Manifest[];
  readonly definesKinds: boolean;
  /** Where the file comes from, unless it is one of the workspace. */
  readonly origin: Origin | undefined;
  /** What was left out, and why. */
  readonly leftOut: readonly string[];
}

export interface TextChange extends Difference {
  /** The text that was edited. */
  readonly before: string;
  /** What it has become. */
  readonly edited?: EditedText | undefined;
}

export interface SourceOptions {
  readonly languageId?: string | undefined;
  readonly previous?: SourceFile | undefined;
  /** What made the text of another one: no need to look for where they differ. */
  readonly edit?: TextChange | undefined;
  readonly limits?: Limits;
  /** The user asked for this very file. */
  readonly named?: boolean;
  readonly origin?: Origin | undefined;
  /** It is what a template engine has made, whatever is in braces there. */
  readonly made?: boolean;
  /** Trees are kept only while they are looked at: for files that are there to define kinds. */
  readonly dormant?: boolean;
  /** What is kept of such files from one run to the next. */
  readonly kept?: KeptValues | undefined;
}

export function sourceFile(uri: string, text: string, options: SourceOptions = {}): SourceFile {
  const limits = options.limits ?? defaultLimits;
  const tooLarge = text.length > limits.fileBytes;
  const { previous, edit } = options;
  const known = edit?.before === previous?.text ? edit : undefined;
  const changed = previous && !tooLarge ? (known ?? difference(previous.text, text)) : undefined;
  // All that is asked of a text while it is typed are parts: to look into all of it would copy it.
  const parts = (known && edit?.edited) ?? EditedText.of(text);
  const braces = tooLarge || hasBracesNow(parts, previous, changed);
  const likeness = tooLarge || options.made ? 'no' : templateLikeness(text, braces, uri, options.languageId);
  const kept = options.dormant && likeness === 'no' && !tooLarge ? options.kept : undefined;
  const asleep = kept && keptStream(text, kept);
  const read = asleep
    ? { template: false, stream: asleep }
    : readText(tooLarge ? EditedText.of('') : parts, likeness, previous, changed);
  const { template } = read;
  const stream = options.dormant && !asleep ? withDormant(read.stream) : read.stream;
  const documents = stream.documents.slice(0, limits.documents);
  const leftOut = [
    ...(tooLarge ? [`the file has more than ${limits.fileBytes} characters and is not checked`] : []),
    ...(stream.documents.length > limits.documents ? [`only the first ${limits.documents} documents are checked`] : []),
  ];
  const manifests = documents.flatMap(({ document }) => manifestsOf(document));
  const definesAny = manifests.some(definesKinds);
  if (kept && !asleep && definesAny) keepValues(stream, kept);
  const head = parts.slice(0, headLength);
  const named = namedKubernetes(head)?.name ?? '';
  const kubernetes = named !== '' && versionsNamed(named) ? named : undefined;
  const ignored = isIgnored(uri, head, options.named ?? false);
  const { origin } = options;
  return {
    uri,
    text,
    stream,
    braces,
    template,
    ignored,
    kubernetes,
    manifests,
    definesKinds: definesAny,
    origin,
    leftOut,
  };
}

/** Looks only where the text has changed, if the earlier one had none. */
function hasBracesNow(parts: EditedText, previous: SourceFile | undefined, changed: Difference | undefined): boolean {
  if (!previous || !changed || previous.braces) return hasBraces(parts.text);
  return hasBraces(parts.slice(Math.max(0, changed.start - aroundChange), changed.endAfter + aroundChange));
}

/** A document with its place in a file. */
export function placedIn({ stream }: SourceFile, document: YamlDocument): PlacedDocument | undefined {
  return stream.documents.find((placed) => placed.document === document);
}

function withDormant(stream: YamlStream): YamlStream {
  const documents = stream.documents.map(({ document, start }) => {
    if (!isPlain(document)) return { document, start };
    const sleeping = dormant(document, stream.text.slice(start, start + document.text.length), !document.root);
    inheritValue(sleeping, document);
    return { document: sleeping, start };
  });
  return { ...stream, documents };
}

/** Whether nothing that is known of it, such as keys that are set twice, points into its tree. */
function isPlain(document: YamlDocument): boolean {
  const { hasAlias, readerError } = document;
  return !hasAlias && !readerError && !isTooDeep(document) && documentVerdict(document).strict.length === 0;
}

/** A text that only may be a template is one if it is not YAML. */
function readText(
  parts: EditedText,
  likeness: Likeness,
  previous: SourceFile | undefined,
  changed: Difference | undefined,
): { readonly template: boolean; readonly stream: YamlStream } {
  const before = previous?.stream;
  // The stream of a template, or of a file that was too large, is of another text than its file.
  const known = before?.text === previous?.text ? changed : undefined;
  const plain = likeness === 'yes' ? undefined : parseStream(parts, before, known);
  const template = !plain || (likeness === 'if-unreadable' && isUnreadable(plain));
  return { template, stream: template ? parseStream(blankTemplateLines(parts.text), before) : plain };
}

/** Refused, or with a map for a key, which is what `name: {{ .x }}` is to a reader. */
function isUnreadable({ documents }: YamlStream): boolean {
  return documents.some(({ document: { readerError, root } }) => readerError !== undefined || hasMapKey(root));
}

function hasMapKey(root: Node | undefined): boolean {
  const open: Node[] = root ? [root] : [];
  for (let node = open.pop(); node; node = open.pop()) {
    if (node.kind === 'list') for (const item of node.items) open.push(item.node);
    if (node.kind !== 'map') continue;
    for (const { key, value } of node.pairs) {
      if (key.kind === 'map' || key.kind === 'list') return true;
      open.push(value);
    }
  }
  return false;
}
