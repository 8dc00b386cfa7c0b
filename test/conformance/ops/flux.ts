import { printJson } from '../../../server/src/gostd/jsonPrint.ts';
import { jsonCell } from '../../../server/src/template/json.ts';
import { cell, ofEngine } from '../../../server/src/template/value.ts';
import { filledIn, isLeftOut } from '../../../server/src/workspace/delivery/filled.ts';
import { givenBy } from '../../../server/src/workspace/delivery/given.ts';
import { layersOfRelease } from '../../../server/src/workspace/delivery/helmReleases.ts';
import { deliveryOf } from '../../../server/src/workspace/delivery/index.ts';
import { fillingOf } from '../../../server/src/workspace/delivery/kustomizations.ts';
import { deliveredIn } from '../../../server/src/workspace/delivery/objects.ts';
import { emptySnapshot } from '../../../server/src/workspace/snapshot.ts';
import { sourceFile } from '../../../server/src/workspace/sourceFile.ts';
import { goYaml } from '../../../server/src/yaml/goYaml.ts';
import type { Answer, Request } from '../protocol.ts';

/** What is asked about Flux. */
interface FluxQuestion {
  readonly object?: string;
  readonly kustomization?: string;
  readonly there?: readonly string[];
  readonly strict?: boolean;
  readonly own?: string;
  readonly refs?: string;
}

function question(request: Request): FluxQuestion {
  const read = (member: string) => JSON.parse(request.raw(member) ?? 'null') ?? undefined;
  return {
    ...{ object: read('object'), kustomization: read('kustomization'), there: read('there') },
    ...{ strict: read('strict'), own: read('own'), refs: read('refs') },
  };
}

/** A snapshot with objects, each in a file of its own. */
function withObjects(texts: readonly string[]) {
  const files = texts.map((text, i) => sourceFile(`file:///flux/${i}.yaml`, text));
  const disk = { ...emptySnapshot.delivery, files: new Map(files.map((file) => [file.uri, file])) };
  return { files, delivery: deliveryOf({ ...emptySnapshot, delivery: disk }) };
}

/** An object as a Kustomization applies it. */
export function fluxSubstitute(request: Request): Answer {
  const { object = '', kustomization = '', there = [], strict } = question(request);
  const { files, delivery } = withObjects([kustomization, ...there]);
  const [manifest] = sourceFile('file:///flux/object.yaml', object).manifests;
  const [by] = deliveredIn(files[0]!);
  const before = goYaml(manifest!.value);
  const filling = by && fillingOf(delivery, by);
  if (isLeftOut(manifest!)) return { files: { before } };
  if (!filling) return { files: { before, after: printJson(manifest!.value) } };
  const made = filledIn(manifest!, filling, strict ?? false);
  if ('error' in made) return { error: made.error };
  return { files: { before, after: printJson(made.manifest.value) } };
}

/** The values that Flux gives to Helm. */
export function fluxValues(request: Request): Answer {
  const { own = '{}', refs = '[]', there = [] } = question(request);
  const inner = (text: string) => text.replace(/^(?=.)/gm, '    ');
  const release = `apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {name: release, namespace: apps}
spec:
  values:
${inner(own)}
  valuesFrom:
${inner(refs)}
`;
  const { files, delivery } = withObjects([release, ...there]);
  const [by] = deliveredIn(files[0]!);
  const use = {
    by: by!,
    chart: '',
    release: {},
    at: ['spec', 'values'],
    skipsSchema: false,
    ...layersOfRelease(delivery, by!),
  };
  const { set } = givenBy(use, () => undefined);
  const { error, unknown } = set.use!;
  if (error !== undefined || unknown.length > 0) return { error: error ?? unknown.join(', ') };
  const style = { escapesHtml: true, indent: undefined };
  return { files: { values: String(jsonCell(cell(set.given!, ofEngine), style, ofEngine).value) } };
}
