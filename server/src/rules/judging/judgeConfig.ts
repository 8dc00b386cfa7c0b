import { capitalized } from '../../base/text.ts';
import type { Path } from '../../base/value.ts';
import { type Config, onlyFirst, readConfig } from '../../workspace/config.ts';
import type { Mistake } from '../../workspace/mistake.ts';
import { settingsTable } from '../../workspace/settings.ts';
import type { YamlDocument } from '../../yaml/parse.ts';
import { ruleTitles } from '../model/registry.ts';
import type { ProblemOf } from '../model/rule.ts';
import type { ConfigFacts } from '../yaml/config.ts';
import { placeOf } from './mistakes.ts';

const mistake = (message: string, path: Path, part: Mistake['part'] = 'value'): Mistake => ({
  message,
  path,
  part,
  known: [],
});

function mistakesIn(uri: string, document: YamlDocument, nowhere: Config['nowhere']): readonly Mistake[] {
  const { config, mistakes } = readConfig(uri, document, { table, trusted: true });
  const lost = config.layers.flatMap(({ chosen: { crds = [] }, path }) =>
    crds.flatMap((pattern, i) => {
      const why = nowhere?.get(pattern);
      return why === undefined ? [] : [mistake(why, [...path, 'crds', i])];
    }),
  );
  return [...mistakes, ...lost];
}

const table = settingsTable(ruleTitles);

/** What in a `.kube-crd.yaml` means nothing. `nowhere` says of paths that nothing was found there. */
export function judgeConfig(
  uri: string,
  document: YamlDocument,
  isFirst: boolean,
  nowhere: Config['nowhere'],
): ProblemOf<ConfigFacts>[] {
  const found = isFirst ? mistakesIn(uri, document, nowhere) : [mistake(onlyFirst, [], 'key')];
  return found.map((one) => {
    return { code: 'config/setting', message: `${capitalized(one.message)}.`, ...placeOf(document, one) };
  });
}
