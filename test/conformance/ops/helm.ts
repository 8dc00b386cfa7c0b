import { type Chart, type ChartFile, loadChart } from '../../../server/src/helm/chart.ts';
import { ChartError } from '../../../server/src/helm/chartError.ts';
import { isFailure, prepare } from '../../../server/src/helm/render.ts';
import { refusalOf } from '../../../server/src/helm/schema/index.ts';
import { type TemplateOptions, templated } from '../../../server/src/helm/templated.ts';
import { mergedMaps, readValues } from '../../../server/src/helm/values.ts';
import { GoMap } from '../../../server/src/template/value.ts';
import type { Answer, Request } from '../protocol.ts';

export type HelmAnswer = { readonly files: Readonly<Record<string, string>> } | { readonly error: string };

/** A chart and what it is rendered with. */
export interface HelmQuestion {
  readonly files: Readonly<Record<string, string>>;
  readonly values?: readonly string[];
  readonly release?: { readonly name?: string; readonly namespace?: string; readonly upgrade?: boolean };
  readonly kubeVersion?: string;
  readonly apiVersions?: readonly string[];
  readonly noHooks?: boolean;
  readonly crds?: boolean;
}

/** What the templates of a chart come to. */
export function helm(request: Request): Answer {
  return helmAnswer(questionOf(request));
}

/** What Helm prints of a chart. */
export function helmTemplate(request: Request): Answer {
  return templateAnswer(questionOf(request));
}

function questionOf(request: Request): HelmQuestion {
  const read = (member: string) => JSON.parse(request.raw(member) ?? 'null') ?? undefined;
  return {
    files: read('files') ?? {},
    values: read('values'),
    release: read('release'),
    kubeVersion: read('kubeVersion'),
    apiVersions: read('apiVersions'),
    noHooks: read('noHooks'),
    crds: read('crds'),
  };
}

export function helmAnswer(question: HelmQuestion): HelmAnswer {
  try {
    return rendered(question);
  } catch (error) {
    if (!(error instanceof ChartError)) throw error;
    return { error: error.message };
  }
}

function loaded(files: readonly ChartFile[]): Chart {
  try {
    return loadChart(files);
  } catch (error) {
    throw error instanceof ChartError ? new ChartError(`load: ${error.message}`) : error;
  }
}

/** A chart, and what it is rendered with; or why Helm does not come to that. */
function asked(question: HelmQuestion): { readonly chart: Chart; readonly options: TemplateOptions } {
  const { files, values = [], release = {}, kubeVersion, apiVersions, noHooks = false, crds = false } = question;
  const chart = loaded(Object.entries(files).map(([path, text]): ChartFile => ({ path, text, id: path })));
  let given = new GoMap();
  for (const [i, text] of values.entries()) {
    const read = readValues(text, `values ${i}`);
    if (read.error !== undefined) throw new ChartError(`values: ${read.error}`);
    given = mergedMaps(given, read.values);
  }
  const { upgrade: isUpgrade, ...rest } = release;
  const options: TemplateOptions = {
    ...{ values: given, noHooks, crds },
    release: { ...rest, ...(isUpgrade !== undefined && { isUpgrade }) },
    ...(kubeVersion !== undefined && { kubeVersion }),
    ...(apiVersions !== undefined && { apiVersions }),
  };
  return { chart, options };
}

export function templateAnswer(question: HelmQuestion): { readonly text: string } | { readonly error: string } {
  try {
    const { chart, options } = asked(question);
    const made = templated(chart, options);
    return 'error' in made ? { error: sent(made.error) } : { text: sent(made.text) };
  } catch (error) {
    if (!(error instanceof ChartError)) throw error;
    return { error: error.message };
  }
}

function rendered(question: HelmQuestion): HelmAnswer {
  const { chart, options } = asked(question);
  const rendering = prepare(chart, options);
  const refused = refusalOf(rendering.verdicts);
  if (refused !== undefined) return { error: `values: ${refused}` };
  const [broken] = rendering.broken.values();
  if (broken) return { error: sent(broken.message) };
  const texts: Record<string, string> = {};
  for (const name of rendering.names) {
    const one = rendering.render(name);
    if (isFailure(one)) return { error: sent(one.message) };
    texts[name] = sent(one.text);
  }
  return { files: texts };
}

/** Bytes that are not UTF-8 are lost on the way through JSON. */
function sent(text: string): string {
  return text.replace(/\p{Cs}/gu, '\ufffd');
}
