package envtestkubecrd

import (
	"crypto/tls"
	"crypto/x509"
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
	reply, err := post(server, path, body)
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

func post(server *Server, path, body string) (*http.Response, error) {
	authorities := x509.NewCertPool()
	authorities.AppendCertsFromPEM([]byte(server.CertificateAuthority))
	client := http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{RootCAs: authorities}}}
	request, err := http.NewRequest(http.MethodPost, server.Address+path, strings.NewReader(body))
	if err != nil {
		return nil, err
	}
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Authorization", "Bearer "+server.Token)
	return client.Do(request)
}

func TestWhatCannotStartSaysWhy(t *testing.T) {
	_, err := Start("--crds", "../../examples/crds/caches.yaml")
	if err == nil || !strings.Contains(err.Error(), "caches.storage.example.com") {
		t.Fatalf("the CRD is refused, and Start says %v", err)
	}
}
