// +groupName=../../../escaped
package v1

// +kubebuilder:object:root=true
// +kubebuilder:resource:path=a/../../b
type Kind1 struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
}
