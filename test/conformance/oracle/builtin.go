package main

import "oracle/builtin"

// builtinKind says what strict decoding says of an object of a built-in kind.
func builtinKind(req *ask) *answer {
	data, _ := body(req.Obj, req.Format)
	decode, strict := builtin.Decode(data)
	return &answer{Decode: decode, Strict: strict}
}
