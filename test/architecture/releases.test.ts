import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';

// docs/decisions/0008: what a release changed is asked by name, and no other code compares versions.

const folder = 'server/src/kubernetes/releases/';
const all = readdirSync('server/src', { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts'))
  .map((file) => `server/src/${file}`);

const code = (file: string) => readFileSync(file, 'utf8').replace(/^\s*(?:\*|\/\/|\/\*).*$/gm, '');
const outside = all.filter((file) => !file.startsWith(folder));

/** Numbers of other things: semantic versions, and names of releases in data that the releases' own code compares. */
const others: ReadonlySet<string> = new Set([
  'gostd/semver.ts minor',
  'helm/schema/formats.ts minor',
  'kubernetes/cel/libraries/semver.ts minor',
  // Versions of an API, such as v1beta2; severities of GitLab.
  'kubernetes/versionPriority.ts minor',
  'cli/formats/gitlab.ts minor',
  // What a server answers to /version.
  'serve/discovering.ts minor',
  // What templates see of a version, and versions of charts and of anything else.
  'helm/capabilities.ts minor',
  'template/semver.ts minor',
  'template/sprig/versions.ts minor',
  'kubernetes/policy/worlds.ts before',
  'kubernetes/policy/worlds.ts since',
  'kubernetes/api/crd.ts since',
  'kubernetes/api/editor.ts since',
  'kubernetes/api/schema.ts since',
]);

const found = (file: string, what: RegExp): string[] =>
  [...new Set([...code(file).matchAll(what)].map((match) => `${file.replace('server/src/', '')} ${match[1]}`))].filter(
    (one) => !others.has(one),
  );

test('no code outside of the releases looks at the number of one', () => {
  assert.deepEqual(
    outside.flatMap((file) => found(file, /\b(minor|minorOf)\b/g)),
    [],
  );
});

test('no code outside of the releases compares their names', () => {
  const release =
    /\b(?:kubernetes|release|version|minimum|newestVersion)(?:\.name|\.compatibility)? ?(?:<|>|<=|>=|===|!==) ?['"]1\.\d\d/g;
  assert.deepEqual(
    outside.flatMap((file) => [...code(file).matchAll(release)].map(([one]) => `${file} ${one}`)),
    [],
  );
});

test('no code outside of the releases names one, but in data', () => {
  assert.deepEqual(
    outside.flatMap((file) => found(file, /\b(\w+)(?::| =|,| [<>=!]+) '1\.\d\d'/g)),
    [],
  );
});

test('what differs between releases is asked for somewhere', () => {
  const properties = [...code(`${folder}release.ts`).matchAll(/^ {2}readonly (\w+)\??:/gm)].map(([, name]) => name!);
  const text = outside.map(code).join('\n') + code(`${folder}environments.ts`);
  assert.ok(properties.length > 40);
  assert.deepEqual(
    properties.filter((name) => !new RegExp(`\\b${name}\\b`).test(text)),
    [],
  );
});
