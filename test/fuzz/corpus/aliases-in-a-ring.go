// +groupName=example.com
package v1

type A = B
type B = C
type C = A

// +kubebuilder:object:root=true
type Kind1 struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec A `json:"spec"`
}
