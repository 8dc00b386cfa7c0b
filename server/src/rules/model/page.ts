import { ruleOf, rules } from './registry.ts';
import type { AnyRule } from './rule.ts';

/** The page of one rule. */
export function rulePage(code: string): string | undefined {
  const rule = ruleOf(code);
  return rule && section(rule).replace(/^## .*/, `# ${rule.title}\n\n\`${code}\``);
}

/** The page that documents every rule, in Markdown. */
export function rulesPage(): string {
  return `${[intro, index(), ...rules.map(section)].join('\n\n')}\n`;
}

const intro = `# Rules

For whoever reads a finding and wants to know why, and what to do.

Every diagnostic has a code. This page explains each of them, shows a wrong and a right example, and says what to do.
The examples are run as tests; most show only the relevant part of a CRD. Severities can be set under \`kubeCrd.rules\`;
\`off\` turns a rule off.

The API server often stops at the first errors that it finds. What it would say next is shown as well, as information:
such a message begins with "Once the other errors are fixed". It is left out where it depends on how they are fixed.

This page is generated from \`server/src/rules\` by \`npm run gen\`.`;

function index(): string {
  const rows = rules.map(({ code, severity, title }) => `| [\`${code}\`](#${anchor(code)}) | ${severity} | ${title} |`);
  return ['| code | severity | what |', '|---|---|---|', ...rows].join('\n');
}

/** As GitHub makes it from a heading. */
export function anchor(code: string): string {
  return code.replaceAll('/', '');
}

function section({ code, title, severity, explanation, bad, good, fixes, onUpdate, language }: AnyRule): string {
  return [
    `## ${code}`,
    `**${title}.** Severity: ${severity}${fixes ? ', with a fix' : ''}.`,
    explanation,
    onUpdate ? 'Wrong, with the old version first and the new one second:' : 'Wrong:',
    fence(bad, language ?? 'yaml'),
    onUpdate ? 'Right, in the same order:' : 'Right:',
    fence(good, language ?? 'yaml'),
  ].join('\n\n');
}

/** An example without the lines that only its test needs. */
function fence(example: string, language: string): string {
  const lines = example
    .trimEnd()
    .split('\n')
    .filter((line) => !line.startsWith('#-'));
  return [`\`\`\`${language}`, ...lines, '```'].join('\n');
}
