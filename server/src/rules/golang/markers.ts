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
  | 'go/too-much'
  | 'go/stale'
  | 'go/by-hand';

type GoRule = Omit<Rule<GoCode, undefined>, 'code' | 'severity' | 'language'> & {
  readonly severity?: 'warning' | 'information' | 'hint';
};

const rows: Readonly<Record<GoCode, GoRule>> = {
  'go/refused': {
    title: 'controller-gen refuses the types',
    explanation: `controller-gen fails with this error. If it cannot read the arguments of a marker, it writes no CRD of the package
at all; if it rejects a type, it leaves out whatever uses that type. The message is controller-gen's own.`,
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
    explanation: `To controller-gen a marker that it does not know is just a comment: it is silently left out of the CRD. Other
programs may have markers of their own, so only names that look like controller-gen's are reported. The name ends at
\`=\` or at the end of the line; no words can follow it.`,
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
    explanation: `Some markers are for packages, some for types and some for fields. Anywhere else, controller-gen silently ignores
them. Markers for the package belong in a comment of their own, or above the \`package\` line.`,
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
    title: 'The comment of the marker is not attached to anything',
    explanation: `controller-gen reads markers from the comment directly above a type or field, and from the comment above that one.
It ignores markers in comments further up inside a struct, at the end of a struct, at the end of a line, and in
comments of functions, constants and variables. A comment that is separated from its function by an empty line
counts as the package's.`,
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
    title: 'The marker is repeated later, so this one has no effect',
    explanation: `A marker that sets a single value counts once: the last one above a type or field wins.`,
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
    explanation: `An alias (\`type A = B\`) is another name for the same type, and controller-gen generates the schema of the original:
markers on the alias are lost. Without the \`=\` it is a type of its own.`,
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
    title: 'The text of a marker needs different quotes',
    explanation: `controller-gen understands text in double quotes and in backquotes. Single quotes become part of the text. Unquoted
text ends at a comma, a semicolon or a closing brace, and loses its last word if there is a space before it.`,
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
    title: 'An allowed value has a different type from the field',
    explanation: `controller-gen writes anything that looks like a number as a number and everything else as a string, whatever the
type of the field is. The field can never have such a value. A number in quotes is a string.`,
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
    inLogs: 'warning',
    alwaysTold: true,
    severity: 'information',
    title: 'A CRD is not judged because types of other packages are missing',
    explanation: `The CRD of a kind depends on the types of all its fields. Types of other modules are read from the \`vendor\` folder
and from Go's module cache. As long as one of them is missing, the CRD is not judged, including its rules. \`go mod
download\` fetches all modules that go.mod names.`,
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
  'go/too-much': {
    alwaysTold: true,
    severity: 'warning',
    title: 'The CRD of these Go types would be too large',
    explanation: `A few lines of Go can describe a CRD of any size, because each type is written out wherever it is used. kube-crd
does not generate CRDs of more than 50,000 lines, 4,000,000 characters or 300 levels, which is more than an API
server stores; nor those whose embedded structs conflict in too many places, or that come after others that have
used up the limit for one package. Such a CRD is not judged.`,
    notShown: 'the example would be too long',
    bad: `type Widget struct {
	metav1.TypeMeta   \`json:",inline"\`
	metav1.ObjectMeta \`json:"metadata"\`
	A                 Part1 \`json:"a"\`
	B                 Part1 \`json:"b"\`
}

// Each part has the next one twice, sixteen times over.
type Part1 struct {
	A Part2 \`json:"a"\`
	B Part2 \`json:"b"\`
}
`,
    good: `type Widget struct {
	metav1.TypeMeta   \`json:",inline"\`
	metav1.ObjectMeta \`json:"metadata"\`
	A                 string \`json:"a"\`
}
`,
  },
  'go/stale': {
    ofTypes: true,
    inLogs: 'hint',
    severity: 'information',
    title: 'A generated CRD does not match its Go types',
    explanation: `The CRD has controller-gen's annotation, and the types it comes from are in the workspace, but they now produce
something else: it was not regenerated after a change, or it was edited by hand. Descriptions that were shortened or
left out, \`spec.conversion\` and everything outside of \`spec\` are not compared. If another release of controller-gen
wrote the CRD, the difference may come from that.`,
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
    ofTypes: true,
    severity: 'warning',
    title: 'A generated CRD was edited by hand',
    explanation: `The committed CRD matches its Go types, but the file no longer does: the next run of controller-gen overwrites the
edit. Make the change in the types, or in a patch beside the CRD.`,
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
