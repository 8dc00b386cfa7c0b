// What `npm run new-rule` writes: a lint with its example, and its place among the others.

interface NewFile {
  readonly path: string;
  readonly text: string;
}

export const registryPath = 'server/src/rules/model/registry.ts';

/** The files of a new lint, or why there is none to be made. `registry` is the registry's text as it is. */
export function newLint(
  code: string,
  registry: string,
  known: ReadonlySet<string>,
  exists: (path: string) => boolean,
): { readonly files: readonly NewFile[] } | { readonly error: string } {
  if (/^(crd|cr|metadata|embedded|yaml)\//.test(code)) return { error: ofEngine(code) };
  const name = /^lint\/([a-z][a-z0-9]*(?:-[a-z0-9]+)*)$/.exec(code)?.[1];
  if (name === undefined) return { error: `${code || 'nothing'} is not a code such as lint/my-rule` };
  if (known.has(code)) return { error: `${code} exists already` };
  const camel = name.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase());
  const path = `server/src/rules/lints/${camel}.ts`;
  if (exists(path)) return { error: `${path} exists already: choose another name, or add the rule to that file` };
  return {
    files: [
      { path, text: lintText(code, camel) },
      { path: registryPath, text: registered(registry, camel) },
    ],
  };
}

function ofEngine(code: string): string {
  const [area] = code.split('/');
  return `${code} would be a rule for a finding of the ${area} engine: add the code and its facts to its findings.ts under server/src/kubernetes, and TypeScript will ask for the rule. This command creates lints, such as lint/my-rule`;
}

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

function lintText(code: string, camel: string): string {
  const facts = `${capital(camel)}Facts`;
  return `import { type Found, type LintedSchema, lintFamily } from './lint.ts';

type ${facts} = {
  /** What a fix has to know besides the place, such as { readonly near: string }. */
  '${code}': undefined;
};

// A check is given what \`restsOn\` names: a schema, a CEL rule, a version, or the whole CRD.
function lint${capital(camel)}(_: LintedSchema): Found<${facts}['${code}']>[] {
  // Where it is wrong: return [{ message: 'What is wrong here.', at: [], anchor: 'key' }];
  return [];
}

export const ${camel}Lint = lintFamily<${facts}>()({
  '${code}': {
    severity: 'warning',
    title: 'Say what is wrong, in one line',
    explanation: 'Say why it is a mistake, and what to do instead.',
    bad: \`#- use: schema
size:
  type: integer
\`,
    good: \`#- use: schema
color:
  type: string
\`,
    restsOn: 'schema',
    check: lint${capital(camel)},
  },
});
`;
}

/** The registry with one more import, at its place in the alphabet, and one more family of lints. */
function registered(registry: string, camel: string): string {
  const lines = registry.split('\n');
  const own = `import { ${camel}Lint } from '../lints/${camel}.ts';`;
  const fileOf = (line: string) => / from '\.\.\/lints\/(\w+)\.ts';$/.exec(line)?.[1]?.toLowerCase();
  const last = lines.findLastIndex((line) => fileOf(line) !== undefined);
  const after = lines.findIndex((line) => (fileOf(line) ?? '') > camel.toLowerCase());
  lines.splice(after === -1 ? last + 1 : after, 0, own);
  const table = lines.indexOf('const lintsByCode = {');
  lines.splice(lines.indexOf('};', table), 0, `  ...${camel}Lint,`);
  return lines.join('\n');
}
