import type { ValueMap } from '../../base/value.ts';
import { compareVersions } from '../../kubernetes/versionPriority.ts';
import { catalogueName, type Entry, type Files } from '../files.ts';
import type { WantedKind } from '../kinds.ts';
import { defaultLimits, type SourceLimits } from '../limits.ts';
import type { Origin } from '../origin.ts';
import { textOf } from '../scan.ts';
import { sourceFile } from '../sourceFile.ts';
import { baseName } from '../uri.ts';
import { type ArchiveContents, archiveContents } from './archiveContents.ts';
import { jsonObject } from './json.ts';
import type { Place } from './place.ts';
import { shownUri } from './shown.ts';
import { turnedBack } from './turnBack.ts';

/** How many of a folder's groups are looked at to tell whether it is a catalogue. */
const groupsLookedAt = 3;

/** Whether a folder holds JSON schemas as `{group}/{kind}_{version}.json`, and nothing that would be read otherwise. */
export async function isCatalogue(
  folder: string,
  entries: (folder: string) => Promise<readonly Entry[]>,
): Promise<boolean> {
  const groups = (await entries(folder)).filter(({ name, isFolder }) => isFolder && isGroup(name));
  for (const { name } of groups.slice(0, groupsLookedAt)) {
    const files = await entries(`${folder}/${name}`);
    if (files.length === 0 || files.some((file) => file.isFolder || !catalogueName.test(file.name))) return false;
  }
  return groups.length > 0;
}

const isGroup = (name: string) => /^[a-z0-9][a-z0-9-]*\.[a-z0-9.-]+$/.test(name);

/** How the schemas of a kind are found in a catalogue: their paths, and their content. */
interface Schemas {
  paths(wanted: WantedKind): Promise<readonly string[]>;
  read(path: string): Promise<Uint8Array | 'too-large' | undefined>;
}

/** A catalogue of JSON schemas, in a folder or in an archive. Only the schemas of a kind that is asked for are read. */
export function cataloguePlace(
  files: Files,
  uri: string,
  isArchive: boolean,
  limits: SourceLimits,
  note: (what: string) => void,
): Place {
  const name = baseName(uri).replace(/\.(?:tgz|tar\.gz)$/, '');
  const origin: Origin = { text: `${name}, named in kubeCrd.crds`, source: 'settings', fromSchema: true };
  const schemas = isArchive ? inArchive(files, uri, limits, note) : inFolder(files, uri);
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

function inFolder(files: Files, folder: string): Schemas {
  return {
    paths: async (wanted) => {
      const names = (await files.entries(`${folder}/${wanted.group}`)).map(({ name }) => name);
      return names.filter((name) => isOfKind(name, wanted)).map((name) => `${wanted.group}/${name}`);
    },
    read: (path) => files.read(`${folder}/${path}`, defaultLimits.fileBytes),
  };
}

function inArchive(files: Files, archive: string, limits: SourceLimits, note: (what: string) => void): Schemas {
  let contents: Promise<ArchiveContents> | undefined;
  const open = () => {
    contents ??= archiveContents(files, [archive], limits, note, isSchemaPath);
    return contents;
  };
  return {
    paths: async (wanted) => {
      const { picked } = await open();
      return picked.filter((path) => {
        const [group, name] = path.split('/').slice(-2);
        return group === wanted.group && isOfKind(name!, wanted);
      });
    },
    read: async (path) => (await open()).read(path),
  };
}

function isSchemaPath(path: string): boolean {
  const [group = '', name = ''] = path.split('/').slice(-2);
  return catalogueName.test(name) && isGroup(group);
}

function isOfKind(name: string, { kind }: WantedKind): boolean {
  return catalogueName.test(name) && name.slice(0, name.indexOf('_')) === kind.toLowerCase();
}

function versionOf(path: string): string {
  return path.slice(path.lastIndexOf('_') + 1, -'.json'.length);
}

function schemaIn(bytes: Uint8Array | 'too-large' | undefined, failed: () => void): ValueMap | undefined {
  const schema = jsonObject(textOf(bytes) ?? '');
  if (!schema) failed();
  return schema;
}
