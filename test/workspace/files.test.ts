import assert from 'node:assert/strict';
import { test } from 'node:test';
import { diagnose } from '../../server/src/features/problems/diagnose.ts';
import { newestVersion } from '../../server/src/kubernetes/releases/all.ts';
import { definitionsFor } from '../../server/src/workspace/definitions.ts';
import { emptyListing, type Files } from '../../server/src/workspace/files.ts';
import { defaultLimits } from '../../server/src/workspace/limits.ts';
import { loadWorkspace, withLoaded } from '../../server/src/workspace/loader.ts';
import { filesNaming, newMentions } from '../../server/src/workspace/mentions.ts';
import { defaultSettings } from '../../server/src/workspace/settings.ts';
import {
  emptySnapshot,
  type Snapshot,
  settingsFor,
  settingsOf,
  withDisk,
  withOpen,
  withoutOpen,
} from '../../server/src/workspace/snapshot.ts';
import { sourceFile } from '../../server/src/workspace/sourceFile.ts';
import { blankTemplateLines } from '../../server/src/workspace/template.ts';
import { sharedFile } from '../support/workspace.ts';

const widgets = sharedFile('widgets');
const misspelled = 'apiVersion: example.com/v1\nkind: Widget\nmetadata: {name: a}\nspec: {size: 1, sise: 3}\n';

function files(content: Readonly<Record<string, string | Uint8Array>>): Files {
  const bytes = (text: string | Uint8Array) => (typeof text === 'string' ? new TextEncoder().encode(text) : text);
  const uris = Object.keys(content);
  return {
    list: async (_, most) => ({ ...emptyListing, uris: uris.slice(0, most), cut: uris.length > most }),
    read: async (uri, most) => {
      const found = content[uri];
      if (found === undefined) return undefined;
      return found.length > most ? 'too-large' : bytes(found);
    },
    expand: async () => emptyListing,
    isInside: async () => true,
    startOf: (pattern) => pattern,
    entries: async () => [],
  };
}

async function load(content: Readonly<Record<string, string | Uint8Array>>) {
  const source = files(content);
  const limits = { ...defaultLimits, files: 4, fileBytes: 20_000 };
  return loadWorkspace(
    source,
    { own: [await source.list('mem:/', limits.files)], named: [] },
    { limits, cancelled: () => false },
  );
}

test('which files name which kinds is taken in file by file, and not all at once at the end', async () => {
  const source = files(Object.fromEntries(Array.from({ length: 5 }, (_, i) => [`mem:/${i}.yaml`, misspelled])));
  const mentions = newMentions();
  const known: number[] = [];
  await loadWorkspace(
    source,
    { own: [await source.list('mem:/', 5)], named: [] },
    {
      limits: defaultLimits,
      cancelled: () => false,
      mentions,
      pause: async () => void known.push(mentions.byFile.size),
    },
  );
  assert.deepEqual(known, [0, 1, 2, 3, 4]);
  assert.equal(filesNaming(mentions, 'Widget').length, 5);
});

function snapshot(...all: readonly (readonly [uri: string, text: string])[]): Snapshot {
  return all.reduce((now, [uri, text]) => withOpen(now, sourceFile(uri, text)), emptySnapshot);
}

const codes = (of: Snapshot, uri: string) => diagnose(of, uri).map(({ code }) => code);

// What kustomize v5 (api 0.21.1) builds: `namespace: shop` gives each object of its resources, those of folders and
// components as well, that namespace, and a Namespace that name, whatever they had.
test('what a kustomization puts into a namespace has no namespace of its own to be judged', async () => {
  const loaded = await load({
    'mem:/app/kustomization.yaml': 'namespace: shop\nresources: [own.yaml, ../base]\ncomponents: [../component]\n',
    'mem:/base/kustomization.yaml': 'resources: [widget.yaml]\n',
    'mem:/component/kustomization.yaml': 'kind: Component\nresources: [namespace.yaml]\n',
    'mem:/alone/kustomization.yaml': 'resources: [widget.yaml]\n',
  });
  const { placed } = withLoaded(emptySnapshot, loaded);
  const all = ['mem:/app/own.yaml', 'mem:/base/widget.yaml', 'mem:/component/namespace.yaml', 'mem:/alone/widget.yaml'];
  assert.deepEqual(
    all.map((uri) => placed.has(uri)),
    [true, true, true, false],
  );
  const odd = 'apiVersion: example.com/v1\nkind: Widget\nmetadata: {name: _, namespace: _}\nspec: {size: 1}\n';
  const known = { ...snapshot(['mem:/crd.yaml', widgets], [all[1]!, odd], [all[3]!, odd]), placed };
  assert.deepEqual(codes(known, all[1]!), ['metadata/name']);
  assert.deepEqual(codes(known, all[3]!), ['metadata/name', 'metadata/namespace']);
});

// What kustomize (api 0.21.1) builds: `vars` of a base or an overlay are filled in wherever they are built together, in labels
// and annotations of any object, and in the fields that `configurations` name. `$(OTHER)` stays as it is.
test('what a kustomization fills in is not known, and nothing else of it', async () => {
  const loaded = await load({
    'mem:/app/kustomization.yaml': 'resources: [own.yaml, ../base]\nvars: [{name: VAR}]\n',
    'mem:/base/kustomization.yaml': 'resources: [widget.yaml]\n',
    'mem:/more/kustomization.yaml': 'resources: [widget.yaml]\nconfigurations: [c.yaml]\nvars: [{name: VAR}]\n',
    'mem:/alone/kustomization.yaml': 'resources: [widget.yaml]\n',
  });
  const { variables } = withLoaded(emptySnapshot, loaded);
  const found = (uri: string, text: string, crd = widgets) => {
    const known = { ...snapshot(['mem:/crd.yaml', crd], [uri, text]), variables };
    return diagnose(known, uri).map(({ code, range }) => `${code} ${text.slice(range.start, range.end)}`);
  };
  const widget = (name: string, label: string, size: string) =>
    `apiVersion: example.com/v1\nkind: Widget\nmetadata: {name: ${name}, labels: {a: ${label}}}\nspec: {size: ${size}}\n`;
  const text = widget('a', '$(VAR)', '$(VAR)');
  for (const uri of ['mem:/app/own.yaml', 'mem:/base/widget.yaml'])
    assert.deepEqual(found(uri, text), ['cr/placeholder $(VAR)', 'cr/type $(VAR)'], uri);
  assert.deepEqual(found('mem:/more/widget.yaml', text), ['cr/placeholder $(VAR)', 'cr/placeholder $(VAR)']);
  assert.deepEqual(found('mem:/more/widget.yaml', widget('a', 'b', '$(OTHER)')), ['cr/type $(OTHER)']);
  assert.deepEqual(found('mem:/alone/widget.yaml', text), ['metadata/label $(VAR)', 'cr/type $(VAR)']);
  const ruled = widgets.replace(
    'openAPIV3Schema:',
    `openAPIV3Schema:
          x-kubernetes-validations:
            - {rule: "self.metadata.name == 'b' || !has(self.spec) || string(self.spec.size) == 'x'"}`,
  );
  assert.notEqual(ruled, widgets);
  assert.deepEqual(found('mem:/more/widget.yaml', widget('b', 'c', '$(VAR)'), ruled), ['cr/placeholder $(VAR)']);
});

test('only files that define kinds are kept, and what was left out is named', async () => {
  const loaded = await load({
    'mem:/crd.yaml': widgets,
    'mem:/other.yaml': misspelled,
    'mem:/binary.yaml': new Uint8Array([0, 1, 2]),
    'mem:/huge.yaml': 'x'.repeat(30_000),
    'mem:/one-too-many.yaml': widgets,
  });
  assert.deepEqual(
    loaded.files.map(({ uri }) => uri),
    ['mem:/crd.yaml'],
  );
  assert.deepEqual(
    loaded.notes.map((note) => note.replace(/\d+/g, 'N')),
    [
      'a folder has more than N YAML files; the rest were not read',
      'mem:/binary.yaml is not a text file and was not read',
      'mem:/huge.yaml is larger than N bytes and was not read',
    ],
  );
});

test('what a kustomization applies as a patch is left alone', async () => {
  const loaded = await load({
    'mem:/app/kustomization.yaml': 'patches:\n  - path: sub/patch.yaml\npatchesStrategicMerge: [../merge.yaml]\n',
  });
  assert.deepEqual(
    [...loaded.said.values()].flatMap(({ parts }) => parts),
    ['mem:/app/sub/patch.yaml', 'mem:/merge.yaml'],
  );
  const chainsaw = await load({
    'mem:/test/chainsaw-test.yaml': `apiVersion: chainsaw.kyverno.io/v1alpha1
kind: Test
spec:
  steps:
    - try:
        - apply: {file: resources.yaml}
        - assert: {file: state.yaml}
        - error: {file: ../gone.yaml}
`,
  });
  assert.deepEqual(
    [...chainsaw.said.values()].flatMap(({ parts }) => parts),
    ['mem:/test/state.yaml', 'mem:/gone.yaml'],
  );
  const known = snapshot(['mem:/crd.yaml', widgets], ['mem:/merge.yaml', misspelled]);
  assert.deepEqual(codes(known, 'mem:/merge.yaml'), ['cr/unknown-field']);
  assert.deepEqual(codes({ ...known, patches: new Set(['mem:/merge.yaml']) }, 'mem:/merge.yaml'), []);
});

test('a CRD inside a chart is known by what stands between its template lines; nothing is said about it', () => {
  const chart = `{{- if .Values.crds }}\n${widgets.replace('scope: Namespaced', 'scope: Nowhere')}{{- end }}\n`;
  assert.equal(sourceFile('mem:/crd.yaml', chart).template, true);
  assert.equal(blankTemplateLines(chart).length, chart.length);
  const known = snapshot(['mem:/chart.yaml', chart], ['mem:/cr.yaml', misspelled]);
  assert.deepEqual(codes(known, 'mem:/chart.yaml'), []);
  assert.deepEqual(codes(known, 'mem:/cr.yaml'), ['cr/unknown-field']);
});

test('a description that quotes a template makes no template', () => {
  const quoting = widgets.replace('How large it is.', 'Such as {{ .size }}.');
  const isTemplate = (text: string, uri = 'mem:/x.yaml', languageId?: string) =>
    sourceFile(uri, text, { languageId }).template;
  assert.equal(isTemplate(quoting, 'mem:/crds/crd.yaml'), false);
  assert.equal(isTemplate('name: {{ .Release.Name }}\n'), true);
  assert.equal(isTemplate('- {{ .Release.Name }}\n'), true);
  assert.equal(isTemplate('a: 1\n', 'mem:/x.yaml', 'helm'), true);
  assert.equal(isTemplate('name: x-{{ .Release.Name }}\n', 'mem:/chart/templates/x.yaml'), true);
  // Policies, ApplicationSets, and scripts in blocks of text.
  assert.equal(isTemplate('name: app-{{name}}\nmessage: no {{ request.object.kind }} here\n'), false);
  assert.equal(isTemplate('script: |\n  {{- if .x }}\n  - {{ .y }}\n  {{- end }}\n'), false);
  assert.equal(isTemplate('{% if x %}\na: 1\n{% endif %}\n'), true);
});

test('a CRD with a schema for the version counts before a stub, and one outside of test data before test data', () => {
  const stub = widgets.replace(/ {10}properties:[\s\S]*$/, '');
  const other = widgets.replaceAll('size', 'sise');
  const judged = (uri: string, ...crds: readonly (readonly [string, string])[]) =>
    codes(snapshot(...crds, [uri, misspelled.replace('size: 1, ', '')]), uri);
  assert.deepEqual(judged('mem:/a/x/cr.yaml', ['mem:/a/x/stub.yaml', stub], ['mem:/crd.yaml', widgets]), [
    'cr/required',
    'cr/unknown-field',
  ]);
  const testData = ['mem:/pkg/testdata/crd.yaml', other] as const;
  const unknown = (uri: string) => judged(uri, testData, ['mem:/crds/crd.yaml', widgets]).includes('cr/unknown-field');
  assert.equal(unknown('mem:/pkg/cr.yaml'), true);
  assert.equal(unknown('mem:/pkg/testdata/cr.yaml'), false);
});

test('an object without a name is a fragment in test data, and a mistake elsewhere', () => {
  const nameless = 'apiVersion: example.com/v1\nkind: Widget\nstatus: {ready: true}\n';
  const found = (uri: string) => codes(snapshot(['mem:/crd.yaml', widgets], [uri, nameless]), uri).length > 0;
  assert.deepEqual([found('mem:/pkg/testdata/a.yaml'), found('mem:/pkg/testdata.yaml')], [false, true]);
});

test('of two CRDs of a kind the nearest counts', () => {
  const other = widgets.replace(
    '                size:\n',
    '                size: {type: integer}\n                sise:\n',
  );
  const known = snapshot(['mem:/a/crd.yaml', widgets], ['mem:/b/crd.yaml', other], ['mem:/b/deep/cr.yaml', misspelled]);
  assert.deepEqual(codes(known, 'mem:/b/deep/cr.yaml'), []);
  assert.deepEqual(codes(known, 'mem:/a/crd.yaml'), ['cr/kind-defined-twice']);
  assert.deepEqual(codes(known, 'mem:/b/crd.yaml'), []);
  const manifest = known.open.get('mem:/b/deep/cr.yaml')!.manifests[0]!;
  assert.deepEqual(
    definitionsFor(known.definitions, manifest, 'mem:/a/x.yaml').map(({ file }) => file.uri),
    ['mem:/a/crd.yaml', 'mem:/b/crd.yaml'],
  );
});

test('unsaved text counts before the disk, and the disk again once the file is closed', () => {
  const disk = withDisk(emptySnapshot, 'mem:/crd.yaml', sourceFile('mem:/crd.yaml', widgets));
  const edited = withOpen(disk, sourceFile('mem:/crd.yaml', widgets.replace('kind: Widget\n', 'kind: Gadget\n')));
  assert.deepEqual([...edited.definitions.keys()], ['example.com/Gadget']);
  assert.deepEqual([...withoutOpen(edited, 'mem:/crd.yaml').definitions.keys()], ['example.com/Widget']);
});

test('typing in a file that defines no kinds leaves the index as it is', () => {
  const before = snapshot(['mem:/crd.yaml', widgets], ['mem:/cr.yaml', misspelled]);
  const after = withOpen(before, sourceFile('mem:/cr.yaml', `${misspelled}# more\n`));
  assert.equal(after.definitions, before.definitions);
});

test('documents of a stream that did not change keep their identity', () => {
  const text = `${misspelled}---\n${misspelled}`;
  const before = sourceFile('mem:/cr.yaml', text);
  const after = sourceFile('mem:/cr.yaml', `# new\n${text}`, { previous: before });
  assert.notEqual(after.stream.documents[0]!.document, before.stream.documents[0]!.document);
  assert.equal(after.stream.documents[1]!.document, before.stream.documents[1]!.document);
});

test('documents beyond the limit are not checked, and that is said', () => {
  const file = sourceFile('mem:/many.yaml', 'a: 1\n---\n'.repeat(30), { limits: { ...defaultLimits, documents: 10 } });
  assert.deepEqual(file.leftOut, ['only the first 10 documents are checked']);
});

test('test expectations, excluded files and patches are left alone, an ordinary name is not', () => {
  const files = ['mem:/00-assert.yaml', 'mem:/01-errors.yaml', 'mem:/error-rate.yaml', 'mem:/crd-assert.yaml'];
  const known = snapshot(
    ['mem:/crd.yaml', widgets],
    ...files.map((uri) => [uri, misspelled] as const),
    ['mem:/x.yaml', `# kube-crd: ignore\n${misspelled}`],
    ['mem:/p.yaml', `$patch: delete\n${misspelled}`],
  );
  assert.deepEqual(
    files.map((uri) => codes(known, uri).length),
    [0, 0, 1, 1],
  );
  assert.deepEqual(codes(known, 'mem:/x.yaml'), []);
  assert.deepEqual(codes(known, 'mem:/p.yaml'), []);
});

test('files that the settings exclude are left alone', () => {
  const known = snapshot(['mem:/crd.yaml', widgets], ['mem:/a/test%20data/x/cr.yaml', misspelled]);
  const found = (...exclude: string[]) => {
    const settings = settingsOf({ ...defaultSettings, exclude });
    return codes({ ...known, settings }, 'mem:/a/test%20data/x/cr.yaml').length;
  };
  for (const glob of ['**/test data/**', 'test data', 'cr.yaml', 'x/*.yaml', '/a/**', '/a/test data/x/c?.yaml'])
    assert.equal(found(glob), 0, glob);
  for (const glob of ['', 'est data', '/test data', '*.yml', 'a/*.yaml']) assert.equal(found(glob), 1, glob);
});

test('a comment at the top of a file names its Kubernetes version', () => {
  const versions = (first: string) => {
    const known = snapshot(['mem:/cr.yaml', `${first}\n${misspelled}`]);
    return [settingsFor(known, 'mem:/cr.yaml').kubernetesVersion, ...codes(known, 'mem:/cr.yaml')];
  };
  assert.deepEqual(versions('# kube-crd: kubernetes 1.33'), ['1.33']);
  assert.deepEqual(versions('# kube-crd: kubernetes 1.12'), [newestVersion.name, 'yaml/kubernetes-version']);
  assert.deepEqual(versions('# for kubernetes 1.33'), [newestVersion.name]);
});

test('copies of a CRD, and those with other words, are not told of', () => {
  const words = widgets.replace(/description: .*/, 'description: In other words.');
  const known = snapshot(['mem:/a/crd.yaml', widgets], ['mem:/b/crd.yaml', words], ['mem:/c/crd.yaml', widgets]);
  assert.notEqual(words, widgets);
  for (const folder of ['a', 'b', 'c']) assert.deepEqual(codes(known, `mem:/${folder}/crd.yaml`), []);
});

test('where others are answered meanwhile, a few files are read ahead, and the same comes of it', async () => {
  const uris = Array.from({ length: 20 }, (_, i) => `mem:/${i}.yaml`);
  const content = Object.fromEntries(uris.map((uri, i) => [uri, widgets.replaceAll('idgets', `idgets${i}`)]));
  const failing = new Set(['mem:/7.yaml', 'mem:/19.yaml']);
  const source = files(content);
  const listings = { own: [{ ...emptyListing, uris }], named: [] };
  let [reading, most, read] = [0, 0, 0];
  const slow: Files = {
    ...source,
    read: async (uri, bytes) => {
      most = Math.max(most, ++reading);
      read++;
      await new Promise((resolve) => setTimeout(resolve, 1));
      reading--;
      if (failing.has(uri)) throw new Error('the disk is gone');
      return await source.read(uri, bytes);
    },
  };
  const options = { limits: defaultLimits, cancelled: () => false };
  const inTurn = await loadWorkspace(slow, listings, options);
  assert.deepEqual([most, read], [1, 20]);
  let pauses = 0;
  const pause = async () => void pauses++;
  const ahead = await loadWorkspace(slow, listings, { ...options, pause });
  assert.deepEqual([most, read, pauses], [4, 40, 20]);
  assert.deepEqual(
    [ahead.files.map(({ uri }) => uri), ahead.notes],
    [inTurn.files.map(({ uri }) => uri), inTurn.notes],
  );
  assert.equal(ahead.notes.length, 2);

  // Whoever needs it no longer waits for none of them, and what fails after that is nobody's.
  const cancelled = () => read > 44;
  await loadWorkspace(slow, listings, { limits: defaultLimits, cancelled, pause });
  assert.ok(read < 52, String(read));
  await new Promise((resolve) => setTimeout(resolve, 10));
});
