/** What `helm template` prints of a chart. */
import { trimSpace } from '../gostd/trim.ts';
import { wantsOtherKubernetes } from './capabilities.ts';
import type { Chart } from './chart.ts';
import { ChartError } from './chartError.ts';
import { isNotes } from './judgedText.ts';
import { type Manifest, manifestsOf } from './manifests.ts';
import { isFailure, prepare, type Rendered, type RenderOptions } from './render.ts';
import { refusalOf } from './schema/index.ts';

export interface TemplateOptions extends RenderOptions {
  readonly noHooks?: boolean;
  readonly noTests?: boolean;
  /** Print what is in `crds/` as well. */
  readonly crds?: boolean;
}

export type Templated = { readonly text: string } | { readonly error: string };

export function templated(chart: Chart, options: TemplateOptions): Templated {
  try {
    return printed(chart, options);
  } catch (error) {
    if (error instanceof ChartError) return { error: error.message };
    throw error;
  }
}

function printed(chart: Chart, options: TemplateOptions): Templated {
  const pieces = piecesOf(chart, options, { textOf: ({ text }) => text, room: { left: Number.POSITIVE_INFINITY } });
  return 'error' in pieces ? pieces : { text: pieces.map(({ text }) => text).join('') };
}

/** A part of what Helm prints, and what is said in front of it. */
export interface Piece {
  readonly name: string;
  readonly head: string;
  readonly text: string;
  /** As it is in what the template came to. */
  readonly body: string;
}

/** Who takes the parts, and has room for so much work. */
export interface PieceReader {
  textOf(rendered: Rendered, name: string): string;
  readonly room: { left: number };
}

export interface NotPrinted {
  readonly error: string;
  /** Whether it is not Helm's error but a bound of ours. */
  readonly isBound?: boolean;
}

/** The same one by one, with what a reader of renderings makes of each. May throw a `ChartError`. */
export function piecesOf(chart: Chart, options: TemplateOptions, reader: PieceReader): readonly Piece[] | NotPrinted {
  const refused = notInstallable(chart, options);
  if (refused !== undefined) return { error: refused };
  const frame = prepare(chart, options);
  const unfit = refusalOf(frame.verdicts);
  if (unfit !== undefined) return { error: `values: ${unfit}` };
  // All templates are read before any is rendered.
  const [broken] = frame.broken.values();
  if (broken) return { error: broken.message };
  const texts = new Map<string, string>();
  for (const name of frame.names) {
    const before = frame.spent;
    const one = frame.render(name);
    // Helm itself prints nothing once something fails.
    if (isFailure(one)) return { error: one.message, ...(one.isBound && { isBound: true }) };
    reader.room.left -= frame.spent - before;
    if (reader.room.left < 0) return { error: 'the chart takes too much work', isBound: true };
    if (!isNotes(name)) texts.set(name, reader.textOf(one, name));
  }
  const sorted = manifestsOf(texts);
  if ('error' in sorted) return sorted;
  const crds = options.crds ? crdsOf(frame.chart, frame.chart.name) : [];
  const main = [...crds, ...sorted.objects].map(shown);
  const last = main.at(-1);
  if (last) main[main.length - 1] = { ...last, text: `${trimSpace(last.text)}\n` };
  else main.push({ name: '', head: '', text: '\n', body: '' });
  const hooks = options.noHooks ? [] : sorted.hooks.filter(({ isTest }) => !(options.noTests && isTest));
  return [...main, ...hooks.map(shown)];
}

function shown({ name, text }: Pick<Manifest, 'name' | 'text'>): Piece {
  const head = `---\n# Source: ${name}\n`;
  return { name, head, text: `${head}${text}\n`, body: text };
}

/** Why Helm does not even begin. */
function notInstallable({ metadata: { type, texts } }: Chart, { kubeVersion }: TemplateOptions): string | undefined {
  if (type !== '' && type !== 'application') return `${type} charts are not installable`;
  return kubeVersion === undefined ? undefined : wantsOtherKubernetes(texts.get('kubeVersion') ?? '', kubeVersion);
}

const manifestEndings: ReadonlySet<string> = new Set(['yaml', 'yml', 'json']);

function crdsOf(chart: Chart, path: string): Pick<Manifest, 'name' | 'text'>[] {
  const own = chart.files.filter(
    ({ path }) => path.startsWith('crds/') && manifestEndings.has(path.split('.').at(-1)!.toLowerCase()),
  );
  return [
    ...own.map((file) => ({ name: `${path}/${file.path}`, text: file.text })),
    ...chart.dependencies.flatMap((inner) => crdsOf(inner, `${path}/charts/${inner.name}`)),
  ];
}
