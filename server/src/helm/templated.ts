/** What `helm template` prints of a chart. */
import { trimSpace } from '../gostd/trim.ts';
import { wantsOtherKubernetes } from './capabilities.ts';
import type { Chart } from './chart.ts';
import { ChartError } from './chartError.ts';
import { type Manifest, manifestsOf } from './manifests.ts';
import { isFailure, prepare, type RenderOptions } from './render.ts';
import { refusalOf } from './schema/index.ts';

export interface TemplateOptions extends RenderOptions {
  readonly noHooks?: boolean;
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
    const one = frame.render(name);
    // Helm itself prints nothing once something fails.
    if (isFailure(one)) return { error: one.message };
    if (!name.endsWith('NOTES.txt')) texts.set(name, one.text);
  }
  const sorted = manifestsOf(texts);
  if ('error' in sorted) return sorted;
  const crds = options.crds ? crdsOf(frame.chart, frame.chart.name) : [];
  const main = trimSpace([...crds, ...sorted.objects].map(shown).join(''));
  return { text: [`${main}\n`, ...(options.noHooks ? [] : sorted.hooks.map(shown))].join('') };
}

function shown({ name, text }: Pick<Manifest, 'name' | 'text'>): string {
  return `---\n# Source: ${name}\n${text}\n`;
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
