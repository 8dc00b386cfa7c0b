import { coded, type Rule } from '../model/rule.ts';

/** What is found in the markers of Go types. */
export type GoCode =
  | 'go/refused'
  | 'go/marker-unknown'
  | 'go/marker-place'
  | 'go/marker-lost'
  | 'go/marker-repeated'
  | 'go/marker-alias'
  | 'go/marker-quotes'
  | 'go/enum-type'
  | 'go/unread'
  | 'go/stale'
  | 'go/by-hand';

type GoRule = Omit<Rule<GoCode, undefined>, 'code' | 'severity' | 'language'> & {
  readonly severity?: 'warning' | 'information' | 'hint';
};

const rows: Readonly<Record<GoCode, GoRule>> = {
  'go/refused': {
    title: 'controller-gen refuses the types',
    explanation: `controller-gen ends with this error. A marker whose arguments it cannot read has it write no CRD of the
package; of a type that it refuses it leaves out what the type is for. The message is its own.`,
    bad: `type WidgetSpec struct {
	// +kubebuilder:validation:MaxItems=many
	Sizes []string \`json:"sizes"\`
}
`,
    good: `type WidgetSpec struct {
	// +kubebuilder:validation:MaxItems=10
	Sizes []string \`json:"sizes"\`
}
`,
  },
  'go/marker-unknown': {
    severity: 'warning',
    title: 'controller-gen does not know the marker',
    explanation: `Markers that controller-gen does not know are comments to it: it says nothing, and nothing of them gets into
the CRD. Other programs may have markers of their own, so only names are reported that look like those of controller-gen.
The name goes up to \`=\`, or to the end of the line: no words can follow it.`,
    bad: `type WidgetSpec struct {
	// +kubebuilder:validation:MaxLenght=10
	Name string \`json:"name"\`
}
`,
    good: `type WidgetSpec struct {
	// +kubebuilder:validation:MaxLength=10
	Name string \`json:"name"\`
}
`,
  },
  'go/marker-place': {
    severity: 'warning',
    title: 'The marker has no effect here',
    explanation: `Some markers are for packages, some for types and some for fields. Anywhere else controller-gen ignores them
without a word. Markers for the package are in a comment of their own, or above the word \`package\`.`,
    bad: `type WidgetSpec struct {
	// +kubebuilder:resource:scope=Cluster
	Name string \`json:"name"\`
}
`,
    good: `// +kubebuilder:resource:scope=Cluster
type Widget struct {
	Name string \`json:"name"\`
}
`,
  },
  'go/marker-lost': {
    severity: 'warning',
    title: 'The comment of the marker belongs to nothing',
    explanation: `controller-gen takes markers from the comment right above a type or field, and from the one above that.
It ignores those in comments further up inside of a struct, at the end of a struct, behind something on its line, and in the
comments of functions, constants and variables. An empty line makes the comment of a function one of its own, which is the
package's.`,
    bad: `// Reconcile brings the world into the desired state.
// +kubebuilder:rbac:groups=apps,resources=deployments,verbs=get
func Reconcile() {}
`,
    good: `// +kubebuilder:rbac:groups=apps,resources=deployments,verbs=get

// Reconcile brings the world into the desired state.
func Reconcile() {}
`,
  },
  'go/marker-repeated': {
    severity: 'warning',
    title: 'The marker is written again, and this one has no effect',
    explanation: `A marker that sets one thing counts once: the last one above a type or field wins.`,
    bad: `type WidgetSpec struct {
	// +kubebuilder:validation:MaxLength=10
	// +kubebuilder:validation:MaxLength=20
	Name string \`json:"name"\`
}
`,
    good: `type WidgetSpec struct {
	// +kubebuilder:validation:MaxLength=20
	Name string \`json:"name"\`
}
`,
  },
  'go/marker-alias': {
    severity: 'warning',
    title: 'Markers on an alias have no effect',
    explanation: `An alias (\`type A = B\`) is the other type by another name, and controller-gen makes the schema of the
other type: what markers say of the alias is lost. Without \`=\` it is a type of its own.`,
    bad: `// +kubebuilder:validation:XValidation:rule="self.size < 5"
type Small = Widget

type Widget struct {
	Size int \`json:"size"\`
}
`,
    good: `// +kubebuilder:validation:XValidation:rule="self.size < 5"
type Small Widget

type Widget struct {
	Size int \`json:"size"\`
}
`,
  },
  'go/marker-quotes': {
    severity: 'warning',
    title: 'The text of a marker needs other quotes',
    explanation: `controller-gen knows texts in double quotes and in backquotes. Single quotes are part of the text. A text
without quotes ends at a comma, a semicolon or a closing brace, and it loses its last word if a blank is before that.`,
    bad: `type WidgetSpec struct {
	// +kubebuilder:default='small'
	Size string \`json:"size"\`
}
`,
    good: `type WidgetSpec struct {
	// +kubebuilder:default="small"
	Size string \`json:"size"\`
}
`,
  },
  'go/enum-type': {
    severity: 'warning',
    title: 'An allowed value is of another type than the field',
    explanation: `controller-gen writes what looks like a number as a number and anything else as text, whatever the type of
the field is. The field can never have such a value. In quotes, a number is text.`,
    bad: `type WidgetSpec struct {
	// +kubebuilder:validation:Enum=1;2
	Size string \`json:"size"\`
}
`,
    good: `type WidgetSpec struct {
	// +kubebuilder:validation:Enum="1";"2"
	Size string \`json:"size"\`
}
`,
  },
  'go/unread': {
    severity: 'information',
    title: 'A CRD is not judged, since types of other packages are not here',
    explanation: `The CRD of a kind is made of all types that its fields have. Those of other modules are read from the
folder \`vendor\` and from where Go keeps what it downloads. As long as one of them is not there, nothing is said of the CRD,
its rules among it. \`go mod download\` fetches all modules that go.mod names.`,
    bad: `type Widget struct {
	metav1.TypeMeta   \`json:",inline"\`
	metav1.ObjectMeta \`json:"metadata"\`
	Other             other.Thing \`json:"other"\`
}
`,
    good: `type Widget struct {
	metav1.TypeMeta   \`json:",inline"\`
	metav1.ObjectMeta \`json:"metadata"\`
	Other             string \`json:"other"\`
}
`,
  },
  'go/stale': {
    severity: 'hint',
    title: 'A generated CRD is not what its Go types give',
    explanation: `The CRD has the annotation of controller-gen, and the types it comes from are in the workspace, but they
give something else: it was not generated since they changed, or it was changed by hand. Descriptions that were shortened or
left out, \`spec.conversion\` and everything outside of \`spec\` are not compared. Where another release of controller-gen wrote
the CRD, the difference may be that of the releases.`,
    notShown: 'it takes the Go types as well',
    bad: `#- use: schema
# The marker of the field says Maximum=20.
size:
  type: integer
  maximum: 10
`,
    good: `#- use: schema
size:
  type: integer
  maximum: 20
`,
  },
  'go/by-hand': {
    severity: 'warning',
    title: 'A generated CRD was changed by hand',
    explanation: `The committed CRD is what its Go types give, and the file now is not: the next run of controller-gen
writes over the change. It belongs into the types, or into a patch beside the CRD.`,
    notShown: 'it takes the Go types and the commit as well',
    bad: `#- use: schema
# The marker of the field says Maximum=20, and so does the commit.
size:
  type: integer
  maximum: 10
`,
    good: `#- use: schema
size:
  type: integer
  maximum: 20
`,
  },
};

const rules = Object.entries(rows).map(([code, row]) => [code, row.notShown ? row : { ...row, language: 'go' }]);

export const goRules = coded(Object.fromEntries(rules)) as { readonly [Code in GoCode]: Rule<Code, undefined> };
