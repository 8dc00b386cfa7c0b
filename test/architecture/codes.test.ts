import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { rules } from '../../server/src/rules/model/registry.ts';

// What is special about a code is a field of its rule. Outside of server/src/rules a code is named where it is found,
// and where the facts of it are read.

/** Where codes are found: engines, and what judges on their behalf. */
const finders =
  /^(?:yaml|kubernetes|crdtest)\/|^features\/golang\/(?:markerMistakes|diagnoseGo|stale|tryGoFixes)\.ts$|^features\/charts\/(?:failures|unusedValues|schemas|wholeChart)\.ts$|^features\/kustomizations\/diagnoseBuild\.ts$/;

/** Where the facts of a finding are read, which only findings of that code have; and problems that have no engine. */
const named: ReadonlySet<string> = new Set([
  'features/trying/tryRule.ts cr/rule',
  'features/complete/saidOf.ts cr/rule',
  'features/problems/diagnose.ts file/left-out',
  'features/place/marked.ts yaml/ignored',
  'cli file/not-judged',
  // Examples in a text.
  'cli cr/enum',
  'workspace/settings.ts lint/pattern-unanchored',
  'workspace/settings.ts lint/list-type',
  'workspace/settings.ts lint/conditions-type',
  // Paths of fields, as kustomize writes them.
  'kustomize/data/fields.ts metadata/name',
  'kustomize/transform/names.ts metadata/name',
  'kustomize/transform/namespace.ts metadata/namespace',
  'kustomize/transform/namespace.ts metadata/name',
  'kustomize/transform/valueAdd.ts metadata/namespace',
]);

test('no code is treated in a way of its own outside of its rule', () => {
  const codes = new Set(rules.map(({ code }) => code));
  const found = readdirSync('server/src', { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.startsWith('rules/') && !finders.test(file))
    .flatMap((file) => {
      const code = readFileSync(`server/src/${file}`, 'utf8').replace(/^\s*(?:\*|\/\/|\/\*).*$/gm, '');
      const literals = [...code.matchAll(/['"`]([a-z]+\/[a-z-]+)['"`]/g)].map(([, literal]) => literal!);
      const place = file.startsWith('cli/') ? 'cli' : file;
      return [...new Set(literals)].filter((literal) => codes.has(literal)).map((literal) => `${place} ${literal}`);
    });
  assert.ok(codes.size > 100);
  assert.deepEqual(
    found.filter((one) => !named.has(one)),
    [],
  );
});

test('what is found in Go files names the code of what it finds, and asks nothing about others', () => {
  const files = readdirSync('server/src/features/golang').filter((file) => file.endsWith('.ts'));
  const asked = files.flatMap((file) => {
    const text = readFileSync(`server/src/features/golang/${file}`, 'utf8');
    return [...text.matchAll(/[!=]== '([a-z]+\/[a-z-]+)'/g)].map(([, code]) => `${file} ${code}`);
  });
  assert.deepEqual(asked, []);
});

test('the setting says which rules are off unless they are turned on', () => {
  const text = readFileSync('server/src/workspace/settings.ts', 'utf8');
  const off = rules.filter(({ severity }) => severity === 'off').map(({ code }) => `\`${code}\``);
  assert.ok(text.includes(`${off.join(' and ')} are off unless you turn them on`), off.join());
});
