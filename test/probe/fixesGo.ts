import { parseGo } from '../../server/src/controllergen/syntax/parse.ts';
import { diagnoseGo } from '../../server/src/features/golang/diagnoseGo.ts';
import { fixesGo } from '../../server/src/features/golang/fixesGo.ts';
import type { Diagnostic, Fix } from '../../server/src/rules/model/diagnostic.ts';
import type { GoView } from '../../server/src/workspace/projections/goTypes.ts';
import { emptySnapshot } from '../../server/src/workspace/snapshot.ts';
import { viewOfText } from '../support/goFiles.ts';
import { type Random, seeded } from '../support/random.ts';
import { applyEdits } from '../support/workspace.ts';

// Every fix that is offered in Go for markers that do not belong where they are, or are written wrong.

interface Count {
  good: number;
  all: number;
}

export interface GoFigures {
  packages: number;
  /** By marker: how often what is said of it has a fix. */
  readonly offered: Map<string, Count>;
  /** The finding is not where it was. */
  readonly gone: Count;
  readonly noNewError: Count;
  /** Nothing is edited but the type or field that the finding is in. */
  readonly own: Count;
  /** Code and comments that are not markers stay. */
  readonly code: Count;
  readonly failures: string[];
}

const types = `// +groupName=example.com
package v1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// Mode of a part.
type Mode string

// Part is in a list.
type Part struct {
	// Name of the part.
	Name string \`json:"name"\`

	// Tags are words.
	// +optional
	Tags []string \`json:"tags,omitempty"\`

	// Mode of it.
	Mode Mode \`json:"mode"\`
}

// Limits are in a map.
type Limits struct {
	// +optional
	Most *int32 \`json:"most,omitempty"\`

	Parts []Part \`json:"parts"\`
}

// Spec of a widget.
type Spec struct {
	Size int32 \`json:"size"\`

	// Parts of it.
	// +optional
	Parts []Part \`json:"parts,omitempty"\`

	Words []string \`json:"words"\`

	// +optional
	Limits map[string]Limits \`json:"limits,omitempty"\`

	Inner Limits \`json:"inner"\`
}

// Widget is one.
// +kubebuilder:object:root=true
type Widget struct {
	metav1.TypeMeta   \`json:",inline"\`
	metav1.ObjectMeta \`json:"metadata,omitempty"\`

	Spec Spec \`json:"spec"\`
}
`;

const faults: readonly string[] = [
  ...['+listType=map', '+listType=set', '+listMapKey=name', '+mapType=atomic', '+structType=granular', '+nullable'],
  ...[
    '+kubebuilder:default=small',
    '+kubebuilder:default=3',
    "+kubebuilder:default='a'",
    '+kubebuilder:default={a: 1}',
    '+kubebuilder:default={}',
  ],
  ...[
    '+kubebuilder:validation:MaxLenght=3',
    '+kubebuilder:validation:MaxLength=3',
    '+kubebuilder:validation:MaxItems=3',
  ],
  ...[
    '+kubebuilder:validation:Pattern=`(`',
    '+kubebuilder:validation:Pattern=`a|b`',
    '+kubebuilder:validation:Enum=1;2',
    '+kubebuilder:validation:Enum=a;a',
  ],
  ...[
    '+kubebuilder:validation:Maximum=3',
    '+kubebuilder:validation:Format=date-tme',
    '+kubebuilder:validation:UniqueItems=true',
  ],
  ...[
    '+kubebuilder:validation:items:MaxLength=3',
    '+kubebuilder:validation:items:MaxLenght=3',
    '+kubebuilder:validation:MinProperties=-1',
  ],
  ...[
    '+kubebuilder:validation:XValidation:rule="self.sise > 0"',
    '+kubebuilder:validation:XValidation:rule="self > 0",mesage="a"',
  ],
  ...[
    '+kubebuilder:validation:XValidation:rule="self.size() > 0"',
    '+kubebuilder:validation:XValidation:rule="self.all(a, self.all(b, a == b))"',
  ],
  ...[
    '+kubebuilder:validation:XValidation:rule="has(self.size)",message="a\\nb"',
    '+kubebuilder:validation:Type=strng',
    '+optional now',
    '+kubebuilder:pruning:PreserveUnknownFields',
  ],
];

export async function probeGoFixes({ seed, packages }: { seed: number; packages: number }): Promise<GoFigures> {
  const random = seeded(seed);
  const count = () => ({ good: 0, all: 0 });
  const figures: GoFigures = {
    ...{ packages: 0, offered: new Map(), failures: [] },
    ...{ gone: count(), noNewError: count(), own: count(), code: count() },
  };
  for (let i = 0; i < packages; i++) await probe(figures, random, faults[i % faults.length]!);
  return figures;
}

/** Lines above which a marker can be. */
const places = types.split('\n').flatMap((line, i) => (/^(?:type|\t[A-Z]\w+ +\S)/.test(line) ? [i] : []));

function faulty(random: Random, marker: string): string {
  const lines = types.split('\n');
  const puts = [marker, ...(random.chance(0.3) ? [random.pick(faults)] : [])];
  for (const put of puts) {
    const at = random.pick(places);
    lines[at] = `${/^\t*/.exec(lines[at]!)![0]}// ${put}\n${lines[at]}`;
  }
  return lines.join('\n');
}

async function probe(figures: GoFigures, random: Random, marker: string): Promise<void> {
  const text = faulty(random, marker);
  const view = await viewOfText(text);
  const before = diagnoseGo(emptySnapshot, view);
  figures.packages++;
  let hasFix = false;
  for (const finding of before) {
    for (const fix of fixesGo(emptySnapshot, view, finding)) {
      hasFix = true;
      await hold(figures, { text, view, before, finding, fix });
    }
  }
  if (before.length === 0) return;
  const offered = figures.offered.get(marker) ?? { good: 0, all: 0 };
  figures.offered.set(marker, { good: offered.good + (hasFix ? 1 : 0), all: offered.all + 1 });
}

interface Offered {
  readonly text: string;
  readonly view: GoView;
  readonly before: readonly Diagnostic[];
  readonly finding: Diagnostic;
  readonly fix: Fix;
}

async function hold(figures: GoFigures, { text, before, finding, fix }: Offered): Promise<void> {
  const after = applyEdits(text, fix.edits);
  const left = diagnoseGo(emptySnapshot, await viewOfText(after));
  const note = (count: Count, holds: boolean, what: string) => {
    count.all++;
    if (holds) count.good++;
    else figures.failures.push(`${what}: ${fix.title} (${finding.code} ${finding.message})\n${text}\n---\n${after}`);
  };
  const place = declarationOf(text, finding.range.start);
  const here = (all: readonly Diagnostic[], of: string) =>
    all.filter(({ code, range }) => code === finding.code && declarationOf(of, range.start) === place).length;
  note(figures.gone, here(left, after) < here(before, text), 'stays');
  const known = new Set(before.map(kindOf));
  const added = left.filter((one) => one.severity === 'error' && !known.has(kindOf(one)));
  note(figures.noNewError, added.length === 0 || fix.title.includes(' (then: '), `adds ${added[0]?.message}`);
  // What a rule costs is bounded where the lists and texts are.
  const isElsewhere = finding.code.startsWith('crd/rule-cost');
  const edited = fix.edits.map(({ range }) => declarationOf(text, range.start));
  // What the items of a list are not is mended where the list is.
  const isList = finding.code === 'crd/set-item-atomic';
  note(figures.own, isElsewhere || isList || edited.every((one) => one === place), 'edits another field');
  note(figures.code, codeOf(text) === codeOf(after), 'edits code');
}

const kindOf = ({ code, message }: Diagnostic) =>
  `${code} ${message.replace('Once the other errors are fixed: ', '').replace(/\d+/g, '#')}`;

/** The type, and the field of it, that an offset is in or above. */
function declarationOf(text: string, offset: number): string {
  const type = parseGo(text).types.find(({ range }) => offset <= range.end);
  if (type?.type.kind !== 'struct' || offset <= type.nameRange.end) return type?.name ?? '';
  const field = type.type.fields.find(({ range }) => offset <= range.end);
  return `${type.name}.${field?.names[0]?.name ?? ''}`;
}

const codeOf = (text: string) =>
  text
    .split('\n')
    .filter((line) => !/^\s*\/\/ \+/.test(line))
    .join('\n');
