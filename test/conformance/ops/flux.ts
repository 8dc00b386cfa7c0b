import { printJson } from '../../../server/src/gostd/jsonPrint.ts';
import { cleanPath } from '../../../server/src/gostd/path.ts';
import { type Addition, build, textOfResource } from '../../../server/src/kustomize/build.ts';
import { jsonCell } from '../../../server/src/template/json.ts';
import { cell, ofEngine } from '../../../server/src/template/value.ts';
import { filledIn, isLeftOut } from '../../../server/src/workspace/delivery/filled.ts';
import { givenBy } from '../../../server/src/workspace/delivery/given.ts';
import { layersOfRelease } from '../../../server/src/workspace/delivery/helmReleases.ts';
import { deliveryOf } from '../../../server/src/workspace/delivery/index.ts';
import { fillingOf } from '../../../server/src/workspace/delivery/kustomizations.ts';
import { deliveredIn } from '../../../server/src/workspace/delivery/objects.ts';
import { additionOf } from '../../../server/src/workspace/kustomizations/appliedBuilds.ts';
import { emptySnapshot } from '../../../server/src/workspace/snapshot.ts';
import { sourceFile } from '../../../server/src/workspace/sourceFile.ts';
import { goYaml } from '../../../server/src/yaml/goYaml.ts';
import type { Answer, Request } from '../protocol.ts';
import { answerOf, filesOf } from './kustomize.ts';

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
export function withObjects(texts: readonly string[]) {
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

/** What a Kustomization in a text adds to what it builds. */
export function additionIn(text: string): Addition | undefined {
  const { files, delivery } = withObjects([text]);
  const [by] = deliveredIn(files[0]!);
  return by && additionOf(delivery, by);
}

/** What a Kustomization builds of a folder, and fills in there. */
export function fluxBuild(request: Request): Answer {
  const { kustomization = '', there = [], strict } = question(request);
  const read = (member: string) => JSON.parse(request.raw(member) ?? 'null') ?? undefined;
  const { files, delivery } = withObjects([kustomization, ...there]);
  const [by] = deliveredIn(files[0]!);
  const made = build(filesOf(read('files') ?? {}), cleanPath(`/${read('path') ?? ''}`), {
    anyFile: true,
    addition: additionOf(delivery, by!)!,
  });
  const filling = fillingOf(delivery, by!);
  const answer = answerOf(made);
  if ('error' in answer || !filling) return 'text' in answer ? { files: { text: String(answer.text) } } : answer;
  const texts: string[] = [];
  for (const resource of made.resources) {
    const [manifest] = sourceFile('file:///flux/object.yaml', textOfResource(resource)).manifests;
    const filled = manifest && filledIn(manifest, filling, strict ?? false);
    if (filled && 'error' in filled) return { error: filled.error };
    texts.push(filled && filled.manifest !== manifest ? goYaml(filled.manifest.value) : textOfResource(resource));
  }
  return { files: { text: texts.join('---\n') } };
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
