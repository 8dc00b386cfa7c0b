/** A chart: its files, as Helm sorts them. */

import { memo } from '../base/memo.ts';
import { type Path, type Value, valueAt } from '../base/value.ts';
import type { GoMap } from '../template/value.ts';
import { parseStream, type YamlStream } from '../yaml/parse.ts';
import { valueOf } from '../yaml/value.ts';
import { ChartError } from './chartError.ts';
import { type Dependency, type Metadata, readMetadata } from './metadata.ts';
import { readValues, valuesOf } from './values.ts';

/** A file of a chart, by its path in it; `id` tells it from all others, such as by its address. */
export interface ChartFile {
  readonly path: string;
  readonly text: string;
  readonly id: string;
  /** It is an object in which values are written, beside others. */
  readonly isObject?: true;
  /** A file with the same text. */
  readonly like?: ChartFile;
}

/** The YAML of a file, read once. */
export const yamlOf: (file: ChartFile) => YamlStream = memo((file: ChartFile) =>
  file.like ? yamlOf(file.like) : parseStream(file.text),
);

/** What the documents of a file have at a path. */
export function valuesAt(file: ChartFile | undefined, path: Path): readonly (Value | undefined)[] {
  return file ? yamlOf(file).documents.map(({ document }) => valueAt(valueOf(document), path)) : [];
}

const valuesIn = memo((file: ChartFile) => valuesOf(yamlOf(file), file.id));

export interface Chart {
  readonly name: string;
  readonly metadata: Metadata;
  /** The dependencies that are on. */
  readonly wanted: readonly Dependency[];
  readonly values: GoMap;
  readonly valuesFile: ChartFile | undefined;
  readonly schema: ChartFile | undefined;
  readonly templates: readonly ChartFile[];
  /** What is neither of these: what `.Files` has. */
  readonly files: readonly ChartFile[];
  readonly dependencies: readonly Chart[];
}

/** Deeper than charts are put into each other. */
const deepestCharts = 20;

/** Puts a chart together. Archives are given as folders with their names. Throws a `ChartError`. */
export function loadChart(files: readonly ChartFile[], depth = 0): Chart {
  if (depth > deepestCharts) throw new ChartError('charts are nested too deeply');
  const named = (path: string) => files.find((file) => file.path === path);
  const about = named('Chart.yaml');
  const valuesFile = named('values.yaml');
  const requirements = named('requirements.yaml');
  const metadata = about && readMetadata(about.text, requirements?.text);
  const read = valuesFile ? valuesIn(valuesFile) : readValues('', '');
  if (read.error !== undefined) throw new ChartError(`cannot load values.yaml: ${read.error}`, valuesFile?.id);
  if (!metadata) throw new ChartError('Chart.yaml file is missing');
  return {
    ...{ name: metadata.name, metadata, wanted: metadata.dependencies, values: read.values, valuesFile },
    schema: named('values.schema.json'),
    templates: files.filter(({ path }) => path.startsWith('templates/')),
    files: files.filter(({ path }) => isOther(path, metadata)),
    dependencies: inner(files, metadata, depth),
  };
}

const known: ReadonlySet<string> = new Set(['Chart.yaml', 'Chart.lock', 'values.yaml', 'values.schema.json']);

function isOther(path: string, { apiVersion }: Metadata): boolean {
  if (known.has(path) || path.startsWith('templates/')) return false;
  if (path === 'requirements.yaml' || path === 'requirements.lock') return apiVersion === 'v1';
  return !path.startsWith('charts/') || path.endsWith('.prov');
}

function inner(files: readonly ChartFile[], { name }: Metadata, depth: number): Chart[] {
  const folders = new Map<string, ChartFile[]>();
  for (const file of files) {
    const [, folder, path] = /^charts\/([^_./][^/]*)\/(.+)$/s.exec(file.path) ?? [];
    if (folder === undefined || path === undefined) continue;
    const list = folders.get(folder) ?? [];
    folders.set(folder, list);
    list.push({ ...file, path });
  }
  return Array.from(folders, ([folder, inside]) => innerChart(inside, folder, name, depth));
}

function atTop(files: readonly ChartFile[]): string | undefined {
  return files.find(({ path }) => path === 'Chart.yaml')?.id;
}

function innerChart(files: readonly ChartFile[], folder: string, parent: string, depth: number): Chart {
  try {
    return loadChart(files, depth + 1);
  } catch (error) {
    if (!(error instanceof ChartError)) throw error;
    throw new ChartError(
      `error unpacking subchart ${folder} in ${parent}: ${error.message}`,
      error.file ?? atTop(files),
    );
  }
}
