package main

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"reflect"
	"strings"

	oidcverifier "github.com/coreos/go-oidc"
	"github.com/google/cel-go/cel"
	authorizationv1 "k8s.io/api/authorization/v1"
	"k8s.io/apiserver/pkg/apis/apiserver"
	"k8s.io/apiserver/plugin/pkg/authenticator/token/oidc"
	dracel "k8s.io/dynamic-resource-allocation/cel"
)

// evaluated says what the expressions of a file come to for one input: the claims of a token, a SubjectAccessReview's
// spec, or a device. `value` is the user, whether the webhook is asked, or whether the device matches.
func evaluated(req *ask) *answer {
	data, _ := body(req.Obj, req.Format)
	var meta struct {
		APIVersion string `json:"apiVersion"`
	}
	if err := json.Unmarshal(data, &meta); err != nil {
		return &answer{Decode: err.Error()}
	}
	if !strings.HasPrefix(meta.APIVersion, "apiserver.config.k8s.io/") {
		matches, cost, err := matchesDevice(data, req.Self)
		a := came(matches, err)
		if stored, known := a.Stored.(map[string]any); known && cost > 0 {
			stored["cost"] = cost
		}
		return a
	}
	object, err := config(data)
	if err != nil {
		return &answer{Decode: err.Error()}
	}
	switch it := object.(type) {
	case *apiserver.AuthenticationConfiguration:
		return came(authenticated(it.JWT[0], req.Self))
	case *apiserver.AuthorizationConfiguration:
		var spec authorizationv1.SubjectAccessReviewSpec
		if err := json.Unmarshal(req.Self, &spec); err != nil {
			return &answer{Decode: err.Error()}
		}
		return came(asked(it.Authorizers[0].Webhook.MatchConditions, spec))
	}
	return &answer{Decode: "nothing that is evaluated"}
}

// errRefused is said of what does not compile: "hosts" has the words.
var errRefused = errors.New("refused")

func came(value any, err error) *answer {
	if err == errRefused {
		return &answer{Decode: err.Error()}
	}
	if err != nil {
		return &answer{Stored: map[string]any{"error": err.Error()}}
	}
	return &answer{Stored: map[string]any{"value": value}}
}

// trusted takes every signature: what is asked is what becomes of the claims.
type trusted struct{}

func (trusted) VerifySignature(_ context.Context, token string) ([]byte, error) {
	return base64.RawURLEncoding.DecodeString(strings.Split(token, ".")[1])
}

var _ oidcverifier.KeySet = trusted{}

// authenticated is the user that the API server's own authenticator makes of a token with these claims.
func authenticated(jwt apiserver.JWTAuthenticator, claims json.RawMessage) (any, error) {
	authenticator, err := oidc.New(context.Background(), oidc.Options{JWTAuthenticator: jwt, KeySet: trusted{}})
	if err != nil {
		return nil, errRefused
	}
	part := base64.RawURLEncoding.EncodeToString
	token := part([]byte(`{"alg":"RS256"}`)) + "." + part(claims) + "." + part([]byte("signature"))
	response, ok, err := authenticator.AuthenticateToken(context.Background(), token)
	if err != nil || !ok {
		return nil, err
	}
	user := map[string]any{"username": response.User.GetName()}
	if uid := response.User.GetUID(); uid != "" {
		user["uid"] = uid
	}
	if groups := response.User.GetGroups(); len(groups) > 0 {
		user["groups"] = groups
	}
	if extra := response.User.GetExtra(); len(extra) > 0 {
		user["extra"] = extra
	}
	return user, nil
}

// matchesDevice asks the selectors of a class one after the other, as the allocator does, and says what they cost, where
// the release does.
func matchesDevice(data []byte, device json.RawMessage) (any, uint64, error) {
	var cost uint64
	var class withSelectors
	if err := json.Unmarshal(data, &class); err != nil {
		return nil, 0, err
	}
	var given dracel.Device
	var raw map[string]json.RawMessage
	if err := json.Unmarshal(device, &raw); err != nil {
		return nil, 0, err
	}
	for name, into := range fieldsOf(&given) {
		if text, there := raw[name]; there {
			if json.Unmarshal(text, into) == nil {
				continue
			}
			if err := json.Unmarshal(quantities(text), into); err != nil {
				return nil, 0, err
			}
		}
	}
	for _, one := range class.Spec.Selectors {
		result := runnable(one.CEL.Expression)
		if result.Error != nil {
			return nil, 0, errRefused
		}
		// How many values come back differs from release to release: whether it matches first, the error last.
		values := reflect.ValueOf(result.DeviceMatches).Call([]reflect.Value{reflect.ValueOf(context.Background()), reflect.ValueOf(given)})
		if details, told := values[1].Interface().(*cel.EvalDetails); told && details != nil && details.ActualCost() != nil {
			cost += *details.ActualCost()
		}
		if err, failed := values[len(values)-1].Interface().(error); failed {
			return nil, cost, err
		}
		if !values[0].Bool() {
			return false, cost, nil
		}
	}
	return true, cost, nil
}

// quantities are capacities as the first release has them, without a map around each.
func quantities(text json.RawMessage) json.RawMessage {
	var held map[string]struct {
		Value json.RawMessage `json:"value"`
	}
	if json.Unmarshal(text, &held) != nil {
		return text
	}
	plain := map[string]json.RawMessage{}
	for name, one := range held {
		plain[name] = one.Value
	}
	made, _ := json.Marshal(plain)
	return made
}

// fieldsOf names the fields of a device as ResourceSlices do. Not every release has them all.
func fieldsOf(device *dracel.Device) map[string]any {
	fields := map[string]any{}
	it := reflect.ValueOf(device).Elem()
	for i := range it.NumField() {
		name := it.Type().Field(i).Name
		fields[strings.ToLower(name[:1])+name[1:]] = it.Field(i).Addr().Interface()
	}
	return fields
}
