import path from 'node:path';
import { append } from '../base/append.ts';
import { printable } from '../base/printable.ts';
import { isMap, isString, type Value, type ValueMap, valueAt } from '../base/value.ts';
import { createCrd } from '../kubernetes/crd/create.ts';
import { published, type SchemaForm } from '../kubernetes/crd/publish.ts';
import type { KubernetesVersion } from '../kubernetes/releases/release.ts';
import { type Manifest, metadataText } from '../workspace/manifest.ts';
import { crdsFrom } from '../workspace/xrd.ts';
import { expandAll, namedSources, readable } from './inputs.ts';
import { jsonText } from './jsonText.ts';
import { writeWhole } from './outputs.ts';
import { complain, nameOf, tooOld } from './report.ts';

export interface SchemaOptions {
  readonly paths: readonly string[];
  /** Where the files go, as `{group}/{kind}_{version}.json`; standard output without it. */
  readonly folder: string | undefined;
  readonly form: SchemaForm;
  readonly version: KubernetesVersion;
}

/** Writes the schemas of CRDs for other programs; gives the exit code. */
export async function schemas({ paths, folder, form, version }: SchemaOptions): Promise<number> {
  if (paths.length === 0) throw new Error('no files given');
  let failed = 0;
  const made: Made[] = [];
  for await (const file of readable(namedSources((await expandAll(paths)).uris), () => failed++)) {
    for (const manifest of file.manifests) {
      if (manifest.role === 'crd-v1beta1') complain(printable(tooOld(file.uri)));
      for (const crd of crdsFrom(manifest)) {
        const found = schemasOf(crd, form, version);
        if (typeof found !== 'string') append(made, found);
        else {
          failed++;
          complain(printable(`${nameOf(file.uri)}: ${metadataText(crd, 'name')}: ${found}`));
        }
      }
    }
  }
  if (made.length === 0 && failed === 0) throw new Error(`no CRDs found at ${paths.join(', ')}`);
  if (folder === undefined && made.length > 1)
    throw new Error(
      `there are ${made.length} schemas (${made.map(({ name }) => name).join(', ')}): name a folder with -o`,
    );
  for (const { name, schema } of made) {
    const text = `${jsonText(schema)}\n`;
    if (folder === undefined) process.stdout.write(text);
    else await writeWhole(path.join(folder, name), text);
  }
  return failed > 0 ? 2 : 0;
}

interface Made {
  readonly name: string;
  readonly schema: ValueMap;
}

/** One schema for each version that has one; or why there is none. */
function schemasOf({ value }: Manifest, form: SchemaForm, kubernetes: KubernetesVersion): Made[] | string {
  const { stored, decode, errors } = createCrd(value, { kubernetes });
  if (decode) return decode.message;
  const [first] = errors;
  if (first) return `the API server refuses it: ${first.field}: ${first.message}`;
  const textAt = (...at: string[]) => {
    const found = valueAt(stored, at);
    return isString(found) ? found : '';
  };
  const [group, kind] = [textAt('spec', 'group'), textAt('spec', 'names', 'kind')];
  const versions = valueAt(stored, ['spec', 'versions']);
  return (Array.isArray(versions) ? versions : []).flatMap((one: Value) => {
    const version = valueAt(one, ['name']);
    const schema = valueAt(one, ['schema', 'openAPIV3Schema']);
    if (!isString(version) || !isMap(schema)) return [];
    const name = `${group}/${kind.toLowerCase()}_${version.toLowerCase()}.json`;
    return [{ name, schema: published(schema, { group, version, kind }, form) }];
  });
}
