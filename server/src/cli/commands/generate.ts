import path from 'node:path';
import { printable } from '../../base/printable.ts';
import { controllerGenVersion } from '../../controllergen/crd/generate.ts';
import { whyNotMade } from '../../controllergen/crd/missing.ts';
import { whyNoCrds, withHeader } from '../../controllergen/crd/options.ts';
import { noOptions } from '../../controllergen/crd/optionTypes.ts';
import { addressOf } from '../../files/address.ts';
import { NotWritten, writeWhole } from '../../files/write.ts';
import { callText, type GeneratorCall } from '../../workspace/generatorCalls.ts';
import { crdText } from '../../workspace/projections/crdText.ts';
import { textOf } from '../../workspace/scan.ts';
import { promptFiles } from '../../workspace/sources/nodeFiles.ts';
import { isInside, resolve } from '../../workspace/uri.ts';
import { brokenFiles, saidOf } from '../goCrds.ts';
import { goPaths, hasGo } from '../goPaths.ts';
import { nameOf } from '../report.ts';
import { command } from '../table/command.ts';
import { outputFolder } from '../table/shared.ts';
import { complain, emit } from '../terminal.ts';
import { goPackagesFor } from '../workspace.ts';

interface GenerateOptions {
  readonly paths: readonly string[];
  /** The folder that files are written to, under controller-gen's names; undefined for standard output. */
  readonly output: string | undefined;
}

/** Prints the CRDs that controller-gen makes of Go packages; gives the exit code. */
async function generateCrds({ paths, output }: GenerateOptions): Promise<number> {
  const missing = paths.filter((one) => !hasGo(one, 'kinds'));
  if (missing.length > 0) throw new Error(`no Go packages with markers found at ${missing.join(', ')}`);
  const { folders } = goPaths(paths, 'kinds');
  const reads = /-mod=mod\b/.test(process.env.GOFLAGS ?? '') ? 'fetched' : 'whole';
  const result = await (await goPackagesFor(folders)).generate(folders, undefined, reads);
  for (const call of result.calls) complain(printable(callText(call, nameOf)));
  const broken = brokenFiles(result);
  for (const text of broken) complain(printable(text));
  const crds = result.crds.filter(({ isDropped }) => !isDropped);
  const known = crds.filter((crd) => whyNotMade(crd) === undefined);
  const headers = new Map<GeneratorCall, string>();
  for (const call of new Set(known.flatMap((crd) => result.callOf(crd) ?? []))) {
    const header = await headerFor(call);
    if ('refused' in header) {
      complain(printable(header.refused));
      return 1;
    }
    headers.set(call, header.text);
  }
  const files = known.map((crd) => {
    const call = result.callOf(crd);
    const header = call && headers.get(call);
    return { fileName: crd.fileName, text: withHeader(crdText(crd.value), header ?? '', call?.options ?? noOptions) };
  });
  const unwritten = output === undefined ? printed(files) : await written(files, output);
  const refused = new Set(saidOf(result));
  for (const text of refused) complain(printable(text));
  for (const crd of crds) {
    const why = whyNotMade(crd);
    if (why !== undefined) complain(printable(`${crd.fileName}: not made: ${why}`));
  }
  return refused.size + broken.length > 0 ? 1 : known.length < crds.length || unwritten > 0 ? 2 : 0;
}

/** How many bytes the file of a header may have. */
const mostHeaderBytes = 100_000;

/** What a call puts before its CRDs, or why controller-gen writes none. */
async function headerFor({ options, folder }: GeneratorCall): Promise<{ text: string } | { refused: string }> {
  const refused = whyNoCrds(options);
  if (refused !== undefined) return { refused };
  const name = options.headerFile ?? '';
  if (name === '') return { text: '' };
  const uri = resolve(folder, name);
  // The name comes from a file of the repository, and so may a link.
  const here = addressOf(process.cwd());
  const outside = { refused: `headerFile=${name}: not read, it is outside of the folder that this runs in` };
  if (!isInside(uri, here)) return outside;
  const text = textOf(await promptFiles.read(uri, mostHeaderBytes));
  if (text !== undefined && !(await promptFiles.isInside(uri, here))) return outside;
  return text === undefined ? { refused: `open ${name}: no such file or directory` } : { text };
}

interface MadeFile {
  readonly fileName: string;
  readonly text: string;
}

function printed(files: readonly MadeFile[]): number {
  for (const { text } of files) emit(text);
  return 0;
}

/** Writes each to its file of a folder; gives how many could not be. */
async function written(files: readonly MadeFile[], folder: string): Promise<number> {
  const texts = new Map<string, string>();
  let unwritten = 0;
  for (const crd of files) {
    // Not all systems tell names apart by their capitals.
    const name = crd.fileName.toLowerCase();
    const before = texts.get(name);
    // The empty CRDs of kinds without versions are alike.
    if (before === crd.text) continue;
    const isTaken = before !== undefined;
    texts.set(name, before ?? crd.text);
    const why = isTaken ? `${crd.fileName} is not written again: another CRD is called so` : await write(crd, folder);
    if (why === undefined) continue;
    complain(printable(why));
    unwritten++;
  }
  return unwritten;
}

/** Says why a file could not be written. */
async function write(crd: MadeFile, folder: string): Promise<string | undefined> {
  try {
    await writeWhole(path.join(folder, crd.fileName), crd.text, folder);
    return undefined;
  } catch (error) {
    if (error instanceof NotWritten) return error.message;
    throw error;
  }
}

export const generateCommand = command({
  name: 'generate',
  about: 'prints the CRDs that controller-gen makes of Go types',
  inShort:
    'prints the CRDs that controller-gen makes of Go types, byte for byte and without Go; `check ./api/...` checks the types; [docs/go.md](go.md)',
  takes: '[PATH]...',
  explains: `Prints the CRDs that controller-gen ${controllerGenVersion} makes of Go packages, without running Go: folders, or with /... at the end also the packages below; by default all packages below the folder it runs in. Imported packages are read from the module itself, its vendor folder, or the module cache.`,
  options: { outputFolder: outputFolder('write files there, under the names that controller-gen gives them') },
  exits:
    'Exit code 0: made, 1: controller-gen would end with an error, 2: wrong usage, or types of packages that are not here.',
  examples: [
    'kube-crd generate ./api/...',
    'kube-crd generate --output-folder config/crd/bases ./api/v1 ./api/v1beta1',
  ],
  completes: 'folder',
  run: (values, paths) => generateCrds({ paths: paths.length > 0 ? paths : ['./...'], output: values.outputFolder }),
});
