import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { isMap, type ValueMap } from '../base/value.ts';
import { contentsOf, kindAt } from '../files/folders.ts';
import { piecesOf } from '../files/pieces.ts';
import { readRegular } from '../files/read.ts';
import { isDump, isYaml } from '../workspace/fileNames.ts';
import { defaultLimits } from '../workspace/limits.ts';
import { textOf } from '../workspace/scan.ts';
import { sourceFile } from '../workspace/sourceFile.ts';
import { jsonObject } from '../workspace/sources/json.ts';
import { JsonObjects } from './jsonObjects.ts';
import { complain } from './terminal.ts';

// What a cluster has stored, as files of it: what `kubectl get -o json` or `-o yaml` prints, or a backup that is unpacked.

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
    else if (entry.isFile() && isDump(entry.name)) {
      found.count++;
      if (found.count > defaultLimits.files) throw new Error(`more than ${defaultLimits.files} files at ${place}`);
      yield at;
    }
  }
}

async function* objectsOf(file: string, unread: Unread): AsyncGenerator<ValueMap> {
  try {
    yield* isYaml(file) ? inYaml(file) : inJson(file);
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    unread.count++;
    complain(`${file}: ${error.message}`);
  }
}

async function* inJson(file: string): AsyncGenerator<ValueMap> {
  const objects = new JsonObjects(defaultLimits.fileBytes);
  let broken = 0;
  for await (const piece of piecesOf(file)) {
    for (const bytes of objects.in(piece)) {
      const object = jsonObject(textOf(bytes) ?? '');
      if (object) yield object;
      else broken++;
    }
  }
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
  const text = textOf(bytes);
  if (text === undefined) throw new Error('cannot be read');
  const { stream, manifests } = sourceFile(pathToFileURL(path.resolve(file)).href, text, { made: true });
  if (stream.documents.some(({ document }) => document.readerError !== undefined))
    throw new Error('it is not valid YAML');
  for (const { value } of manifests) if (isMap(value)) yield value;
}
