import { isMap, type ValueMap } from '../../base/value.ts';
import { parseStream } from '../../yaml/parse.ts';
import { valueOf } from '../../yaml/value.ts';
import { isTooDeep } from '../manifest.ts';

/** A JSON object. JSON is YAML; read as such it is bounded in the same way. Undefined for anything else. */
export function jsonObject(text: string): ValueMap | undefined {
  const [first] = parseStream(text).documents;
  if (!first || first.document.readerError !== undefined || isTooDeep(first.document)) return undefined;
  const value = valueOf(first.document);
  return isMap(value) ? value : undefined;
}
