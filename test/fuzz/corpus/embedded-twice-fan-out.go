// +groupName=example.com
package v1

// +kubebuilder:object:root=true
type Kind1 struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              T0 `json:"spec"`
}

type T0 struct {
	A T1 `json:"a"`
	T1 `json:",inline"`
	B T1 `json:"b"`
}

type T1 struct {
	A T2 `json:"a"`
	T2 `json:",inline"`
	B T2 `json:"b"`
}

type T2 struct {
	A T3 `json:"a"`
	T3 `json:",inline"`
	B T3 `json:"b"`
}

type T3 struct {
	A T4 `json:"a"`
	T4 `json:",inline"`
	B T4 `json:"b"`
}

type T4 struct {
	A T5 `json:"a"`
	T5 `json:",inline"`
	B T5 `json:"b"`
}

type T5 struct {
	A T6 `json:"a"`
	T6 `json:",inline"`
	B T6 `json:"b"`
}

type T6 struct {
	A T7 `json:"a"`
	T7 `json:",inline"`
	B T7 `json:"b"`
}

type T7 struct {
	A T8 `json:"a"`
	T8 `json:",inline"`
	B T8 `json:"b"`
}

type T8 struct {
	A T9 `json:"a"`
	T9 `json:",inline"`
	B T9 `json:"b"`
}

type T9 struct {
	A T10 `json:"a"`
	T10 `json:",inline"`
	B T10 `json:"b"`
}

type T10 struct {
	A T11 `json:"a"`
	T11 `json:",inline"`
	B T11 `json:"b"`
}

type T11 struct {
	A T12 `json:"a"`
	T12 `json:",inline"`
	B T12 `json:"b"`
}

type T12 struct {
	A T13 `json:"a"`
	T13 `json:",inline"`
	B T13 `json:"b"`
}

type T13 struct {
	A T14 `json:"a"`
	T14 `json:",inline"`
	B T14 `json:"b"`
}

type T14 struct {
	A T15 `json:"a"`
	T15 `json:",inline"`
	B T15 `json:"b"`
}

type T15 struct {
	A T16 `json:"a"`
	T16 `json:",inline"`
	B T16 `json:"b"`
}

type T16 struct {
	A T17 `json:"a"`
	T17 `json:",inline"`
	B T17 `json:"b"`
}

type T17 struct {
	A T18 `json:"a"`
	T18 `json:",inline"`
	B T18 `json:"b"`
}

type T18 struct {
	A T19 `json:"a"`
	T19 `json:",inline"`
	B T19 `json:"b"`
}

type T19 struct {
	A T20 `json:"a"`
	T20 `json:",inline"`
	B T20 `json:"b"`
}

type T20 struct {
	C string `json:"c"`
}
