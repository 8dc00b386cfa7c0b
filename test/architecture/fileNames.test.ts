import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { isLead, mayHoldManifests, readGlobs } from '../../server/src/workspace/fileNames.ts';

/** What a glob with asterisks, choices of letters and folders matches below any folder. */
function expression(glob: string): RegExp {
  return new RegExp(`^(?:.*/)?${glob.replaceAll('.', '\\.').replaceAll('*', '[^/]*')}$`);
}

const watchers = readGlobs.map(expression);
const isWatched = (path: string) => watchers.some((one) => one.test(path));

const paths =
  'a.yaml A.YML a.json crd.json my-crds.json MyCRD.json crds/a.json CRDs/A.json x-crds/a.json x_crds/a.json crdsx/a.json ' +
  'customresourcedefinitions/a.json a.tgz a.tar.gz A.TGZ go.mod go.sum Go.mod Chart.lock chart.lock kube-crd.lock a.txt ' +
  'crds/a.yaml/b.txt a.tar crd/widget_crd.yml customresourcedefinition.json crds/a.json.txt';

for (const path of paths.split(' ')) {
  test(`${path} is watched exactly if it is read`, () => {
    assert.equal(isWatched(`some/folder/${path}`), isLead(path) || mayHoldManifests(path));
    assert.equal(isWatched(`file:///${path}`), isWatched(`some/folder/${path}`));
  });
}

/** Names that say something else than which files are read. */
const others: ReadonlySet<string> = new Set([
  // Registered once somebody works in Go.
  "workspace/languages/goReader.ts '**/*.go'",
  // What the names of new files are made of.
  'features/tests/newCase.ts \\.(?:ya?ml|json)$',
  'cli \\.ya?ml$',
  // Files of other programs' tests, by their whole names.
  'workspace/pragmas.ts \\.ya?ml$',
  // A chart's own file, among manifests.
  'workspace/sources/charts.ts \\.ya?ml$',
  // What values.yaml is made of, which is not read.
  'workspace/charts/chartFiles.ts \\.(?:\\w+\\.ya?ml|ya?ml\\.\\w+)$',
  // What tests compare with, among files that are read.
  'cli \\.(?:ya?ml|json)$',
  'workspace/sources/charts.ts \\.(?:lock|ya?ml)$',
  // Which arguments of the command line are files.
  'cli \\.(ya?ml|json)$',
  // Names of hosts, in texts.
  "kubernetes/builtin/validation/texts.ts '*.'",
  "kubernetes/builtin/validation/texts.ts '*.example.com'",
  // Kinds, in a text.
  "cli '*.example.com/*'",
]);

test('no other file says by their ending which files are read', () => {
  const endings = /'(?:\*\*\/)?\*\.[^' ]*'|\\\.(?:ya\?ml|\([^)]*(?:ya\?ml|tgz)[^)]*\))\$?|\|ya\?ml\)|tar\\\.gz/g;
  const found = ['server/src', 'client/src'].flatMap((root) =>
    readdirSync(root, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts') && file !== 'workspace/fileNames.ts')
      .flatMap((file) => {
        const code = readFileSync(`${root}/${file}`, 'utf8').replace(/^\s*(?:\*|\/\/|\/\*).*$/gm, '');
        return [...code.matchAll(endings)].map(([one]) => `${file.replace(/^cli\/.*/, 'cli')} ${one}`);
      }),
  );
  assert.deepEqual(
    found.filter((one) => !others.has(one)),
    [],
  );
});
