// Package builtin decodes objects of the kinds that Kubernetes has built in, as the API server does.
package builtin

import (
	"fmt"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	"k8s.io/client-go/kubernetes/scheme"
	apiregistration "k8s.io/kube-aggregator/pkg/apis/apiregistration/v1"
)

// APIServices are of the aggregation layer, which every API server has.
func init() {
	if err := apiregistration.AddToScheme(scheme.Scheme); err != nil {
		panic(err)
	}
}

var decoder = serializer.NewCodecFactory(scheme.Scheme, serializer.EnableStrict).UniversalDeserializer()

// Decode says what the server's strict decoder says about an object of a built-in kind: the error that ends decoding,
// and what is unknown or duplicated. Conversion to the internal type, which the server does next, is left out.
func Decode(body []byte) (decode string, strict []string) {
	obj, gvk, err := decoder.Decode(body, nil, nil)
	if err == nil {
		return "", nil
	}
	if found, ok := runtime.AsStrictDecodingError(err); ok && obj != nil {
		for _, e := range found.Errors() {
			strict = append(strict, e.Error())
		}
		return "", strict
	}
	if gvk != nil && len(gvk.Kind) > 0 {
		return fmt.Sprintf("%s in version %q cannot be handled as a %s: %v", gvk.Kind, gvk.Version, gvk.Kind, err), nil
	}
	return err.Error(), nil
}
