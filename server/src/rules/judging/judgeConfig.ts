import { capitalized } from '../../base/text.ts';
import { onlyFirst, readConfig } from '../../workspace/config.ts';
import type { Mistake } from '../../workspace/mistake.ts';
import { settingsTable } from '../../workspace/settings.ts';
import type { YamlDocument } from '../../yaml/parse.ts';
import { ruleTitles } from '../model/registry.ts';
import type { ProblemOf } from '../model/rule.ts';
import type { ConfigFacts } from '../yaml/config.ts';
import { placeOf } from './mistakes.ts';

const table = settingsTable(ruleTitles);

/** What in a `.kube-crd.yaml` means nothing. */
export function judgeConfig(uri: string, document: YamlDocument, isFirst: boolean): ProblemOf<ConfigFacts>[] {
  const found: readonly Mistake[] = isFirst
    ? readConfig(uri, document, { table, trusted: true }).mistakes
    : [{ message: onlyFirst, path: [], part: 'key', known: [] }];
  return found.map((one) => {
    return { code: 'config/setting', message: `${capitalized(one.message)}.`, ...placeOf(document, one) };
  });
}
