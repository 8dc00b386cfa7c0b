import { existsSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { printable } from '../base/printable.ts';
import type { Value } from '../base/value.ts';
import { convertedSuite } from '../crdtest/convertEnvtest.ts';
import { crdsFor, readEnvtestSuite, suiteFault } from '../crdtest/envtestSuite.ts';
import { type Snapshot, versionsFor } from '../workspace/snapshot.ts';
import type { SourceFile } from '../workspace/sourceFile.ts';
import { renderBlock } from '../yaml/render.ts';
import { writeWhole } from './outputs.ts';
import { complain, nameOf } from './report.ts';

export interface ConvertOptions {
  /** The folder that files are written to; undefined where they are printed. */
  readonly output: string | undefined;
  /** As they were asked for; then the files name them. */
  readonly versions: string | undefined;
}

const style = { eol: '\n', step: 2, indentLists: true };
const yaml = (value: Value) => `${renderBlock(value, 0, style)}\n`;

/** Writes the suites of a file in the form of ours; gives how many cases they have, and how many of these were left out. */
export async function convertFile(
  file: SourceFile,
  snapshot: Snapshot,
  options: ConvertOptions & { readonly isNamed: boolean },
): Promise<{ cases: number; left: number }> {
  // What lies elsewhere has no place below the folder.
  const name = nameOf(file.uri).replace(/^(?:.*\/)?\.\.\//, '');
  const base = path.basename(name).replace(/(?:\.testsuite)?\.ya?ml$/i, '');
  const folder = options.output === undefined ? process.cwd() : path.resolve(options.output, path.dirname(name));
  const files = new Map<string, string>();
  const documents: string[] = [];
  let [cases, left] = [0, 0];
  const definitions = [...snapshot.definitions.values()].flat();
  // Values of CRDs may be made again: each is asked for once.
  const fileOf = new Map(definitions.map(({ manifest, file }) => [manifest.value as Value, file]));
  const all = [...fileOf.keys()];
  /** Where a CRD is: in its own file, if that has no other, or in one that is written beside the tests. */
  const placeOf = (crd: Value): string => {
    const found = fileOf.get(crd);
    if (found && found.manifests.length === 1)
      return path.relative(folder, fileURLToPath(found.uri)).split(path.sep).join('/');
    if (options.output === undefined)
      throw new Error(`${nameOf(file.uri)}: the CRD has to be changed for some cases; name a folder with --output`);
    const text = yaml(crd);
    const known = [...files].find(([, one]) => one === text)?.[0];
    const copy = known ?? `${base}.crd-${files.size + 1}.yaml`;
    files.set(copy, text);
    return copy;
  };
  for (const { document } of file.stream.documents) {
    const fault = suiteFault(document, options.isNamed);
    if (fault) {
      complain(`${nameOf(file.uri)}: ${printable(fault.message)}`);
      left++;
    }
    const suite = readEnvtestSuite(document);
    if (!suite || fault) continue;
    cases += suite.cases.length;
    const crds = crdsFor(suite, all);
    if (crds.length === 0)
      complain(`${nameOf(file.uri)}: no CRD ${printable(suite.crdName)} is known; name it with --crds`);
    if (crds.length === 0) left += suite.cases.length;
    for (const crd of crds) {
      const converted = convertedSuite(suite, crd, versionsFor(snapshot, file.uri)[0]!);
      for (const why of converted.left) complain(`${nameOf(file.uri)}: not converted: ${printable(why)}`);
      left += converted.left.length;
      for (const group of converted.groups) {
        const head: [string, Value][] = [['crd', placeOf(group.crd)]];
        if (options.versions !== undefined) head.push(['kubernetes', options.versions]);
        documents.push(yaml(new Map<string, Value>([...head, ['cases', group.cases]])));
      }
    }
  }
  if (documents.length === 0) return { cases, left };
  files.set(`${base}.crdtest.yaml`, documents.join('---\n'));
  if (options.output === undefined) process.stdout.write(documents.map((text) => `---\n${text}`).join(''));
  else await writeAll(folder, files);
  return { cases, left };
}

/** What is there already is somebody's work. */
async function writeAll(folder: string, files: ReadonlyMap<string, string>): Promise<void> {
  for (const name of files.keys()) {
    const file = path.join(folder, name);
    if (existsSync(file)) throw new Error(`${path.relative('.', file)} exists already; nothing is written over it`);
  }
  for (const [name, text] of files) await writeWhole(path.join(folder, name), text);
  for (const name of files.keys()) complain(`${path.relative('.', path.join(folder, name))} written`);
}
