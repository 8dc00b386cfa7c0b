package envtestkubecrd

import (
	"encoding/json"
	"net/http"
	"os"
	"strings"
	"testing"
)

func TestAnObjectIsJudgedByItsCRD(t *testing.T) {
	server, err := Start("--crds", "../../examples/crds/databases.yaml")
	if err != nil {
		t.Fatal(err)
	}
	defer server.Stop()
	if _, err := os.Stat(server.Kubeconfig); err != nil {
		t.Fatal(err)
	}
	body := `{"apiVersion":"storage.example.com/v1","kind":"Database","metadata":{"name":"a"},"spec":{"engine":"none"}}`
	path := "/apis/storage.example.com/v1/namespaces/default/databases"
	reply, err := http.Post(server.Address+path, "application/json", strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	defer reply.Body.Close()
	var status struct{ Reason, Message string }
	if err := json.NewDecoder(reply.Body).Decode(&status); err != nil {
		t.Fatal(err)
	}
	if status.Reason != "Invalid" || !strings.Contains(status.Message, `spec.engine: Unsupported value: "none"`) {
		t.Fatalf("%s: %s", status.Reason, status.Message)
	}
}

func TestWhatCannotStartSaysWhy(t *testing.T) {
	_, err := Start("--crds", "../../examples/crds/caches.yaml")
	if err == nil || !strings.Contains(err.Error(), "caches.storage.example.com") {
		t.Fatalf("the CRD is refused, and Start says %v", err)
	}
}
