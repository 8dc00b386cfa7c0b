import { onlyFirst, readConfig } from '../../workspace/config.ts';
import { settingsTable } from '../../workspace/settings.ts';
import type { YamlDocument } from '../../yaml/parse.ts';
import { rangeOf } from '../../yaml/place.ts';
import { ruleTitles } from '../model/registry.ts';
import type { ProblemOf } from '../model/rule.ts';
import type { ConfigFacts } from '../yaml/config.ts';

const table = settingsTable(ruleTitles);

/** What in a `.kube-crd.yaml` means nothing. */
export function judgeConfig(uri: string, document: YamlDocument, isFirst: boolean): ProblemOf<ConfigFacts>[] {
  if (!isFirst) {
    const range = { start: document.rootStart, end: document.rootStart };
    return [{ code: 'config/setting', message: sentence(onlyFirst), range, document, path: [], facts: { known: [] } }];
  }
  const { mistakes } = readConfig(uri, document, { table, trusted: true });
  return mistakes.map(({ message, path, part, known }) => {
    const range = rangeOf(document, path, part) ?? { start: document.rootStart, end: document.rootStart };
    return { code: 'config/setting', message: sentence(message), range, document, path, facts: { known } };
  });
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}
