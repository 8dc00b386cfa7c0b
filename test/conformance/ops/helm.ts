import { type Chart, type ChartFile, loadChart } from '../../../server/src/helm/chart.ts';
import { ChartError } from '../../../server/src/helm/chartError.ts';
import { isFailure, prepare, type RenderOptions } from '../../../server/src/helm/render.ts';
import { refusalOf } from '../../../server/src/helm/schema/index.ts';
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
}

/** What the templates of a chart come to. */
export function helm(request: Request): Answer {
  const read = (member: string) => JSON.parse(request.raw(member) ?? 'null') ?? undefined;
  const answer = helmAnswer({
    files: read('files') ?? {},
    values: read('values'),
    release: read('release'),
    kubeVersion: read('kubeVersion'),
    apiVersions: read('apiVersions'),
  });
  return answer;
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

function rendered({ files, values = [], release = {}, kubeVersion, apiVersions }: HelmQuestion): HelmAnswer {
  const chart = loaded(Object.entries(files).map(([path, text]): ChartFile => ({ path, text, id: path })));
  let given = new GoMap();
  for (const [i, text] of values.entries()) {
    const read = readValues(text, `values ${i}`);
    if (read.error !== undefined) return { error: `values: ${read.error}` };
    given = mergedMaps(given, read.values);
  }
  const { upgrade: isUpgrade, ...rest } = release;
  const options: RenderOptions = {
    values: given,
    release: { ...rest, ...(isUpgrade !== undefined && { isUpgrade }) },
    ...(kubeVersion !== undefined && { kubeVersion }),
    ...(apiVersions !== undefined && { apiVersions }),
  };
  const rendering = prepare(chart, options);
  const refused = refusalOf(rendering.verdicts);
  if (refused !== undefined) return { error: `values: ${refused}` };
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
