import { storedObjects } from '../../features/views/preview.ts';
import { type Writing, writings } from '../../features/views/writing.ts';
import { gitHistory } from '../../git/history.ts';
import type { KubernetesVersion } from '../../kubernetes/releases/release.ts';
import { baselineReader } from '../../workspace/baseline/load.ts';
import { defaultLimits } from '../../workspace/limits.ts';
import { type Manifest, metadataText } from '../../workspace/manifest.ts';
import { withBaseline, withOpen } from '../../workspace/snapshot.ts';
import { promptFiles } from '../../workspace/sources/nodeFiles.ts';
import { folderOf } from '../../workspace/uri.ts';
import { chartAt, type PrintingOptions, renderedChart } from '../charts.ts';
import { listingAt, readable, sourcesAt } from '../inputs.ts';
import { builtText, kustomizationAt } from '../kustomizations.ts';
import { nameOf } from '../report.ts';
import { command } from '../table/command.ts';
import { choice, flag, text, texts } from '../table/option.ts';
import { baseline, crdOptions, kubernetes, oneVersion, pathsOr } from '../table/shared.ts';
import { complain, emit } from '../terminal.ts';
import { type CrdOptions, openWorkspace, repositoriesSaid } from '../workspace.ts';

const restrictors = ['LoadRestrictionsRootOnly', 'LoadRestrictionsNone'] as const;

interface RenderOptions extends CrdOptions, PrintingOptions {
  readonly loadRestrictor: (typeof restrictors)[number];
  readonly paths: readonly string[];
  readonly version: KubernetesVersion;
  readonly writing: Writing;
  /** The commit whose objects are written over; undefined for the last one, if there is any. */
  readonly baseline: string | undefined;
}

/** Prints what Helm renders of a chart: nothing of it is stored yet, and none of it is refused. */
async function renderChart(root: string, { version, ...options }: RenderOptions): Promise<number> {
  const made = await renderedChart(root, version, options);
  if ('error' in made) complain(made.error);
  else emit(made.text);
  return 'error' in made ? 1 : 0;
}

/** Prints what kustomize builds of a folder. */
async function renderBuild(root: string, { loadRestrictor }: RenderOptions): Promise<number> {
  const { text, said, isWhole } = await builtText(root, loadRestrictor === 'LoadRestrictionsNone');
  if (text !== undefined) emit(text);
  for (const line of said) complain(line);
  return isWhole ? 0 : 1;
}

/** Prints the objects of files as the API server stores them; gives the exit code. */
async function render(options: RenderOptions): Promise<number> {
  const { paths, version, writing, baseline, ...crds } = options;
  const [only] = paths;
  const root = paths.length === 1 ? await chartAt(only!) : undefined;
  if (root !== undefined) return renderChart(root, options);
  const built = paths.length === 1 ? await kustomizationAt(only!) : undefined;
  if (built !== undefined) return renderBuild(built, options);
  const listing = await listingAt(paths);
  const workspace = await openWorkspace(listing, { ...crds, paths }, { chosen: { kubernetesVersion: version.name } });
  for (const line of repositoriesSaid(workspace)) complain(line);
  const history = gitHistory();
  const ref = baseline ?? 'HEAD';
  const reader = baselineReader(history, promptFiles, defaultLimits, () => {});
  let { snapshot } = workspace;
  let failures = 0;
  let refused = 0;
  let first = true;
  for await (const file of readable(sourcesAt(paths, listing), () => failures++)) {
    const { uri } = file;
    snapshot = await workspace.knowing(snapshot, file);
    const committed = writing === 'create' ? undefined : await reader.load(file, ref, snapshot.definitions);
    const isOutside = baseline !== undefined && baseline !== 'none' && committed?.commit === '';
    if (committed?.unknownRef || isOutside) {
      const isPlaced = (await history.repositoryOf(folderOf(uri))) !== undefined;
      complain(`git has no commit ${ref}${isPlaced ? '' : `: ${nameOf(uri)} is outside of git repositories`}`);
      failures++;
      continue;
    }
    for (const one of storedObjects(withBaseline(withOpen(snapshot, file), uri, committed), uri, writing)) {
      if (one.refused.length > 0) {
        refused++;
        for (const why of one.refused) complain(`${nameOf(uri)}: ${objectName(one.manifest)}: ${why}`);
      } else if (one.text !== '') {
        emit(first ? one.text : `---\n${one.text}`);
        first = false;
      }
    }
  }
  history.close();
  return failures > 0 ? 2 : refused > 0 ? 1 : 0;
}

function objectName(manifest: Manifest): string {
  return [manifest.kind, metadataText(manifest, 'name')].filter(Boolean).join(' ');
}

export const renderCommand = command({
  name: 'render',
  about: 'prints objects as the API server stores them: pruned, with defaults, in the storage version',
  inShort: 'prints objects as the API server stores them, new, replaced or applied',
  takes: '[PATH]...',
  explains: `Prints objects as the API server stores them: pruned, with their defaults, in the storage version; those at the paths, the folder it runs in by default; - is standard input.

Objects are new, or written over what git has of them, as if the same person had written that. What the API server would refuse is not printed, and its words say why. Comments say where client-side apply comes to something else than server-side apply.

Of a folder with a chart it prints what helm template prints, with --values and --set over the chart's own values: objects in the order in which Helm installs their kinds, and hooks behind them. Of a folder with a kustomization it prints what kustomize builds.`,
  options: {
    as: choice('WAY', writings, 'create, replace, or apply (kubectl apply --server-side); default: create', {
      fallback: 'create',
    }),
    baseline: baseline('what the object is written over; merge-base:REF is where the branch began; default: HEAD'),
    kubernetes,
    values: texts('FILE', 'of a chart: values over its own; several are merged', { completes: 'file' }),
    set: texts('NAME=VALUE', "of a chart: a value, such as 'image.tag=1.2'"),
    loadRestrictor: choice(
      'WHICH',
      restrictors,
      'of a kustomization: LoadRestrictionsNone lets it read files from outside of its folder, as Flux does',
      { fallback: 'LoadRestrictionsRootOnly' },
    ),
    release: text('NAME', 'of a chart: the name of the release; default: release-name'),
    namespace: text('NAME', 'of a chart: the namespace of the release; default: default'),
    noHooks: flag('of a chart: leave hooks out'),
    includeCrds: flag('of a chart: print what is in crds/ as well'),
    ...crdOptions,
  },
  exits:
    'Exit code 0: all is printed, 1: the API server would refuse an object, 2: wrong usage, or files that could not be read.',
  examples: [
    'kube-crd render --crds config/crd config/samples/widget.yaml',
    'kube-crd render --as apply --crds config/crd config/samples/widget.yaml',
  ],
  run: async ({ as: writing, ...values }, paths) => {
    if (values.baseline !== undefined && writing === 'create')
      throw new Error('--baseline goes with --as replace or --as apply: what is created is written over nothing');
    const version = await oneVersion(values.kubernetes, paths[0]);
    return render({ ...values, paths: pathsOr(paths), version, writing });
  },
});
