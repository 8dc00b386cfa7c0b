import type { Range } from '../../base/text.ts';
import type { Path } from '../../base/value.ts';
import { locateInFile } from '../../rules/judging/locate.ts';
import { type Definition, definitionsFor } from '../../workspace/definitions.ts';
import { splitApiVersion } from '../../workspace/manifest.ts';
import { fileAt, type Snapshot } from '../../workspace/snapshot.ts';
import { type Location, placeIn } from '../place/location.ts';

export interface Link {
  readonly range: Range;
  readonly target: Location;
  readonly tooltip: string;
}

/** From the kind and the version of each resource of a file to the CRD that defines them. */
export function links(snapshot: Snapshot, uri: string): Link[] {
  const file = fileAt(snapshot, uri);
  if (!file || file.template) return [];
  return file.manifests.flatMap((manifest) => {
    const [definition] = definitionsFor(snapshot.definitions, manifest, uri);
    if (!definition) return [];
    const { version } = splitApiVersion(manifest.apiVersion);
    const link = (key: string, path: Path, tooltip: string): Link => ({
      range: locateInFile(file, manifest, [key], 'value').range,
      target: placeIn(definition, path, 'value'),
      tooltip,
    });
    const toKind = link('kind', kindPath, `The CRD of ${definition.kind}`);
    const i = definition.versions.indexOf(version);
    const toVersion = link('apiVersion', ['spec', 'versions', i, 'name'], `Version ${version} in the CRD`);
    return i === -1 ? [toKind] : [toVersion, toKind].sort((a, b) => a.range.start - b.range.start);
  });
}

const kindPath: Path = ['spec', 'names', 'kind'];

export function kindPlace(definition: Definition): Location {
  return placeIn(definition, kindPath, 'value');
}
