import path from 'node:path';
import { append } from '../../base/append.ts';
import { isMap, isString, type Value, type ValueMap, valueAt } from '../../base/value.ts';
import { writeWhole } from '../../files/write.ts';
import { createCrd } from '../../kubernetes/crd/create.ts';
import { published, type SchemaForm, schemaForms } from '../../kubernetes/crd/publish.ts';
import type { KubernetesVersion } from '../../kubernetes/releases/release.ts';
import { type Manifest, metadataText } from '../../workspace/manifest.ts';
import { crdsFrom } from '../../workspace/xrd.ts';
import { listingAt, readable, sourcesAt } from '../inputs.ts';
import { jsonText } from '../jsonText.ts';
import { nameOf, tooOld } from '../report.ts';
import { command } from '../table/command.ts';
import { format, kubernetes, oneVersion, outputFolder, pathsOr } from '../table/shared.ts';
import { complain, emit } from '../terminal.ts';

interface SchemaOptions {
  readonly paths: readonly string[];
  /** Where the files go, as `{group}/{kind}_{version}.json`; standard output without it. */
  readonly folder: string | undefined;
  readonly form: SchemaForm;
  readonly version: KubernetesVersion;
}

/** Writes the schemas of CRDs for other programs; gives the exit code. */
async function schemas({ paths, folder, form, version }: SchemaOptions): Promise<number> {
  let failed = 0;
  const made: Made[] = [];
  for await (const file of readable(sourcesAt(paths, await listingAt(paths)), () => failed++)) {
    for (const manifest of file.manifests) {
      if (manifest.role === 'crd-v1beta1') complain(tooOld(file.uri));
      for (const crd of crdsFrom(manifest)) {
        const found = schemasOf(crd, form, version);
        if (typeof found !== 'string') append(made, found);
        else {
          failed++;
          complain(`${nameOf(file.uri)}: ${metadataText(crd, 'name')}: ${found}`);
        }
      }
    }
  }
  if (made.length === 0 && failed === 0) throw new Error(`no CRDs found at ${paths.join(', ')}`);
  if (folder === undefined && made.length > 1)
    throw new Error(
      `there are ${made.length} schemas (${made.map(({ name }) => name).join(', ')}): name a folder with --output-folder`,
    );
  for (const { name, schema } of made) {
    const text = `${jsonText(schema)}\n`;
    if (folder === undefined) emit(text);
    else await writeWhole(path.join(folder, name), text, folder);
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

export const schemaCommand = command({
  name: 'schema',
  about: 'writes the schemas of CRDs for other programs, as JSON Schema or OpenAPI',
  inShort: 'writes the schemas of CRDs for other programs: JSON Schema, OpenAPI v3 and v2',
  takes: '[PATH]...',
  explains: `Writes the schema of each version of a CRD for other programs, such as yaml-language-server and kubeconform: of the CRDs at the paths, the folder it runs in by default; - is standard input.

JSON Schema is as strict as the API server is with kubectl: unknown fields are errors. CEL rules and list types are beyond it. The OpenAPI forms are those that the API server publishes; version 2 leaves out what kubectl cannot read.`,
  options: {
    outputFolder: outputFolder('write {group}/{kind}_{version}.json there; without it, one schema is printed'),
    format: format(schemaForms, 'json-schema'),
    kubernetes,
  },
  exits: 'Exit code 0, or 2: wrong usage, or a CRD that the API server refuses.',
  examples: ['kube-crd schema config/crd/widgets.yaml', 'kube-crd schema --output-folder schemas config/crd'],
  run: async (values, paths) =>
    schemas({
      paths: pathsOr(paths),
      folder: values.outputFolder,
      form: values.format,
      version: await oneVersion(values.kubernetes, paths[0]),
    }),
});
