import path from 'node:path';
import { append } from '../base/append.ts';
import { isMap, type ValueMap } from '../base/value.ts';
import { addressOf } from '../files/address.ts';
import { contentsOf, kindAt } from '../files/folders.ts';
import { unpackedPieces } from '../files/gunzip.ts';
import { piecesOf } from '../files/pieces.ts';
import { readRegular } from '../files/read.ts';
import { isArchive, isDump, isYaml } from '../workspace/fileNames.ts';
import { defaultLimits } from '../workspace/limits.ts';
import { textOf } from '../workspace/scan.ts';
import { sourceFile } from '../workspace/sourceFile.ts';
import { jsonObject } from '../workspace/sources/json.ts';
import { tarReader } from '../workspace/sources/tar.ts';
import { JsonObjects } from './jsonObjects.ts';
import { complain } from './terminal.ts';

// What a cluster has stored, as files of it: what `kubectl get -o json` or `-o yaml` prints, or a backup,
// unpacked or as the archive that Velero makes.

/** How much of a dump could not be read. */
export interface Unread {
  count: number;
}

/** The objects in files and folders, one at a time. */
export async function* dumpedObjects(paths: readonly string[], unread: Unread): AsyncGenerator<ValueMap> {
  for (const one of paths) {
    if ((await kindAt(one)) === undefined) throw new Error(`nothing found at ${one}`);
    let files = 0;
    for await (const file of filesIn(one)) {
      files++;
      yield* objectsOf(file, unread);
    }
    if (files === 0) throw new Error(`${one} has no files of JSON or YAML`);
  }
}

async function* filesIn(place: string, found = { count: 0 }): AsyncGenerator<string> {
  if ((await kindAt(place)) !== 'folder') {
    yield place;
    return;
  }
  const { entries, notes } = await contentsOf(place);
  for (const note of notes) complain(note);
  for (const entry of [...entries].sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const at = path.join(place, entry.name);
    // Links are not followed: they may lead out, or round.
    if (entry.isDirectory()) yield* filesIn(at, found);
    else if (entry.isFile() && (isDump(entry.name) || isArchive(entry.name))) {
      found.count++;
      if (found.count > defaultLimits.files) throw new Error(`more than ${defaultLimits.files} files at ${place}`);
      yield at;
    }
  }
}

async function* objectsOf(file: string, unread: Unread): AsyncGenerator<ValueMap> {
  try {
    yield* isArchive(file) ? inArchive(file, unread) : isYaml(file) ? inYaml(file) : inJson(file);
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    unread.count++;
    complain(`${file}: ${error.message}`);
  }
}

/** What an archive may hold: more than the backup of any cluster has. */
const mostUnpacked = 8_000_000_000;
const mostEntries = 2_000_000;

/** The files of an archive, as Velero keeps its backups: unpacked piece by piece, and one file is held at a time. */
async function* inArchive(file: string, unread: Unread): AsyncGenerator<ValueMap> {
  const found: ValueMap[] = [];
  let [bytes, tooLarge] = [0, 0];
  const tar = tarReader({
    wants: ({ name, size }) => {
      const isWanted = isDump(name) && size <= defaultLimits.fileBytes;
      if (isDump(name) && !isWanted) tooLarge++;
      return isWanted;
    },
    take: ({ name }, content) => {
      const objects = objectsIn(name, content);
      if (typeof objects !== 'string') return append(found, objects);
      unread.count++;
      complain(`${file}: ${name}: ${objects}`);
    },
  });
  for await (const piece of unpackedPieces(file)) {
    bytes += piece.length;
    tar.push(piece);
    yield* found.splice(0);
    if (tar.broken !== undefined) throw new Error(tar.broken);
    if (bytes > mostUnpacked || tar.entries > mostEntries)
      throw new Error(`it unpacks to more than ${mostUnpacked} bytes or ${mostEntries} files; the rest was not read`);
    if (tar.ended) break;
  }
  if (!tar.ended && !tar.whole) throw new Error('it ends in the middle of a file');
  if (tooLarge > 0) throw new Error(`${tooLarge} files in it have more than ${defaultLimits.fileBytes} bytes`);
}

/** The objects of a file of an archive, which is small; or what is wrong with it. */
function objectsIn(name: string, content: Uint8Array): ValueMap[] | string {
  if (isYaml(name)) return yamlObjects(addressOf('/in-archive.yaml'), content);
  const objects = new JsonObjects(defaultLimits.fileBytes);
  const all = [...objects.in(content), ...objects.rest()].map((one) => jsonObject(textOf(one) ?? ''));
  const found = all.filter((one) => one !== undefined);
  return found.length === all.length && objects.isWhole ? found : 'it is not the whole of a JSON text with objects';
}

async function* inJson(file: string): AsyncGenerator<ValueMap> {
  const objects = new JsonObjects(defaultLimits.fileBytes);
  let broken = 0;
  function* read(found: Iterable<Uint8Array>): Generator<ValueMap> {
    for (const bytes of found) {
      const object = jsonObject(textOf(bytes) ?? '');
      if (object) yield object;
      else broken++;
    }
  }
  for await (const piece of piecesOf(file)) yield* read(objects.in(piece));
  yield* read(objects.rest());
  const wrong = [
    ...(broken > 0 ? [`${broken} objects in it are not JSON`] : []),
    ...(objects.tooLarge > 0 ? [`${objects.tooLarge} objects have more than ${defaultLimits.fileBytes} bytes`] : []),
    ...(objects.isWhole ? [] : ['it is not the whole of a JSON text with objects']),
  ];
  if (wrong.length > 0) throw new Error(wrong.join('; '));
}

async function* inYaml(file: string): AsyncGenerator<ValueMap> {
  const bytes = await readRegular(file, defaultLimits.fileBytes);
  if (bytes === 'too-large')
    throw new Error(`larger than ${defaultLimits.fileBytes} bytes; kubectl get -o json makes files of any size`);
  const objects = yamlObjects(addressOf(path.resolve(file)), bytes);
  if (typeof objects === 'string') throw new Error(objects);
  yield* objects;
}

/** The objects of a YAML text; or what is wrong with it. */
function yamlObjects(uri: string, bytes: Parameters<typeof textOf>[0]): ValueMap[] | string {
  const text = textOf(bytes);
  if (text === undefined) return 'cannot be read';
  const { stream, manifests } = sourceFile(uri, text, { made: true });
  if (stream.documents.some(({ document }) => document.readerError !== undefined)) return 'it is not valid YAML';
  return manifests.flatMap(({ value }) => (isMap(value) ? [value] : []));
}
