import { movedRange, type Range } from '../../base/text.ts';
import { kubeVersionOf, wantsOtherKubernetes } from '../../helm/capabilities.ts';
import { type ChartFile, yamlOf } from '../../helm/chart.ts';
import { ChartError } from '../../helm/chartError.ts';
import type { ChartFolder } from '../../workspace/charts/chartFolder.ts';
import { clusterFor } from '../../workspace/charts/cluster.ts';
import { renderingsOf } from '../../workspace/charts/renderings.ts';
import { type ChartPlace, placeInFile } from '../../workspace/projections/chart.ts';
import type { Snapshot } from '../../workspace/snapshot.ts';
import { ofFailure } from './failures.ts';
import { type ChartFinding, ofCode, placeOfUse } from './finding.ts';
import { findingsOfSchemas } from './schemas.ts';

/** Helm reads templates that are only included as well, and renders nothing where it cannot. */
function ofBrokenHelpers(snapshot: Snapshot, chart: ChartFolder): ChartFinding[] {
  const [first] = renderingsOf(chart, clusterFor(snapshot, chart.root)).all;
  if (!first) return [];
  const [set, frame] = first;
  const broken = [...frame.broken].filter(([name]) => !frame.names.includes(name));
  return broken.flatMap(([name, failure]) => ofFailure(snapshot, chart, { name, failure, set, isOfCluster: false }));
}

/** What is said of a chart before anything of it is rendered. */
export function ofWholeChart(snapshot: Snapshot, chart: ChartFolder): ChartFinding[] {
  return [
    ...ofBrokenChart(snapshot, chart),
    ...ofOtherKubernetes(snapshot, chart),
    ...ofBrokenHelpers(snapshot, chart),
    ...ofMissingCharts(snapshot, chart),
    ...findingsOfSchemas(snapshot, chart),
    ...ofUnresolved(snapshot, chart),
  ];
}

/** Releases that get no values at all. */
function ofUnresolved(snapshot: Snapshot, { given }: ChartFolder): ChartFinding[] {
  return given.sets.flatMap((set) => {
    const place = set.use?.error === undefined ? undefined : placeOfUse(set, 'valuesFrom');
    return place ? ofCode(snapshot, 'chart/values-unresolved', place, set.use!.error!) : [];
  });
}

/** Why there is no chart, where its files cannot be read, or at the top of its Chart.yaml. */
function ofBrokenChart(snapshot: Snapshot, chart: ChartFolder): ChartFinding[] {
  const { error, root } = chart;
  if (!error) return [];
  const uri = error.file?.startsWith(`${root}/`) && !error.file.includes('!/') ? error.file : `${root}/Chart.yaml`;
  const file = chart.fileAt(uri);
  const range = (file && unreadableIn(file)) ?? { start: 0, end: file?.text.search(/[\r\n]|$/) ?? 0 };
  const chartVersion = /chart\.metadata\.version "([^"]{0,300})" is invalid/.exec(error.message)?.[1];
  const says = chartVersion === undefined ? {} : { chartVersion };
  return ofCode(snapshot, 'chart/broken', { uri, range }, error.message, [], says);
}

function unreadableIn(file: ChartFile): Range | undefined {
  const failed = yamlOf(file).documents.find(({ document }) => document.readerError !== undefined);
  const [problem] = failed?.document.problems ?? [];
  return failed && problem && movedRange(problem.range, failed.start);
}

/** Whether Helm installs the chart into the Kubernetes that is chosen, at its `kubeVersion`. */
function ofOtherKubernetes(snapshot: Snapshot, folder: ChartFolder): ChartFinding[] {
  const { chart, root } = folder;
  const file = folder.fileAt(`${root}/Chart.yaml`);
  if (chart instanceof ChartError || !file) return [];
  const wanted = chart.metadata.texts.get('kubeVersion') ?? '';
  const message = wantsOtherKubernetes(wanted, kubeVersionOf(clusterFor(snapshot, root)));
  const place = placeInFile(file, ['kubeVersion']);
  return message === undefined || !place ? [] : ofCode(snapshot, 'chart/kube-version', place, message);
}

/** The charts that a chart depends on and that are not here, each at its place in Chart.yaml. */
function ofMissingCharts(snapshot: Snapshot, chart: ChartFolder): ChartFinding[] {
  const { missing, standIns } = chart.read;
  const unknown = mayTakeFromOthers(chart) ? missing : [];
  return [
    ...unknown.flatMap(({ name, version }) => {
      const message = `The chart ${name} ${version} is not in charts/, so what templates include of it is not known. Run \`helm dependency build\`.`;
      return ofCode(snapshot, 'chart/missing-dependency', placeOfDependency(chart, name), message);
    }),
    ...standIns.flatMap(({ of: { name, version: wanted }, version }) => {
      const message = `The chart ${name} ${wanted} is not in charts/. Templates are rendered with ${name} ${version} from the folder beside this one; Helm may take another version.`;
      return ofCode(snapshot, 'chart/stand-in', placeOfDependency(chart, name), message);
    }),
  ];
}

function placeOfDependency(chart: ChartFolder, name: string): ChartPlace {
  const uri = `${chart.root}/Chart.yaml`;
  const text = chart.fileAt(uri)?.text ?? '';
  const at = Math.max(0, text.indexOf(`name: ${name}`, text.indexOf('dependencies:')));
  return { uri, range: { start: at, end: at === 0 ? text.search(/[\r\n]|$/) : at + `name: ${name}`.length } };
}

/** Whether a template includes something that no file of the chart defines, or that nobody knows before it runs. */
function mayTakeFromOthers({ files }: ChartFolder): boolean {
  const texts = files.filter(({ path }) => path.includes('templates/')).map(({ text }) => text);
  const all = texts.join('\n');
  const defined = new Set(Array.from(all.matchAll(/\b(?:define|block)[ \t]+"([^"\n]*)"/g), ([, name]) => name));
  const calls = Array.from(all.matchAll(/\b(?:include|template)[ \t]+(?:"([^"\n]*)")?/g), ([, name]) => name);
  return calls.some((name) => name === undefined || !defined.has(name));
}
