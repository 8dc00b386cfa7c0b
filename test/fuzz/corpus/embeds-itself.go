// +groupName=example.com
package v1

type T0 struct {
	*T1
	*T3
	N0 string `json:"n0"`
}

type T1 struct {
	*T8
	*T14
	N1 string `json:"n1"`
}

type T2 struct {
	*T15
	*T25
	N2 string `json:"n2"`
}

type T3 struct {
	*T22
	*T6
	N3 string `json:"n3"`
}

type T4 struct {
	*T29
	*T17
	N4 string `json:"n4"`
}

type T5 struct {
	*T6
	*T28
	N5 string `json:"n5"`
}

type T6 struct {
	*T13
	*T9
	N6 string `json:"n6"`
}

type T7 struct {
	*T20
	*T20
	N7 string `json:"n7"`
}

type T8 struct {
	*T27
	*T1
	N8 string `json:"n8"`
}

type T9 struct {
	*T4
	*T12
	N9 string `json:"n9"`
}

type T10 struct {
	*T11
	*T23
	N10 string `json:"n10"`
}

type T11 struct {
	*T18
	*T4
	N11 string `json:"n11"`
}

type T12 struct {
	*T25
	*T15
	N12 string `json:"n12"`
}

type T13 struct {
	*T2
	*T26
	N13 string `json:"n13"`
}

type T14 struct {
	*T9
	*T7
	N14 string `json:"n14"`
}

type T15 struct {
	*T16
	*T18
	N15 string `json:"n15"`
}

type T16 struct {
	*T23
	*T29
	N16 string `json:"n16"`
}

type T17 struct {
	*T0
	*T10
	N17 string `json:"n17"`
}

type T18 struct {
	*T7
	*T21
	N18 string `json:"n18"`
}

type T19 struct {
	*T14
	*T2
	N19 string `json:"n19"`
}

type T20 struct {
	*T21
	*T13
	N20 string `json:"n20"`
}

type T21 struct {
	*T28
	*T24
	N21 string `json:"n21"`
}

type T22 struct {
	*T5
	*T5
	N22 string `json:"n22"`
}

type T23 struct {
	*T12
	*T16
	N23 string `json:"n23"`
}

type T24 struct {
	*T19
	*T27
	N24 string `json:"n24"`
}

type T25 struct {
	*T26
	*T8
	N25 string `json:"n25"`
}

type T26 struct {
	*T3
	*T19
	N26 string `json:"n26"`
}

type T27 struct {
	*T10
	*T0
	N27 string `json:"n27"`
}

type T28 struct {
	*T17
	*T11
	N28 string `json:"n28"`
}

type T29 struct {
	*T24
	*T22
	N29 string `json:"n29"`
}

// +kubebuilder:object:root=true
type Kind1 struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec T0 `json:"spec"`
}
