import type { ValueMap } from '../../base/value.ts';
import type { Read } from '../../files/read.ts';
import { compareVersions } from '../../kubernetes/versionPriority.ts';
import { archiveStem, catalogueName } from '../fileNames.ts';
import type { Files } from '../files.ts';
import type { WantedKind } from '../kinds.ts';
import { defaultLimits, type SourceLimits } from '../limits.ts';
import type { Origin } from '../origin.ts';
import { textOf } from '../scan.ts';
import { sourceFile } from '../sourceFile.ts';
import type { ArchiveContents } from './archiveContents.ts';
import { jsonObject } from './json.ts';
import type { Place } from './place.ts';
import { shownUri } from './shown.ts';
import { turnedBack } from './turnBack.ts';

/** How the schemas of a kind are found in a catalogue: their paths, and their content. */
export interface Schemas {
  paths(wanted: WantedKind): Promise<readonly string[]>;
  read(path: string): Promise<Read>;
}

/** A catalogue of JSON schemas. Only the schemas of a kind that is asked for are read. */
export function cataloguePlace(
  uri: string,
  schemas: Schemas,
  limits: SourceLimits,
  note: (what: string) => void,
): Place {
  const name = archiveStem(uri);
  const origin: Origin = { text: `${name}, named in kubeCrd.crds`, source: 'settings', fromSchema: true };
  return {
    name: uri,
    origin,
    find: async (wanted) => {
      const versions = [];
      for (const path of (await schemas.paths(wanted)).slice(0, limits.candidates)) {
        const schema = schemaIn(await schemas.read(path), () =>
          note(`${name}: ${path} is not a schema that can be read`),
        );
        if (schema) versions.push({ version: versionOf(path), schema });
      }
      // Without the version that is asked for it tells nothing.
      if (!versions.some(({ version }) => version === wanted.version)) return undefined;
      versions.sort((a, b) => compareVersions(a.version, b.version));
      const path = `${wanted.group}/${wanted.kind.toLowerCase()}.yaml`;
      return sourceFile(shownUri(uri, path), turnedBack(wanted, versions), { limits: defaultLimits, origin });
    },
  };
}

export function schemasInFolder(files: Files, folder: string): Schemas {
  return {
    paths: async (wanted) => {
      const names = (await files.entries(`${folder}/${wanted.group}`)).map(({ name }) => name);
      return names.filter((name) => isOfKind(name, wanted)).map((name) => `${wanted.group}/${name}`);
    },
    read: (path) => files.read(`${folder}/${path}`, defaultLimits.fileBytes),
  };
}

export function schemasInArchive(open: () => Promise<ArchiveContents>): Schemas {
  return {
    paths: async (wanted) => {
      const { schemas } = await open();
      return schemas.filter((path) => {
        const [group, name] = path.split('/').slice(-2);
        return group === wanted.group && isOfKind(name!, wanted);
      });
    },
    read: async (path) => (await open()).read(path),
  };
}

function isOfKind(name: string, { kind }: WantedKind): boolean {
  return catalogueName.test(name) && name.slice(0, name.indexOf('_')) === kind.toLowerCase();
}

function versionOf(path: string): string {
  return path.slice(path.lastIndexOf('_') + 1, -'.json'.length);
}

function schemaIn(bytes: Read, failed: () => void): ValueMap | undefined {
  const schema = jsonObject(textOf(bytes) ?? '');
  if (!schema) failed();
  return schema;
}
