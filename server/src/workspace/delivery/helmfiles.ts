/** The releases of helmfiles: which charts they install, and with which values. */
import { isList, isMap, isString, type Value, valueAt } from '../../base/value.ts';
import { isYaml } from '../fileNames.ts';
import { folderOf, resolve } from '../uri.ts';
import { chartAt } from './chartsHere.ts';
import type { ChartUse, Layer } from './chartUse.ts';
import type { Delivery } from './index.ts';
import { type Delivered, textIn } from './objects.ts';

export function useOfHelmfile(delivery: Delivery, one: Delivered): ChartUse | undefined {
  const path = textIn(one, 'chart');
  const folder = folderOf(one.uri);
  const chart = /^\.{1,2}\//.test(path) ? chartAt(delivery, resolve(folder, path)) : undefined;
  if (chart === undefined) return undefined;
  const release = { name: one.name, namespace: one.namespace || 'default' };
  const layers = [...valuesOf(one, folder), ...elsewhere(one), ...setsOf(one, 'set'), ...setsOf(one, 'setString')];
  const skipsSchema = one.manifest.value.get('skipSchemaValidation') === true;
  return { by: one, chart, release, layers, skipsSchema, at: ['values'] };
}

function itemsIn(one: Delivered, key: string): readonly Value[] {
  const list = one.manifest.value.get(key);
  return isList(list) ? list : [];
}

/** Files, and maps that are written there. */
function valuesOf(one: Delivered, folder: string): readonly Layer[] {
  return itemsIn(one, 'values').flatMap((item, i): Layer[] => {
    if (isMap(item)) return [{ kind: 'map', of: one, path: ['values', i] }];
    if (!isString(item)) return [];
    return isYaml(item)
      ? [{ kind: 'file', uri: resolve(folder, item), isOptional: false }]
      : [{ kind: 'unknown', what: item }];
  });
}

/** What is encrypted, or comes from templates of values. */
function elsewhere(one: Delivered): readonly Layer[] {
  const keys = ['secrets', 'valuesTemplate', 'inherit', 'strategicMergePatches', 'jsonPatches', 'transformers'];
  return keys.filter((key) => one.manifest.value.has(key)).map((key) => ({ kind: 'unknown', what: `\`${key}\`` }));
}

function setsOf(one: Delivered, key: 'set' | 'setString'): readonly Layer[] {
  return itemsIn(one, key).flatMap((item, i): Layer[] => {
    const name = isMap(item) ? item.get('name') : undefined;
    if (!isString(name)) return [];
    const value = valueAt(item, ['value']);
    if (!isString(value)) return [{ kind: 'unknown', what: `\`${name}\``, name }];
    return [{ kind: 'set', name, of: one, path: [key, i, 'value'], as: key === 'set' ? 'argo' : 'argoText' }];
  });
}
