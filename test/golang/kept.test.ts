import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import type { Path, Value } from '../../server/src/base/value.ts';
import { isList, isMap } from '../../server/src/base/value.ts';
import { generate } from '../../server/src/controllergen/crd/generate.ts';
import type { Generated, Kept } from '../../server/src/controllergen/crd/model.ts';
import { noOptions } from '../../server/src/controllergen/crd/options.ts';
import type { GoPackage } from '../../server/src/controllergen/packages.ts';
import { parseGo } from '../../server/src/controllergen/syntax/parse.ts';
import { type Random, seeded } from '../support/random.ts';

// What is taken over from the run before a change is what a new run would make: values, mistakes and places.

const example = readFileSync('examples/queue-operator/api/v1/queue_types.go', 'utf8');
const files: Record<string, string> = {
  'a.go': `// +groupName=example.com\npackage v1\n\nimport metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"\n\nvar _ metav1.Time\n`,
  'b.go': example,
  'c.go': `package v1

// Size is a size.
// +kubebuilder:validation:Minimum=1
type Size int32

// Shape has sizes.
type Shape struct {
	// Base of it.
	Base \`json:",inline"\`
	// +kubebuilder:validation:Maximum=10
	Width Size \`json:"width"\`
	// +optional
	Parts map[string]Part \`json:"parts,omitempty"\`
}

// Base is below.
// +kubebuilder:validation:XValidation:rule="has(self.name)"
type Base struct {
	// +kubebuilder:validation:MaxLength=9
	Name string \`json:"name"\`
}

// A comment above a type.

// Part is one.
type Part struct {
	// +kubebuilder:validation:MaxItems=3
	Sizes []Size \`json:"sizes"\` // behind
}
`,
};
files['b.go'] = example.replace(
  '	Consumers []',
  '	// +optional\n	Shape *Shape `json:"shape,omitempty"`\n	Consumers []',
);

const path = 'example.com/api/v1';

function packageOf(texts: Readonly<Record<string, string>>, before?: GoPackage): GoPackage {
  const kept = (uri: string, text: string) => before?.files.find((file) => file.uri === uri && file.go.text === text);
  return { path, files: Object.entries(texts).map(([uri, text]) => kept(uri, text) ?? { uri, go: parseGo(text) }) };
}

function madeOf(of: GoPackage, kept?: Kept): Generated {
  return generate(
    [of],
    new Map([
      [path, of],
      ['k8s.io/apimachinery/pkg/apis/meta/v1', null],
    ]),
    noOptions,
    kept,
  );
}

/** Everything that is said of packages, and where each part comes from. */
function shown({ crds, mistakes }: Generated): unknown {
  return {
    mistakes,
    crds: crds.map(({ value, kinds, fileName, isDropped, missing, originOf }) => ({
      ...{ value, kinds, fileName, isDropped, missing },
      places: pathsIn(value, []).map((one) => [one.join('/'), originOf(one)]),
    })),
  };
}

function pathsIn(value: Value, at: Path): Path[] {
  const inner = isList(value) ? [...value.entries()] : isMap(value) ? [...value] : [];
  return [at, ...inner.flatMap(([step, part]) => pathsIn(part, [...at, step]))];
}

const pieces = [
  'x',
  ' ',
  '"',
  '=1',
  ',',
  '+optional',
  '`',
  '+kubebuilder:validation:Schemaless',
  '// ',
  '\n',
  '{',
  'Name',
];

/** Most changes are within comments, as those of people who write markers. */
function changed(text: string, { below, chance, pick }: Random): string {
  const comment = pick([...text.matchAll(/\/\/.*/g)]);
  const at = chance(0.8) ? comment.index + 2 + below(comment[0].length - 1) : below(text.length + 1);
  const gone = chance(0.3) ? below(4) : 0;
  return text.slice(0, at) + pick(pieces) + text.slice(at + gone);
}

for (let seed = 1; seed <= 8; seed++) {
  test(`what is kept between changes is what would be made anew, with seed ${seed}`, () => {
    const random = seeded(seed);
    let texts = files;
    let before = packageOf(texts);
    let { kept } = madeOf(before);
    let times = 0;
    for (let i = 0; i < 60; i++) {
      // Small changes of a text that is whole, most of the time.
      const from = random.chance(0.7) ? files : texts;
      const name = random.pick(['b.go', 'c.go', 'c.go', 'a.go']);
      texts = { ...from, [name]: changed(from[name]!, random) };
      const after = packageOf(texts, before);
      const made = madeOf(after, kept);
      if (kept) times++;
      assert.deepEqual(shown(made), shown(madeOf(packageOf(texts))));
      kept = made.kept;
      before = after;
    }
    assert.ok(times > 10, 'something was kept');
  });
}
