import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fixAll } from '../../server/src/features/mend/fixAll.ts';
import { fixesFor } from '../../server/src/features/mend/fixes.ts';
import { diagnose } from '../../server/src/features/problems/diagnose.ts';
import { readConfig } from '../../server/src/workspace/config.ts';
import { defaultSettings, type Settings, settingsTable } from '../../server/src/workspace/settings.ts';
import {
  emptySnapshot,
  type FolderSettings,
  settingsAt,
  settingsOf,
  withOpen,
} from '../../server/src/workspace/snapshot.ts';
import { sourceFile } from '../../server/src/workspace/sourceFile.ts';
import { parseDocument } from '../../server/src/yaml/parse.ts';

const table = settingsTable({ 'crd/scope': 'The scope', 'cr/enum': 'Not one of the allowed values' });
const read = (text: string, trusted = true) =>
  readConfig('file:///a/.kube-crd.yaml', parseDocument(text), { table, trusted });

function settings(
  text: string,
  { all = defaultSettings, over = {} }: { all?: Settings; over?: Partial<Settings> } = {},
) {
  const { config } = read(text);
  const of: FolderSettings = { ...settingsOf(all), configs: new Map([[config.folder, config]]), over };
  return (uri: string) => settingsAt(of, uri);
}

test('a config holds for the files below its folder, above the settings of the editor, below options', () => {
  const at = settings('baseline: main\ncrds: [crds]\nhover: false\n', { over: { baseline: 'none' } });
  assert.deepEqual(at('file:///b/x.yaml'), { ...defaultSettings, baseline: 'none' });
  assert.deepEqual(at('file:///a/x.yaml'), { ...defaultSettings, baseline: 'none', crds: ['crds'], hover: false });
  assert.equal(at('file:///a/x.yaml'), at('file:///a/x.yaml'), 'verdicts rest on the identity of settings');
});

test('rules that a config does not name stay as they are', () => {
  const all: Settings = {
    ...defaultSettings,
    rules: new Map([
      ['crd/scope', 'off'],
      ['cr/enum', 'hint'],
    ]),
  };
  const at = settings('rules:\n  cr/enum: warning\n', { all });
  assert.deepEqual(
    [...at('file:///a/x.yaml').rules],
    [
      ['crd/scope', 'off'],
      ['cr/enum', 'warning'],
    ],
  );
});

test('an override is for the files that its globs name, the last that fits wins', () => {
  const at = settings(`kubernetesVersion: 1.36
overrides:
  - files: [legacy/**, '*.old.yaml']
    kubernetesVersion: 1.33
  - files: [legacy/very]
    kubernetesVersion: 1.31
`);
  const versions = ['x.yaml', 'legacy/x.yaml', 'b/legacy/x.yaml', 'b/x.old.yaml', 'legacy/very/deep/x.yaml'];
  assert.deepEqual(
    versions.map((name) => at(`file:///a/${name}`).kubernetesVersion),
    ['1.36', '1.33', '1.36', '1.33', '1.31'],
  );
});

test('a version is what is written, not the number that YAML makes of it', () => {
  const { config, mistakes } = read('kubernetesVersion: 1.340\n');
  assert.deepEqual(config.layers[0]?.chosen, {});
  assert.match(mistakes[0]!.message, /^"1\.340" is not one of 1\.37/);
});

test('without trust nothing is taken that reaches beyond the workspace', () => {
  const { config, mistakes } = read('baseline: main\ncrds: [/etc]\nexclude: [a]\n', false);
  assert.deepEqual([config.layers[0]?.chosen, mistakes], [{ exclude: ['a'] }, []]);
});

test('what means nothing is named with its place, and the rest holds', () => {
  const { config, mistakes } = read(`kubernetesVersion: 1.5
hovr: true
hover: false
rules: {cr/enum: loud, crd/scoop: error, crd/scope: off}
sources: {goModules: 3, go: false, archives: false}
overrides:
  - kubernetesVersion: 1.33
  - files: '*'
  - 3
  - files: [a]
    check: workspace
    hover: null
`);
  assert.deepEqual(
    mistakes.map(({ path, part, message }) => [path.join('.'), part, message.split(';')[0]]),
    [
      [
        'kubernetesVersion',
        'value',
        '"1.5" is not one of 1.37, 1.36, 1.35, 1.34, 1.33, 1.32, 1.31, nor a range of them such as 1.31..1.37',
      ],
      ['hovr', 'key', 'there is no setting `hovr`'],
      ['rules.cr/enum', 'value', '"loud" for cr/enum is not one of error, warning, information, hint, off'],
      ['rules.crd/scoop', 'key', 'there is no rule named crd/scoop'],
      ['sources.goModules', 'value', 'expected true or false for goModules'],
      ['sources.go', 'key', 'there is no go'],
      ['overrides.0', 'value', 'expected `files` to be a list of globs, such as `[legacy/**]`'],
      ['overrides.1.files', 'value', 'expected `files` to be a list of globs, such as `[legacy/**]`'],
      ['overrides.2', 'value', 'expected `files` and their settings'],
      ['overrides.3.check', 'key', '`check` is for the whole workspace, it cannot differ between files'],
    ],
  );
  assert.deepEqual(
    config.layers.map(({ chosen }) => chosen),
    [{ hover: false, rules: new Map([['crd/scope', 'off']]), sources: new Set(['archives']) }, {}],
  );
});

test('texts that are no settings are said to be none, half-typed ones too', () => {
  for (const text of ['', '# only a comment\n', 'hover:\n', 'hov']) {
    const messages = read(text).mistakes.map(({ message }) => message);
    assert.deepEqual(messages, text === 'hov' ? ['expected settings by their names, such as `kubernetesVersion`'] : []);
  }
  assert.equal(read('overrides: 3\n').mistakes[0]?.message, 'expected a list of `files` with their settings');
});

const crd = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: boxes.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {kind: Box, plural: boxes}
  versions:
    - name: v1
      served: true
      storage: true
      schema:
        openAPIV3Schema:
          type: object
          description: 3
          x-kubernetes-validations:
            - rule: isSemver('1.2.3')
`;

test('a file that is judged for several versions says what is true of some of them only, and fixes it', () => {
  const uri = 'file:///crd.yaml';
  const of = (kubernetesVersion: string, text = crd) => {
    const quiet: Settings = { ...defaultSettings, kubernetesVersion };
    return withOpen({ ...emptySnapshot, settings: settingsOf(quiet) }, sourceFile(uri, text));
  };
  const shown = (kubernetesVersion: string, text = crd) =>
    diagnose(of(kubernetesVersion, text), uri)
      .filter(({ severity }) => severity === 'error')
      .map(({ code, kubernetes }) => [code, kubernetes?.join()]);
  const rule = crd.replace('description: 3', 'description: three');
  assert.deepEqual(shown('1.37', rule), []);
  assert.deepEqual(shown('1.33', rule), [['crd/rule-compile', undefined]]);
  assert.deepEqual(shown('1.33..1.37', rule), [['crd/rule-compile', '1.33']]);
  assert.deepEqual(shown('all', `# kube-crd: kubernetes 1.32,1.36\n${rule}`), [['crd/rule-compile', '1.32']]);
  const snapshot = of('1.32,1.36');
  const [wrong] = diagnose(snapshot, uri).filter(({ code }) => code === 'crd/decode');
  assert.equal(fixesFor(snapshot, uri, { code: 'crd/decode', key: wrong!.key }).length, 1);
  assert.notEqual(fixAll(snapshot, uri), undefined);
});
