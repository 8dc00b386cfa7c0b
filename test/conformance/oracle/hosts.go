package main

import (
	"encoding/json"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/apiserver/pkg/apis/apiserver"
	apiservercel "k8s.io/apiserver/pkg/cel"
)

// withSelectors is what of device classes and claims holds expressions.
type withSelectors struct {
	Spec struct {
		Selectors []deviceSelector `json:"selectors"`
		Devices   devices          `json:"devices"`
		Spec      struct {
			Devices devices `json:"devices"`
		} `json:"spec"`
	} `json:"spec"`
}

type devices struct {
	Requests []struct {
		Selectors []deviceSelector `json:"selectors"`
		Exactly   struct {
			Selectors []deviceSelector `json:"selectors"`
		} `json:"exactly"`
		FirstAvailable []struct {
			Selectors []deviceSelector `json:"selectors"`
		} `json:"firstAvailable"`
	} `json:"requests"`
}

type deviceSelector struct {
	CEL struct {
		Expression string `json:"expression"`
	} `json:"cel"`
}

// hosted says what is wrong with the expressions of files that configure a server, and of device classes and claims.
// What else is wrong with them is left out.
func hosted(req *ask) *answer {
	data, _ := body(req.Obj, req.Format)
	var meta struct {
		APIVersion string `json:"apiVersion"`
	}
	if err := json.Unmarshal(data, &meta); err != nil {
		return &answer{Decode: err.Error()}
	}
	var found field.ErrorList
	if strings.HasPrefix(meta.APIVersion, "apiserver.config.k8s.io/") {
		object, err := config(data)
		if err != nil {
			return &answer{Decode: err.Error()}
		}
		switch it := object.(type) {
		case *apiserver.AuthenticationConfiguration:
			found = authentication(it)
		case *apiserver.AuthorizationConfiguration:
			found = authorization(it)
		}
	} else {
		var object withSelectors
		if err := json.Unmarshal(data, &object); err != nil {
			return &answer{Decode: err.Error()}
		}
		spec := field.NewPath("spec")
		found = append(found, selectors(object.Spec.Selectors, spec)...)
		found = append(found, inDevices(object.Spec.Devices, spec.Child("devices"))...)
		found = append(found, inDevices(object.Spec.Spec.Devices, spec.Child("spec", "devices"))...)
	}
	a := &answer{}
	for _, e := range found {
		if strings.HasSuffix(strings.ToLower(e.Field), "expression") {
			a.Errors = append(a.Errors, cause{Type: string(e.Type), Field: e.Field, Detail: e.ErrorBody()})
		}
	}
	return a
}

func inDevices(devices devices, at *field.Path) field.ErrorList {
	var found field.ErrorList
	for i, request := range devices.Requests {
		here := at.Child("requests").Index(i)
		found = append(found, selectors(request.Selectors, exactly(here))...)
		found = append(found, selectors(request.Exactly.Selectors, here.Child("exactly"))...)
		for j, one := range request.FirstAvailable {
			found = append(found, selectors(one.Selectors, here.Child("firstAvailable").Index(j))...)
		}
	}
	return found
}

// selectors are judged as the validation of the resource API does.
func selectors(list []deviceSelector, at *field.Path) field.ErrorList {
	var found field.ErrorList
	for i, one := range list {
		here := at.Child("selectors").Index(i).Child("cel", "expression")
		found = append(found, selector(one.CEL.Expression, here)...)
	}
	return found
}

func refusedSelector(at *field.Path, text string, err *apiservercel.Error) field.ErrorList {
	if err.Type == apiservercel.ErrorTypeInvalid {
		return field.ErrorList{field.Invalid(at, text, err.Detail)}
	}
	return field.ErrorList{field.InternalError(at, err)}
}
