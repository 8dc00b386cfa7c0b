package v1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// DeliveryPolicy says how often a message is delivered.
//
// +k8s:enum
type DeliveryPolicy string

const (
	AtLeastOnce DeliveryPolicy = "AtLeastOnce"
	AtMostOnce  DeliveryPolicy = "AtMostOnce"
)

// Consumer reads messages from a queue.
type Consumer struct {
	// Name of the consumer.
	// +kubebuilder:validation:MaxLength=63
	// +kubebuilder:validation:Pattern=`^[a-z0-9]([-a-z0-9]*[a-z0-9])?$`
	Name string `json:"name"`

	// Weight is its share of the messages.
	// +kubebuilder:validation:Minimum=1
	// +kubebuilder:validation:Maximum=100
	// +kubebuilder:default=1
	// +optional
	Weight int32 `json:"weight,omitempty"`
}

// QueueSpec says what a queue should be.
//
// +kubebuilder:validation:XValidation:rule="self.retries == 0 || self.delivery == 'AtLeastOnce'",message="retries need delivery AtLeastOnce"
type QueueSpec struct {
	// Delivery of each message.
	// +kubebuilder:default=AtLeastOnce
	// +optional
	Delivery DeliveryPolicy `json:"delivery,omitempty"`

	// Retries before a message is given up.
	// +kubebuilder:validation:Minimum=0
	// +kubebuilder:validation:Maximum=10
	// +kubebuilder:default=0
	// +optional
	Retries int32 `json:"retries,omitempty"`

	// Retention of messages that nobody reads.
	// +kubebuilder:validation:XValidation:rule="duration(self) <= duration('168h')",message="must be a week at most"
	// +optional
	Retention *metav1.Duration `json:"retention,omitempty"`

	// Consumers of the queue. The rule compares each of them with all others, and nothing says how many there can be:
	// the API server refuses that.
	// +kubebuilder:validation:XValidation:rule="self.all(one, self.filter(other, other.name == one.name).size() == 1)",message="names must be unique"
	// +optional
	Consumers []Consumer `json:"consumers,omitempty"`
}

// QueueStatus says what a queue is.
type QueueStatus struct {
	// Depth is the number of messages that wait.
	// +optional
	Depth int64 `json:"depth,omitempty"`

	// Since when it is as it is.
	// +optional
	Since *metav1.Time `json:"since,omitempty"`
}

// Queue keeps messages until they are read.
//
// +kubebuilder:object:root=true
// +kubebuilder:subresource:status
// +kubebuilder:resource:shortName=q
// +kubebuilder:printcolumn:name="Depth",type=integer,JSONPath=`.status.depth`
// +kubebuilder:printcolumn:name="Age",type=date,JSONPath=`.metadata.creationTimestamp`
type Queue struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec   QueueSpec   `json:"spec,omitempty"`
	Status QueueStatus `json:"status,omitempty"`
}

// QueueList is a list of queues.
//
// +kubebuilder:object:root=true
type QueueList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`
	Items           []Queue `json:"items"`
}
