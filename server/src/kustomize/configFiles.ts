/** `configurations` and `crds`: fields that transformers change beside kustomize's own. */
import { isMap, isString, type Value, type ValueMap } from '../base/value.ts';
import { compareStrings } from '../gostd/jsonPrint.ts';
import { parseDocument } from '../yaml/document.ts';
import { readValue } from '../yaml/readValue.ts';
import { strictText } from '../yaml/value.ts';
import { type Config, type FieldSpec, fieldLists, mergeConfigs, noConfig, sorted } from './config.ts';
import { decodeStruct, type StructType } from './decode.ts';
import { attempt, Failure, fail, prefixed } from './failure.ts';
import { fieldSpec, type Spec } from './kustomization.ts';
import type { Loader } from './loader.ts';
import { type Place, placeIn } from './origin.ts';

const configType: StructType = {
  name: 'builtinconfig.TransformerConfig',
  fields: {
    ...Object.fromEntries(fieldLists.map((name) => [name, { list: fieldSpec, named: 'types.FsSlice' }])),
    nameReference: {
      named: 'builtinconfig.nbrSlice',
      list: {
        name: 'builtinconfig.NameBackReferences',
        fields: {
          group: 'string',
          version: 'string',
          kind: 'string',
          fieldSpecs: { list: fieldSpec, named: 'types.FsSlice' },
        },
        inside: new Map(['group', 'version', 'kind'].map((name) => [name, ['Gvk']])),
      },
    },
  },
};

export function specOf({ group = '', version = '', kind = '', path = '', create = false }: Spec): FieldSpec {
  return { group, version, kind, path, create };
}

function loadText(loader: Loader, path: string, place: Place): { readonly text: string; readonly path: string } {
  const loaded = attempt(() => loader.load(path));
  if (loaded.failure) throw new Failure(loaded.failure.message, place, loaded.failure.kind);
  return { text: loaded.value.file.text, path: loaded.value.path };
}

export function loadConfigurations(
  loader: Loader,
  paths: readonly string[],
  placeOf: (index: number) => Place,
): Config {
  let config = noConfig;
  for (const [i, path] of paths.entries()) {
    const file = loadText(loader, path, placeOf(i));
    config = mergeConfigs(config, readConfig(file.text, placeIn(file.path)));
  }
  return config;
}

function readConfig(text: string, place: Place): Config {
  const read = readValue(text);
  if (read.error !== undefined) fail(`error converting YAML to JSON: ${read.error}`, place);
  const strict = strictText(parseDocument(text));
  if (strict !== undefined) fail(`error converting YAML to JSON: ${strict}`, place);
  const { value, complaint } = decodeStruct(read.value, configType, true, true);
  if (complaint) fail(`error unmarshaling JSON: while decoding JSON: ${complaint.message}`, place);
  const decoded = (value ?? {}) as Record<string, readonly Spec[] | undefined>;
  const references = (decoded.nameReference ?? []) as readonly (Spec & { readonly fieldSpecs?: readonly Spec[] })[];
  return sorted({
    ...(Object.fromEntries(
      fieldLists.map((name) => [name, (decoded[name] ?? []).map(specOf)]),
    ) as unknown as typeof noConfig),
    nameReference: references.map(({ group = '', version = '', kind = '', fieldSpecs = [] }) => ({
      ...{ group, version, kind },
      referrers: fieldSpecs.map(specOf),
    })),
  });
}

export function loadCrds(loader: Loader, paths: readonly string[], placeOf: (index: number) => Place): Config {
  let config = noConfig;
  for (const [i, path] of paths.entries()) {
    const file = loadText(loader, path, placeOf(i));
    const place = placeIn(file.path);
    const read = attempt(() => definitionsOf(file.text, place));
    if (read.failure) throw prefixed(`unable to parse open API definition from '${path}'`, read.failure, place);
    for (const [name, schema] of [...read.value].sort(([a], [b]) => compareStrings(a, b))) {
      if (looksLikeKind(schema)) config = mergeConfigs(config, configOf(name, read.value));
    }
  }
  return config;
}

function definitionsOf(text: string, place: Place): Map<string, ValueMap> {
  const read = readValue(text);
  if (read.error !== undefined) fail(`error converting YAML to JSON: ${read.error}`, place);
  const definitions = new Map<string, ValueMap>();
  if (!isMap(read.value)) {
    if (read.value === null) return definitions;
    const kind = typeof read.value === 'string' ? 'string' : 'array';
    fail(
      `error unmarshaling JSON: while decoding JSON: json: cannot unmarshal ${kind} into Go value of type accumulator.nameToApiMap`,
      place,
    );
  }
  for (const [name, definition] of read.value) {
    const schema = isMap(definition) ? ignoringCase(definition, 'Schema') : undefined;
    definitions.set(name, isMap(schema) ? schema : new Map());
  }
  return definitions;
}

function ignoringCase(map: ValueMap, name: string): Value | undefined {
  return map.get(name) ?? [...map].find(([key]) => key.toLowerCase() === name.toLowerCase())?.[1];
}

function propertiesOf(schema: ValueMap): ValueMap {
  const found = schema.get('properties');
  return isMap(found) ? found : new Map();
}

function looksLikeKind(schema: ValueMap): boolean {
  const properties = propertiesOf(schema);
  return ['kind', 'apiVersion', 'metadata'].every((name) => properties.has(name));
}

/** References go deep, and may go round. */
const deepest = 100;

function configOf(name: string, definitions: ReadonlyMap<string, ValueMap>): Config {
  const kind = name.slice(name.lastIndexOf('.') + 1);
  const found = {
    annotations: [] as FieldSpec[],
    labels: [] as FieldSpec[],
    names: [] as FieldSpec[],
    references: [] as Config['nameReference'][number][],
  };
  const specAt = (path: readonly string[]) => specOf({ kind, path: path.join('/') });
  const visit = (type: string, path: readonly string[]): void => {
    const schema = definitions.get(type);
    if (!schema || path.length > deepest) return;
    for (const [field, property] of propertiesOf(schema)) {
      if (!isMap(property)) continue;
      const at = [...path, field];
      if (isString(property.get('x-kubernetes-annotation'))) found.annotations.push(specAt(at));
      if (isString(property.get('x-kubernetes-label-selector'))) found.labels.push(specAt(at));
      if (isString(property.get('x-kubernetes-identity'))) found.names.push(specAt(at));
      const [version, target] = ['api-version', 'kind'].map((part) => property.get(`x-kubernetes-object-ref-${part}`));
      if (isString(version) && isString(target)) {
        const key = property.get('x-kubernetes-object-ref-name-key');
        const referrers = [specAt([...at, isString(key) ? key : 'name'])];
        found.references.push({ group: '', version, kind: target, referrers });
      }
      const ref = property.get('$ref');
      if (isString(ref)) visit(ref, at);
    }
  };
  visit(name, []);
  const { annotations, labels, names, references } = found;
  return {
    ...noConfig,
    commonAnnotations: annotations,
    commonLabels: labels,
    namePrefix: names,
    nameReference: references,
  };
}
