import { ruleOf } from '../../rules/model/registry.ts';
import { codesNamed, pageFormats, ruleCodes, rulePageText } from '../rulePages.ts';
import { command } from '../table/command.ts';
import { format } from '../table/shared.ts';
import { emit, linesText } from '../terminal.ts';

export const ruleCommand = command({
  name: 'rule',
  about: 'explains a rule by its code: what it is about, why, an example, and what fixes it',
  inShort:
    'explains a rule by its code, such as `cr/enum`: what, why, an example, and what fixes it; without one, lists all',
  takes: '[CODE]...',
  explains: `Explains rules by their codes, such as those in brackets behind findings of check. A pattern such as 'lint/*', or no \
code at all, lists codes with their severities.`,
  options: { format: format(pageFormats, 'text') },
  examples: ['kube-crd rule cr/enum', "kube-crd rule 'lint/*'"],
  completes: ruleCodes,
  run: ({ format }, codes) => {
    for (const code of codes.length > 0 ? codes : ['*'])
      emit(code.includes('*') ? listText(codesNamed(code)) : rulePageText(code, format));
    return 0;
  },
});

function listText(codes: readonly string[]): string {
  const width = Math.max(...codes.map(({ length }) => length));
  return linesText(
    codes.map((code) => {
      const rule = ruleOf(code);
      return `${code.padEnd(width)}  ${(rule?.severity ?? '').padEnd('information'.length)}  ${rule?.title}`;
    }),
  );
}
