import { plainText } from '../features/words/markdown.ts';
import { rulePage } from '../rules/model/page.ts';
import { ruleOf, ruleTitles } from '../rules/model/registry.ts';
import { globOf } from '../workspace/glob.ts';
import { programName } from './called.ts';
import { meant } from './table/option.ts';
import { json, linesText } from './terminal.ts';

/** The forms in which a rule, a kind or a field is explained. */
export const pageFormats = ['text', 'json', 'markdown'] as const;
export type PageFormat = (typeof pageFormats)[number];

export const ruleCodes: readonly string[] = Object.keys(ruleTitles);

/** The codes that a pattern such as `lint/*` names; a code that there is not is an error. */
export function codesNamed(pattern: string): readonly string[] {
  const matches = globOf(pattern === '*' ? '**' : pattern);
  const found = pattern.includes('*') ? ruleCodes.filter(matches) : ruleCodes.filter((code) => code === pattern);
  if (found.length === 0) throw new Error(`there is no rule ${pattern}${meant(pattern, ruleCodes)}`);
  return found;
}

/** What one rule is about, why there is it, how it looks and what fixes it. */
export function rulePageText(code: string, format: PageFormat): string {
  const [known = ''] = codesNamed(code);
  return writers[format](known);
}

const writers: Readonly<Record<PageFormat, (code: string) => string>> = {
  text: (code) => linesText([...plainLines(rulePage(code) ?? ''), '', ...advice(code)]),
  markdown: (code) => `${rulePage(code)}\n`,
  json: (code) => {
    const { title, severity, explanation, bad, good, fixes } = ruleOf(code)!;
    return `${json({ version: 1, code, severity, title, explanation, bad, good, hasFix: fixes !== undefined }, 2)}\n`;
  },
};

/** Markdown for a terminal: examples are indented. */
function plainLines(page: string): string[] {
  let isExample = false;
  return page.split('\n').flatMap((line) => {
    if (!line.startsWith('```')) return [isExample ? `    ${line}` : plainText(line.replace(/^# /, ''))];
    isExample = !isExample;
    return [];
  });
}

function advice(code: string): string[] {
  return [
    ...(ruleOf(code)?.fixes
      ? [`Fix: ${programName()} check --fix --fix-only ${code}, or in an editor at the problem.`]
      : []),
    `Leave one out: a line "# kube-crd: ignore ${code}" above it. Turn it off: --rules ${code}=off, or "rules" in .kube-crd.yaml.`,
  ];
}
