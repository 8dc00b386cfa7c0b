import { isList, isMap, type Value, type ValueMap } from '../../base/value.ts';
import { compareVersions } from '../../kubernetes/versionPriority.ts';
import type { Files } from '../files.ts';
import { defaultLimits } from '../limits.ts';
import type { Origin } from '../origin.ts';
import { textOf } from '../scan.ts';
import { sourceFile } from '../sourceFile.ts';
import { jsonObject } from './json.ts';
import { schemasOf } from './openApi.ts';
import type { Place } from './place.ts';
import { shownUri } from './shown.ts';
import { turnedBack } from './turnBack.ts';

/**
 * A file of OpenAPI schemas, as a kustomization names it. It is written to tell how lists are merged and may leave out
 * fields: those that it does not name are left alone.
 */
export function schemaFilePlace(files: Files, uri: string, from: Origin): Place {
  const origin: Origin = { ...from, fromSchema: true };
  let read: Promise<ValueMap | undefined> | undefined;
  const document = async () => jsonObject(textOf(await files.read(uri, defaultLimits.fileBytes)) ?? '');
  return {
    name: uri,
    origin,
    find: async (wanted) => {
      read ??= document();
      const schemas = await read;
      const versions = schemas ? schemasOf(schemas, wanted) : [];
      if (!versions.some(({ version }) => version === wanted.version)) return undefined;
      versions.sort((a, b) => compareVersions(a.version, b.version));
      const open = versions.map(({ version, schema }) => ({ version, schema: opened(schema) as ValueMap }));
      const path = `${wanted.group}/${wanted.kind.toLowerCase()}.yaml`;
      return sourceFile(shownUri(uri, path), turnedBack(wanted, open), { limits: defaultLimits, origin });
    },
  };
}

function opened(value: Value): Value {
  if (isList(value)) return value.map(opened);
  if (!isMap(value)) return value;
  const schema = new Map([...value].map(([key, inner]) => [key, opened(inner)]));
  const isObject = value.get('type') === 'object' || isMap(value.get('properties'));
  return isObject && !value.has('additionalProperties')
    ? schema.set('x-kubernetes-preserve-unknown-fields', true)
    : schema;
}
