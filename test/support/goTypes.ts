const kinds = 4;
/** How deep parts lie in each other. */
const depth = 4;
const linesOfKind = 32;
const linesOfPart = 31;

/** A file of a Go package with kinds, as operators have them: parts with descriptions, markers and rules. */
export function goTypes(lines: number): string {
  const chains = Math.ceil((lines - kinds * linesOfKind) / (kinds * depth * linesOfPart));
  const all = [head];
  for (let kind = 0; kind < kinds; kind++) {
    all.push(kindOf(kind, chains));
    for (let i = 0; i < chains * depth; i++) all.push(partOf(`Kind${kind}Part`, i));
  }
  return all.join('');
}

const head = `// +groupName=bench.example.com
package v1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)
`;

function kindOf(i: number, chains: number): string {
  const fields = Array.from({ length: chains }, (_, n) => {
    const [name, type] = [`part${n}`, `Kind${i}Part${n * depth}`];
    return `	// ${name} of it.\n	// +optional\n	Part${n} *${type} \`json:"${name},omitempty"\``;
  });
  return `
// Kind${i} is what users make.
//
// +kubebuilder:object:root=true
// +kubebuilder:subresource:status
// +kubebuilder:printcolumn:name="Age",type=date,JSONPath=\`.metadata.creationTimestamp\`
type Kind${i} struct {
	metav1.TypeMeta   \`json:",inline"\`
	metav1.ObjectMeta \`json:"metadata,omitempty"\`

	Spec Kind${i}Spec \`json:"spec,omitempty"\`
}

// Kind${i}List is a list of them.
//
// +kubebuilder:object:root=true
type Kind${i}List struct {
	metav1.TypeMeta \`json:",inline"\`
	metav1.ListMeta \`json:"metadata,omitempty"\`
	Items           []Kind${i} \`json:"items"\`
}

// Kind${i}Spec says what it is to be.
type Kind${i}Spec struct {
${fields.join('\n')}
}
`;
}

function partOf(name: string, i: number): string {
  const isLast = i % depth === depth - 1;
  const inner = isLast
    ? ''
    : `\n	// Next is what comes behind it.\n	// +optional\n	Next *${name}${i + 1} \`json:"next,omitempty"\`\n`;
  return `
// ${name}${i} is a part of a kind. It has words that say what it is for, and what comes of it where nothing is said.
//
// +kubebuilder:validation:XValidation:rule="!has(self.least) || !has(self.most) || self.least <= self.most",message="least is at most most"
type ${name}${i} struct {
	// Name of the part, by which others find it. It does not change as long as the part is there.
	// +kubebuilder:validation:MaxLength=63
	// +kubebuilder:validation:Pattern=\`^[a-z]+$\`
	Name string \`json:"name"\`

	// Least of it that there has to be.
	// +kubebuilder:validation:Minimum=0
	// +optional
	Least *int32 \`json:"least,omitempty"\`

	// Most of it that there may be.
	// +kubebuilder:validation:Minimum=0
	// +optional
	Most *int32 \`json:"most,omitempty"\`

	// Tags that others look for.
	// +kubebuilder:validation:MaxItems=9
	// +kubebuilder:validation:items:MaxLength=9
	// +listType=set
	// +optional
	Tags []string \`json:"tags,omitempty"\`
${inner}}
`;
}
