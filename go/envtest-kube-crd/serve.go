// Package envtestkubecrd starts `kube-crd serve` for the tests of a package: an API server for CRDs in the time of a
// process, without etcd and kube-apiserver.
package envtestkubecrd

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
)

// Server is a running `kube-crd serve`.
type Server struct {
	// Address is where it listens, such as https://127.0.0.1:40123: the Host of a rest.Config.
	Address string `json:"address"`
	// CertificateAuthority has signed its certificate, in PEM: the TLSClientConfig.CAData of a rest.Config.
	CertificateAuthority string `json:"certificateAuthority"`
	// Token is what requests have to bear: the BearerToken of a rest.Config.
	Token string `json:"token"`
	// Kubeconfig is a file that leads there. It is gone after Stop.
	Kubeconfig string `json:"kubeconfig"`
	// Kubernetes is the version that it answers as, such as 1.37.
	Kubernetes string `json:"kubernetes"`

	command *exec.Cmd
	input   io.Closer
}

// Start runs `kube-crd serve` with options such as "--crds", "config/crd", and waits until it is ready. The program is
// that of the environment variable KUBE_CRD (several words, such as "node dist/server/main.cjs", or one), otherwise
// kube-crd on the PATH. It ends with the test, whatever becomes of that.
func Start(options ...string) (*Server, error) {
	words := strings.Fields(os.Getenv("KUBE_CRD"))
	if len(words) == 0 {
		words = []string{"kube-crd"}
	}
	arguments := append(append(words[1:], "serve", "--until-eof"), options...)
	command := exec.Command(words[0], arguments...)
	complaints := &strings.Builder{}
	command.Stderr = complaints
	input, err := command.StdinPipe()
	if err != nil {
		return nil, err
	}
	output, err := command.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := command.Start(); err != nil {
		return nil, err
	}
	server := &Server{command: command, input: input}
	line, _ := bufio.NewReader(output).ReadString('\n')
	if err := json.Unmarshal([]byte(line), server); err != nil {
		server.Stop()
		return nil, fmt.Errorf("kube-crd serve did not start: %s", strings.TrimSpace(complaints.String()))
	}
	return server, nil
}

// Stop ends the server. What it held is gone.
func (s *Server) Stop() {
	s.input.Close()
	s.command.Wait()
}
