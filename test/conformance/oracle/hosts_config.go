package main

import (
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	"k8s.io/apiserver/pkg/apis/apiserver/install"
)

var configScheme = func() *runtime.Scheme {
	scheme := runtime.NewScheme()
	install.Install(scheme)
	return scheme
}()

// config decodes a file that configures a server as the server does when it starts.
func config(data []byte) (runtime.Object, error) {
	decoder := serializer.NewCodecFactory(configScheme).UniversalDecoder()
	object, _, err := decoder.Decode(data, nil, nil)
	return object, err
}
