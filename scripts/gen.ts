// npm run gen: writes what is made from the code: docs/rules.md, docs/markers.md, docs/limits.md, docs/commands.md, the man
// page, the settings in package.json and in docs/settings.md, the notes in docs/ci.md, and the texts that translations are made from.
// With --check it only says what is not up to date.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { commands } from '../server/src/cli/commands/all.ts';
import { kubernetesVersions } from '../server/src/kubernetes/releases/all.ts';
import { rulesPage } from '../server/src/rules/model/page.ts';
import { ruleTitles } from '../server/src/rules/model/registry.ts';
import { clientSettings, settingsTable } from '../server/src/workspace/settings.ts';
import { badges, drawn, withBadges } from './generate/badges.ts';
import { bundle } from './generate/clientStrings.ts';
import { commandsPage } from './generate/commandsPage.ts';
import { publishedConfigSchema, publishedTestSchema } from './generate/configSchema.ts';
import { crdSourcesPage } from './generate/crdSourcesPage.ts';
import { limitsPage } from './generate/limits.ts';
import { localized } from './generate/localized.ts';
import { manPage } from './generate/manPage.ts';
import { markersPage } from './generate/markersPage.ts';
import { withNotes } from './generate/notesPage.ts';
import { withConfiguration } from './generate/packageJson.ts';
import { withSettings } from './generate/settingsPage.ts';

const settings = { ...settingsTable(ruleTitles), ...clientSettings };

const read = (file: string) => (existsSync(file) ? readFileSync(file, 'utf8') : '');
const client = readdirSync('client/src', { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts'))
  .map((file) => read(`client/src/${file}`));
const texts = localized(withConfiguration(read('package.json'), settings), read('package.nls.json'));

const shownBadges = badges({
  releases: kubernetesVersions.map(({ name }) => name),
  rules: Object.keys(ruleTitles).length,
  workflow: read('.github/workflows/ci.yml'),
  dependencies: Object.keys(JSON.parse(texts.manifest).dependencies ?? {}).length,
});

/** Each file, with the text it should have, made from the one it has. */
const files: Readonly<Record<string, (text: string) => string>> = {
  'docs/rules.md': () => rulesPage(),
  'docs/markers.md': () => markersPage(),
  'docs/limits.md': () => limitsPage(),
  'docs/crd-sources.md': () => crdSourcesPage(),
  'docs/commands.md': () => commandsPage(commands),
  'docs/kube-crd.1': () => manPage(commands),
  'docs/config.schema.json': () => `${JSON.stringify(publishedConfigSchema(), undefined, 2)}\n`,
  'docs/crdtest.schema.json': () => `${JSON.stringify(publishedTestSchema(), undefined, 2)}\n`,
  'package.json': () => texts.manifest,
  'package.nls.json': () => texts.nls,
  'l10n/bundle.l10n.json': () => `${JSON.stringify(bundle(client), undefined, 2)}\n`,
  'README.md': (text) => withBadges(text, shownBadges),
  'docs/settings.md': (text) => withSettings(text, settings),
  'docs/ci.md': withNotes,
  ...Object.fromEntries(shownBadges.map((badge) => [badge.file, () => drawn(badge)])),
};

const outdated = Object.entries(files).flatMap(([file, make]) => {
  const text = read(file);
  const wanted = make(text);
  return wanted === text ? [] : [{ file, wanted }];
});
if (process.argv.includes('--check')) {
  for (const { file } of outdated) console.error(`${file} is not up to date: npm run gen`);
  process.exitCode = outdated.length === 0 ? 0 : 1;
} else for (const { file, wanted } of outdated) writeFileSync(file, wanted);
