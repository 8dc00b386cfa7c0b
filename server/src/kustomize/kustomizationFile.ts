/** A kustomization as it is written: its fields, and where each of them is. */
import type { Path, Value } from '../base/value.ts';
import { parseDocument, type YamlDocument } from '../yaml/document.ts';
import { nodeAtPath, rangeOf } from '../yaml/place.ts';
import { mapOfScalar } from '../yaml/scalarMap.ts';
import { decodeStruct, writtenPath } from './decode.ts';
import { Failure, fail } from './failure.ts';
import { type Kustomization, kustomizationType } from './kustomization.ts';
import { joinPath, kustomizationNames, type Loader } from './loader.ts';
import type { Place, Source, Written } from './origin.ts';
import { readValue } from './readValue.ts';
import { keptOf } from './session.ts';
import type { TextSource } from './tree/read.ts';
import type { FileText } from './types.ts';

export class ConfigFile {
  readonly path: string;
  readonly document: YamlDocument;
  readonly value: Value;
  readonly whole: Place;

  constructor(path: string, document: YamlDocument, value: Value) {
    this.path = path;
    this.document = document;
    this.value = value;
    this.whole = { file: path, start: 0, end: 0 };
  }

  /** Where a value is, or the nearest one around it. */
  place(path: Path, part: 'key' | 'value' = 'value'): Place {
    const steps = writtenPath(this.value, path);
    for (let length = steps.length; length > 0; length--) {
      const range = rangeOf(this.document, steps.slice(0, length), part);
      if (range) return { file: this.path, start: range.start, end: range.end };
    }
    return this.whole;
  }

  written(path: Path, part: 'key' | 'value' = 'value'): Written {
    return { how: 'written', in: 'kustomization', place: this.place(path, part) };
  }

  /** A part of a text at a path, by offsets in the decoded text. */
  placeWithin(path: Path, start: number, end: number): Place {
    const found = nodeAtPath(this.document, writtenPath(this.value, path));
    if (found?.node.kind !== 'scalar' || found.through) return this.place(path);
    const map = mapOfScalar(this.document.text, found.node, found.start);
    return { file: this.path, start: map.toText(start), end: end > start ? map.toTextEnd(end - 1) : map.toText(start) };
  }

  /** The text at a path, from an offset on, as something that is read in its turn. */
  textAt(path: Path, text: string, offset: number, source: Source): TextSource {
    const found = nodeAtPath(this.document, writtenPath(this.value, path));
    if (found?.node.kind !== 'scalar' || found.through) {
      const whole = this.place(path);
      return { text, in: source, place: () => whole };
    }
    const map = mapOfScalar(this.document.text, found.node, found.start);
    return {
      text,
      in: source,
      place: (start, end) => ({
        file: this.path,
        start: map.toText(offset + start),
        end: end > start ? map.toTextEnd(offset + end - 1) : map.toText(offset + start),
      }),
    };
  }
}

export interface KustomizationFile {
  readonly name: string;
  readonly file: ConfigFile;
  readonly fields: Kustomization;
}

/** Reads the kustomization of a folder. */
export function loadKustomization(loader: Loader): KustomizationFile {
  const found = kustomizationNames.flatMap((name) => {
    if (!loader.context.has(joinPath(loader.root, name))) return [];
    try {
      return [{ name, ...loader.load(name) }];
    } catch (error) {
      if (!(error instanceof Failure) || error.kind === 'bound') throw error;
      return [];
    }
  });
  if (found.length === 0) {
    const names = kustomizationNames.map((name) => `'${name}'`);
    fail(`unable to find one of ${names.slice(0, -1).join(', ')} or ${names.at(-1)} in directory '${loader.root}'`);
  }
  if (found.length > 1)
    fail(`Found multiple kustomization files under: ${loader.root}\n`, { file: found[1]!.path, start: 0, end: 0 });
  const [{ name, path, file }] = found as [(typeof found)[0]];
  const kept = keptOf(loader.context.options.session).parsed;
  let known = kept.get(file);
  if (!known) {
    known = new Map();
    kept.set(file, known);
  }
  const key = `kustomization ${path}`;
  let read = known.get(key) as KustomizationFile | Failure | undefined;
  if (!read) {
    read = readKustomization(name, path, file);
    known.set(key, read);
  }
  if (read instanceof Failure) throw read;
  check(read, loader.root);
  return read;
}

function readKustomization(name: string, path: string, { text }: FileText): KustomizationFile | Failure {
  const read = readValue(text);
  if (read.error !== undefined) {
    const place = { file: path, start: read.start, end: read.end };
    return new Failure(`invalid Kustomization: ${read.error}`, place);
  }
  const file = new ConfigFile(path, parseDocument(text), read.value);
  const { value, complaint } = decodeStruct(read.value, kustomizationType, true);
  if (complaint) return new Failure(`invalid Kustomization: ${complaint.message}`, file.place(complaint.path, 'key'));
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
