/** The kustomization of a folder, read. */
import { parseDocument } from '../yaml/document.ts';
import { readValue } from '../yaml/readValue.ts';
import { extended } from './addition.ts';
import { ConfigFile, type KustomizationFile } from './configFile.ts';
import { decodeStruct } from './decode.ts';
import { edited } from './edited.ts';
import { Failure, fail } from './failure.ts';
import { type Kustomization, kustomizationType } from './kustomization.ts';
import { joinPath, kustomizationNames, type Loader } from './loader.ts';
import { type Place, placeIn } from './origin.ts';
import { keptOf } from './session.ts';
import type { Addition, FileText, FluxAddition } from './types.ts';

/** Reads the kustomization of a folder, with what whoever applies it adds. */
export function loadKustomization(loader: Loader): KustomizationFile {
  const { addition } = loader.context.options;
  // Of the folder that is built, not of those that it takes.
  const read = addition && loader.depth === 0 ? withAddition(loader, addition) : ownKustomization(loader)!;
  check(read, loader.root);
  return read;
}

function withAddition(loader: Loader, addition: Addition): KustomizationFile {
  if (addition.by === 'argo') return edited(addition, loader, ownKustomization(loader)!);
  return extended(addition, loader, ownKustomization(loader, addition));
}

/** `addition` is what makes one for a folder that has none. */
function ownKustomization(loader: Loader, addition?: FluxAddition): KustomizationFile | undefined {
  const found = kustomizationNames.flatMap((name) => {
    if (!loader.context.has(joinPath(loader.root, name))) return [];
    try {
      return [{ name, ...loader.load(name) }];
    } catch (error) {
      if (!(error instanceof Failure) || error.kind === 'bound') throw error;
      return [];
    }
  });
  if (found.length === 0 && addition) return undefined;
  if (found.length === 0) {
    const names = kustomizationNames.map((name) => `'${name}'`);
    fail(`unable to find one of ${names.slice(0, -1).join(', ')} or ${names.at(-1)} in directory '${loader.root}'`);
  }
  if (found.length > 1) fail(`Found multiple kustomization files under: ${loader.root}\n`, placeIn(found[1]!.path));
  const [{ name, path, file }] = found as [(typeof found)[0]];
  const kept = keptOf(loader.context.options.session).parsed;
  let known = kept.get(file);
  if (!known) {
    known = new Map();
    kept.set(file, known);
  }
  const key = `kustomization ${addition ? 'of Flux ' : ''}${path}`;
  let read = known.get(key) as KustomizationFile | Failure | undefined;
  if (!read) {
    read = readKustomization(name, path, file, addition ? ofFlux : ofKustomize);
    known.set(key, read);
  }
  if (read instanceof Failure) throw read;
  return read;
}

/** How a kustomization is read, and what is said in front of errors. */
interface Reading {
  readonly strict: boolean;
  readonly asText: boolean;
  readonly unread: string;
  readonly wrong: string;
}

const ofKustomize: Reading = {
  ...{ strict: true, asText: false },
  ...{ unread: 'invalid Kustomization', wrong: 'invalid Kustomization' },
};
/** Flux reads it first, passes over fields that it does not know, and writes it anew. */
const ofFlux: Reading = {
  ...{ strict: false, asText: true },
  ...{ unread: 'error converting YAML to JSON', wrong: 'error unmarshaling JSON: while decoding JSON' },
};

function readKustomization(
  name: string,
  path: string,
  { text }: FileText,
  { strict, asText, unread, wrong }: Reading,
): KustomizationFile | Failure {
  const read = readValue(text);
  if (read.error !== undefined) {
    const place = placeIn(path, read.start, read.end);
    return new Failure(`${unread}: ${read.error}`, place);
  }
  const file = new ConfigFile(path, parseDocument(text), read.value);
  const { value, complaint } = decodeStruct(read.value, kustomizationType, strict, asText);
  if (complaint) return new Failure(`${wrong}: ${complaint.message}`, file.place(complaint.path, 'key'));
  return { name, file, fields: (value as Kustomization | undefined) ?? {} };
}

const kinds = ['Kustomization', 'Component'];
const componentVersion = 'kustomize.config.k8s.io/v1alpha1';

function check({ file, fields }: KustomizationFile, root: string): void {
  if (isNothing(fields)) fail('kustomization.yaml is empty', file.whole);
  const wrong: string[] = [];
  let place: Place | undefined;
  const kind = fields.kind ? fields.kind : 'Kustomization';
  if (!kinds.includes(kind)) {
    wrong.push('kind should be Kustomization or Component');
    place = file.place(['kind']);
  }
  const version = kind === 'Component' ? componentVersion : 'kustomize.config.k8s.io/v1beta1';
  if (fields.apiVersion && fields.apiVersion !== version) {
    wrong.push(`apiVersion for ${kind} should be ${version}`);
    place ??= file.place(['apiVersion']);
  }
  if (wrong.length > 0) fail(`Failed to read kustomization file under ${root}:\n${wrong.join('\n')}`, place);
}

/** Fields that become part of others, so that nothing in them is as none of them. */
const absorbed: ReadonlySet<string> = new Set(['bases', 'imageTags', 'helmChartInflationGenerator']);

function isNothing(fields: Kustomization): boolean {
  return Object.entries(fields).every(([name, value]) => {
    if (name === 'kind' || name === 'apiVersion' || value === '') return true;
    return absorbed.has(name) && (value as readonly unknown[]).length === 0;
  });
}
