import { isMap, type ValueMap } from '../../base/value.ts';
import { plainValue, readJson } from '../../gostd/json.ts';
import { defaultLimits } from '../limits.ts';

/** A JSON object that is no deeper than objects may be to be judged; undefined for anything else. */
export function jsonObject(text: string): ValueMap | undefined {
  const read = readJson(text.replace(/^\ufeff/, ''), defaultLimits.levels);
  const value = 'json' in read ? plainValue(read.json) : undefined;
  return isMap(value) ? value : undefined;
}
