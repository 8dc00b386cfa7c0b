// Answers what the patches of the API server say: each line of the input is a document with patches, each of the output
// what becomes of it, or the words of the error.
package main

import (
	"bufio"
	"encoding/json"
	"os"

	jsonpatch "gopkg.in/evanphx/json-patch.v4"
)

type question struct {
	Doc   json.RawMessage `json:"doc"`
	Patch json.RawMessage `json:"patch"`
}

func answer(line []byte) map[string]any {
	var asked question
	if err := json.Unmarshal(line, &asked); err != nil {
		return map[string]any{"error": err.Error()}
	}
	patch, err := jsonpatch.DecodePatch(asked.Patch)
	if err != nil {
		return map[string]any{"error": err.Error()}
	}
	patched, err := patch.Apply(asked.Doc)
	if err != nil {
		return map[string]any{"error": err.Error()}
	}
	return map[string]any{"doc": json.RawMessage(patched)}
}

func main() {
	lines := bufio.NewScanner(os.Stdin)
	out := json.NewEncoder(os.Stdout)
	out.SetEscapeHTML(false)
	for lines.Scan() {
		if err := out.Encode(answer(lines.Bytes())); err != nil {
			panic(err)
		}
	}
}
