import assert from 'node:assert/strict';
import { test } from 'node:test';
import { diagnoseGo } from '../../server/src/features/golang/diagnoseGo.ts';
import { silencingGo } from '../../server/src/features/golang/silencingGo.ts';
import { emptySnapshot } from '../../server/src/workspace/snapshot.ts';
import { viewOfText } from '../support/goFiles.ts';
import { applyEdits } from '../support/workspace.ts';

const text = `// +groupName=example.com
package v1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

type Spec struct {
	// Size of it.
	// +kubebuilder:validation:Pattern="a("
	Size string \`json:"size,omitempty"\`
	// +kubebuilder:validation:Pattern="a("
	Other string \`json:"other,omitempty"\`
}

// Widget is what users make.
type Widget struct {
	metav1.TypeMeta   \`json:",inline"\`
	metav1.ObjectMeta \`json:"metadata,omitempty"\`
	Spec              Spec \`json:"spec,omitempty"\`
}
`;

const found = async (of: string) => diagnoseGo(emptySnapshot, await viewOfText(of));
const codes = async (of: string) => (await found(of)).map(({ code }) => code);

test('a marker above a declaration silences the rules that it names there, and changes nothing else of the CRD', async () => {
  const [first, ...others] = await codes(text);
  assert.equal(first, 'crd/pattern');
  const silenced = text.replace('\t// Size', `\t// +kube-crd:ignore=${first}\n\t// Size`);
  assert.deepEqual(await codes(silenced), others);
  assert.deepEqual(await codes(silenced.replace(`ignore=${first}`, 'ignore=cr/enum')), [first, ...others]);
  const made = async (of: string) => (await viewOfText(of)).source.text;
  assert.equal(await made(silenced), await made(text));
});

for (const eol of ['\n', '\r\n']) {
  test(`every finding can be ignored by a fix, line ends ${JSON.stringify(eol)}`, async () => {
    const own = text.replaceAll('\n', eol);
    const view = await viewOfText(own);
    const all = await found(own);
    assert.ok(all.length >= 2);
    for (const one of all) {
      const [fix, ...more] = silencingGo(emptySnapshot, view, one);
      assert.ok(fix && more.length === 0);
      const left = await codes(applyEdits(own, fix.edits));
      assert.equal(
        left.filter((code) => code === one.code).length,
        all.filter(({ code }) => code === one.code).length - 1,
      );
    }
  });
}
