// npm run new-rule -- lint/my-rule: makes a rule with an example that fails until its check is written.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { rules } from '../server/src/rules/model/registry.ts';
import { newLint, registryPath } from './ruleTemplate.ts';

const code = process.argv[2] ?? '';
const known = new Set(rules.map((rule) => rule.code));
const made = newLint(code, readFileSync(registryPath, 'utf8'), known, existsSync);
if ('error' in made) {
  console.error(made.error);
  process.exitCode = 2;
} else {
  for (const { path, text } of made.files) writeFileSync(path, text);
  console.log(`${made.files[0]!.path} is new, and registered in ${registryPath}. Next:
  1. Write its examples, texts and check. This fails until the wrong example reports ${code}:
       node scripts/unit.mjs rules/examples
  2. Add interesting cases to test/rules/lints.md, and a line to CHANGELOG.md.
  3. Run npm run gen to update docs/rules.md, and npm run check before you commit.`);
}
