// Package v1 holds the types of the group messaging.example.com.
//
// +kubebuilder:object:generate=true
// +groupName=messaging.example.com
package v1
