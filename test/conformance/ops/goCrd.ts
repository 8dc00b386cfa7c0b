import type { Value } from '../../../server/src/base/value.ts';
import { controllerGenVersion, generate, hasMistakes } from '../../../server/src/controllergen/crd/generate.ts';
import type { Generated, GoMistake } from '../../../server/src/controllergen/crd/model.ts';
import { readCrdOptions, whyNoCrds, withHeader } from '../../../server/src/controllergen/crd/options.ts';
import { type CrdOptions, noOptions } from '../../../server/src/controllergen/crd/optionTypes.ts';
import {
  asListed,
  isListed,
  isTest,
  type ListFault,
  type Look,
  listing,
  withMissing,
} from '../../../server/src/controllergen/listing.ts';
import {
  fileFaults,
  type GoPackage,
  type PackageFile,
  type Packages,
  withoutBroken,
} from '../../../server/src/controllergen/packages.ts';
import { isStandard } from '../../../server/src/controllergen/standard.ts';
import { parseGo } from '../../../server/src/controllergen/syntax/parse.ts';
import { crdText } from '../../../server/src/workspace/projections/crdText.ts';
import { withGo } from '../../support/packaged.ts';
import type { Answer, Request } from '../protocol.ts';

/**
 * What controller-gen makes of the files of the module example.com, whose other imports are not there; with `texts`, what it
 * writes into its files as well.
 */
export function goCrd(request: Request): Answer {
  const files: Record<string, string> = JSON.parse(request.raw('obj') ?? '{}');
  const packages = packagesOf(files);
  const listed = listing(
    packages.map(({ path }) => path),
    lookIn(files),
  );
  const broken = [...listed.faults.map(listText), ...brokenFiles(packages)];
  const whole = packages.map((one) => asListed(withoutBroken(one), listed, true));
  const read = packages.map((one) => asListed(withoutBroken(one), listed, false));
  const own = withMissing(new Map(read.map((one) => [one.path, one])), listed);
  const options = optionsOf(request);
  const { crds, mistakes } = generatedWithGo(whole, own, options);
  // Behind the panic are words of our own.
  const [, panic] = mistakes.flatMap(({ message }) => /^panic: ([^.]+)\./.exec(message) ?? []);
  if (panic !== undefined) return { panic };
  const header = options.headerFile === undefined ? '' : files[options.headerFile];
  const refused = header === undefined ? `open ${options.headerFile}: no such file or directory` : whyNoCrds(options);
  const ofKinds = crds.filter(({ isDropped }) => !isDropped);
  const kept = refused === undefined ? ofKinds : [];
  const stored = new Map<string, Value>([['by', controllerGenVersion]]);
  stored.set('crds', new Map(kept.map((crd) => [crd.fileName, crd.value])));
  if (broken.length > 0) stored.set('broken', true);
  const unread = new Set(whole.filter(hasMistakes).map(({ path }) => path));
  const isSaid = ({ package: of, isEarly }: GoMistake) => isEarly || !unread.has(of);
  const refusals = mistakes.filter(isSaid).map((mistake) => said(mistake, new Map(Object.entries(files))));
  const errors = new Set([...broken, ...refusals]);
  if (errors.size > 0 && header !== undefined) stored.set('errors', [...errors].sort());
  // Without a kind it comes to none of this.
  if (refused !== undefined && ofKinds.length > 0) stored.set('said', `${refused}\n`);
  if (request.raw('texts') !== 'true' || kept.length === 0) return { stored };
  return {
    stored,
    texts: Object.fromEntries(kept.map((crd) => [crd.fileName, withHeader(crdText(crd.value), header ?? '', options)])),
  };
}

/** What the module itself has; what others have is not known here. */
function lookIn(files: Readonly<Record<string, string>>): Look {
  return (path) => {
    if (path !== 'example.com' && !path.startsWith('example.com/')) return undefined;
    const folder = path.slice('example.com/'.length);
    const found = Object.keys(files)
      .filter((name) => name.endsWith('.go') && folderOf(name) === folder)
      .sort()
      .map((uri) => ({ name: uri.split('/').at(-1)!, uri, go: parseGo(files[uri]!) }));
    if (found.length === 0)
      return { missing: `no required module provides package ${path}; to add it:\n\tgo get ${path}` };
    const kept = found.filter(({ name, go }) => isListed(name, go));
    const isTests = found.every(({ name }) => isTest(name));
    return kept.length === 0 && !isTests ? undefined : { path, folder, files: kept, isTests };
  };
}

function folderOf(name: string): string {
  return name.split('/').slice(0, -1).join('/');
}

function listText({ message, folder, place }: ListFault): string {
  const text = folder === undefined ? message : `${message} in ${folder}`;
  return place ? placed({ uri: place.file.uri, at: place.at, message: text, text: place.file.go.text }) : `-: ${text}`;
}

/** What Go's own packages have is read as it is asked for. */
function generatedWithGo(roots: readonly GoPackage[], own: Packages, options: CrdOptions): Generated {
  let packages = own;
  let made = generate(roots, packages, options);
  while (made.wanted.size > 0) {
    packages = withGo(packages, made.wanted);
    made = generate(roots, packages, options);
  }
  return made;
}

function optionsOf(request: Request): CrdOptions {
  const text: string = JSON.parse(request.raw('options') ?? '""');
  return readCrdOptions(text)?.options ?? noOptions;
}

export function packagesOf(files: Readonly<Record<string, string>>): GoPackage[] {
  const byFolder = new Map<string, PackageFile[]>();
  for (const name of Object.keys(files)
    .filter((one) => one.endsWith('.go') && !isTest(one))
    .sort()) {
    const folder = folderOf(name);
    byFolder.set(folder, [...(byFolder.get(folder) ?? []), { uri: name, go: parseGo(files[name]!) }]);
  }
  return [...byFolder].map(([folder, own]) => ({
    path: ['example.com', folder].filter(Boolean).join('/'),
    files: own,
  }));
}

/** Of a package with a file that Go cannot parse controller-gen makes nothing. */
function brokenFiles(packages: readonly GoPackage[]): string[] {
  return packages.flatMap((one) =>
    fileFaults(one).map(({ file: { uri, go }, at, message, isOfPackage }) => {
      return `${isOfPackage ? '-: ' : ''}${placed({ uri, at, message, text: go.text })}`;
    }),
  );
}

/** A mistake as controller-gen prints it, with the files' names from a folder on. */
export function said({ message, said, package: of }: GoMistake, texts: ReadonlyMap<string, string>, home = ''): string {
  // Which of a group's packages controller-gen gives changes from run to run.
  if (!said) return message.startsWith('CRD for ') ? `-: ${message}` : `${of}:-: ${message}`;
  // Where it is in Go's own files depends on where those are.
  if (isStandard(said.uri)) return `${said.uri.replace(/^go:/, '')}: ${message}`;
  return placed({ uri: said.uri, at: said.range.start, message, text: texts.get(said.uri)! }, home);
}

interface Placed {
  readonly uri: string;
  readonly at: number;
  readonly message: string;
  readonly text: string;
}

function placed({ uri, at, message, text }: Placed, home = ''): string {
  // For Go the break at the end of a file begins no line.
  const start = text.slice(0, Math.min(at, text.length - 1)).lastIndexOf('\n') + 1;
  const line = text.slice(0, start).split('\n').length;
  const column = Buffer.byteLength(text.slice(start, at)) + 1;
  return `${uri.slice(home.length)}:${line}:${column}: ${message}`;
}
