import assert from 'node:assert/strict';
import { test } from 'node:test';
import { crdOptionsText } from '../../server/src/controllergen/crd/options.ts';
import {
  callFor,
  callsIn,
  callText,
  type GeneratorCall,
  mostOfCalls,
} from '../../server/src/workspace/generatorCalls.ts';
import { GoPackages } from '../../server/src/workspace/goPackages.ts';
import { filesOf } from '../support/goFiles.ts';
import { packagedText } from '../support/packaged.ts';

const root = 'file:///r';

/** The options of a folder by a file of the repository; where there is no call, nothing. */
function optionsIn(name: string, text: string, folder = 'api/v1'): string | undefined {
  const call = callFor(callsIn(text, `${root}/${name}`, root), `${root}/${folder}`);
  return call && `${call.written?.line}: ${crdOptionsText(call.options)}${call.isWhole ? '' : ', and more'}`;
}

test('calls are found as people write them', () => {
  const dangerous = 'crd:allowDangerousTypes=true';
  const texts: readonly (readonly [file: string, text: string, options: string | undefined])[] = [
    ['Makefile', `gen:\n\t$(CONTROLLER_GEN) rbac:roleName=a ${dangerous} paths="./..."`, `2: ${dangerous}`],
    [
      'Makefile',
      `gen:\n\t@controller-gen \\\n\t  ${dangerous},maxDescLen=0 \\\n\t  paths=./api/...`,
      `2: ${dangerous},maxDescLen=0`,
    ],
    [
      'Makefile',
      `CRD_OPTIONS ?= "${dangerous}"\ngen:\n\t$(CONTROLLER_GEN) $(CRD_OPTIONS) paths=./api/v1`,
      `3: ${dangerous}`,
    ],
    ['Makefile', 'gen:\n\t$(CONTROLLER_GEN) crd paths=./...', '2: crd'],
    ['Makefile', `gen:\n\tcd api && controller-gen ${dangerous} paths=./...`, `2: ${dangerous}`],
    ['Makefile', `gen:\n\tcontroller-gen ${dangerous} paths="./other/...;./api/v1"`, `2: ${dangerous}`],
    ['Makefile', `gen:\n\tcontroller-gen ${dangerous} paths=./other/...`, undefined],
    ['Makefile', `# controller-gen ${dangerous} paths=./...`, undefined],
    [
      'Makefile',
      `gen:\n\tcontroller-gen crd paths=./...\n\tcontroller-gen ${dangerous} paths=./api/v1`,
      `3: ${dangerous}`,
    ],
    [
      'Taskfile.yml',
      `vars:\n  OPTIONS: ${dangerous}\ncmds:\n  - controller-gen {{.OPTIONS}} paths=./...`,
      `4: ${dangerous}`,
    ],
    [
      'Taskfile.yml',
      `vars:\n  OPTIONS: '${dangerous}'\ncmds:\n  - controller-gen "{{ .OPTIONS }}" \\\n    paths=./...`,
      `4: ${dangerous}`,
    ],
    ['Taskfile.yml', `cmds:\n  - "{{.CONTROLLER_GEN}} ${dangerous} paths=./..."`, `2: ${dangerous}`],
    [
      'hack/gen.sh',
      `go run sigs.k8s.io/controller-tools/cmd/controller-gen '${dangerous}' paths="\${ROOT}/api/..."`,
      `1: ${dangerous}`,
    ],
    [
      'api/v1/doc.go',
      `// controller-gen crd:maxDescLen=0\n//go:generate controller-gen ${dangerous} paths=.`,
      `2: ${dangerous}`,
    ],
    [
      'Makefile',
      `gen:\n\tcontroller-gen "crd:crdVersions=v1;v1beta1,maxDescLen=0" paths=./...`,
      '2: crd:crdVersions=v1;v1beta1,maxDescLen=0',
    ],
    [
      'Makefile',
      'gen:\n\tcontroller-gen crd:headerFile="hack/header.txt",year=2026 paths=./...; true',
      '2: crd:headerFile=hack/header.txt,year=2026',
    ],
    ['Makefile', 'gen:\n\tcontroller-gen crd:maxDescLen=0; true paths=./...', '2: crd:maxDescLen=0'],
    [
      'Makefile',
      'gen:\n\tcontroller-gen "crd:trivialVersions=true,preserveUnknownFields=false,maxDescLen=0" paths=./...',
      '2: crd:maxDescLen=0',
    ],
    [
      'Makefile',
      `gen:\n\tcontroller-gen crd:maxDescLen=\${LENGTH},allowDangerousTypes=true,$(MORE) paths=./...`,
      `2: ${dangerous}, and more`,
    ],
    ['Makefile', 'gen:\n\tcontroller-gen crd:maxDescLen=0,unheardOf=1 paths=./...', '2: crd:maxDescLen=0, and more'],
    ['Makefile', 'test:\n\tkubectl get crd foo', undefined],
    ['Makefile', 'docs:\n\tcrd-ref-docs --crd:x', undefined],
  ];
  for (const [file, text, options] of texts) assert.equal(optionsIn(file, text), options, `${file}: ${text}`);
});

test('lines and variables that are too long are passed over, whatever they would come to', () => {
  const long = 'x'.repeat(mostOfCalls.variable);
  const many = '$(A)'.repeat(mostOfCalls.line / 4 - 10);
  assert.equal(optionsIn('Makefile', `A = crd ${long}\nb:\n\t${many} controller-gen crd paths=./...`), '3: crd');
  assert.equal(
    optionsIn('Makefile', `b:\n\tcontroller-gen crd paths=./... ${'y'.repeat(mostOfCalls.line)}`),
    undefined,
  );
});

const go = `// +groupName=example.com
package v1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// +kubebuilder:object:root=true
type Widget struct {
	metav1.TypeMeta   \`json:",inline"\`
	metav1.ObjectMeta \`json:"metadata,omitempty"\`
	Share float64 \`json:"share,omitempty"\`
}
`;

/** What is said of the types in a repository with more files, and a setting. */
async function saidOf(more: Readonly<Record<string, string>>, setting = ''): Promise<readonly string[]> {
  const texts = { '/r/m/go.mod': 'module example.com/m\n', '/r/m/api/v1/types.go': go, ...more };
  const files = filesOf(new Map(Object.entries(texts).map(([path, text]) => [`file://${path}`, text])));
  const { mistakes, calls } = await new GoPackages(files, undefined, packagedText, () => setting).generate([
    'file:///r/m/api/v1',
  ]);
  return [
    ...mistakes.map(({ message }) => message.slice(0, 11)),
    ...calls.map(({ written }) => `${written?.uri}:${written?.line}`),
  ];
}

test('the options of the repository around a module hold, and none beyond it', async () => {
  const makefile = 'gen:\n\tcontroller-gen crd:allowDangerousTypes=true paths=./...\n';
  assert.deepEqual(await saidOf({}), ['found float']);
  assert.deepEqual(await saidOf({ '/r/m/Makefile': makefile }), ['file:///r/m/Makefile:2']);
  assert.deepEqual(await saidOf({ '/r/Makefile': makefile, '/r/.git': '' }), ['file:///r/Makefile:2']);
  const script = 'O="crd:allowDangerousTypes=true"\n"$1" "$O" paths="./m/api/v1"\n';
  const inScript = { '/r/build/crds/gen.sh': script, '/r/build/x': '', '/r/.git': '' };
  assert.deepEqual(await saidOf(inScript), ['file:///r/build/crds/gen.sh:2']);
  assert.deepEqual(await saidOf({ '/r/Makefile': makefile }), ['found float']);
  assert.deepEqual(await saidOf({ '/Makefile': makefile, '/r/.git': '' }), ['found float']);
});

test('a setting gives options where no call does, or not all of them', async () => {
  const makefile = (options: string) => ({ '/r/m/Makefile': `gen:\n\tcontroller-gen ${options} paths=./...\n` });
  const dangerous = 'crd:allowDangerousTypes=true';
  assert.deepEqual(await saidOf({}, dangerous), ['undefined:undefined']);
  assert.deepEqual(await saidOf(makefile('crd'), dangerous), ['found float']);
  assert.deepEqual(await saidOf(makefile('crd:$(OPTIONS)'), dangerous), ['undefined:undefined']);
  assert.deepEqual(await saidOf(makefile('crd:$(OPTIONS)')), ['found float', 'file:///r/m/Makefile:2']);
});

test('what is in force is said with where it is written', async () => {
  const said = (call: GeneratorCall | undefined) => call && callText(call, (uri) => uri.slice(root.length + 1));
  const [whole] = callsIn('gen:\n\tcontroller-gen crd:maxDescLen=0 paths=./...', `${root}/Makefile`, root);
  assert.equal(said(whole), "controller-gen's options are those of Makefile:2: crd:maxDescLen=0");
  const [partly] = callsIn('controller-gen crd:$(OPTIONS) paths=./...', `${root}/Makefile`, root);
  assert.equal(
    said(partly),
    "controller-gen's options are those of Makefile:1: crd, as far as they can be read there; the setting controllerGen can give them whole",
  );
  assert.equal(
    said(whole && { ...whole, written: undefined }),
    "controller-gen's options are those of the setting controllerGen: crd:maxDescLen=0",
  );
});

test('a Makefile that changes is read again', async () => {
  const texts = new Map([
    ['file:///r/go.mod', 'module example.com/m\n'],
    ['file:///r/v1/types.go', go],
  ]);
  const packages = new GoPackages(filesOf(texts), undefined, packagedText);
  const said = async () => (await packages.generate(['file:///r/v1'])).mistakes.length;
  assert.equal(await said(), 1);
  texts.set('file:///r/Makefile', 'gen:\n\tcontroller-gen crd:allowDangerousTypes=true paths=./...\n');
  assert.equal(packages.forget('file:///r/Makefile'), true);
  assert.equal(await said(), 0);
});
