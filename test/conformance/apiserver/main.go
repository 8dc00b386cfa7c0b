// Command apiserver runs a Kubernetes API server and its store in one process. See README.md.
// This file starts, announces and ends the server; serve.go says which server it is.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"
	"time"

	"go.etcd.io/etcd/server/v3/embed"
	"k8s.io/client-go/rest"
	"k8s.io/klog/v2"
)

// The bearer tokens, each the name of its user too: admin may do everything, nobody only discovery.
const admin, nobody = "admin", "nobody"

// server is what serve.go gives.
type server struct {
	version string
	ca      []byte                      // the certificates that clients must trust
	paths   []string                    // what answers 200 to admin once the server is ready
	run     func(context.Context) error // serves until the context ends
}

func main() {
	klog.LogToStderr(false) // its errors still go there
	data := flag.String("data", "", "folder to make for the store and the kubeconfigs, removed at the end (default: a temporary one)")
	port := flag.Int("port", 0, "port on 127.0.0.1 (default: any free one)")
	untilEOF := flag.Bool("until-eof", false, "also end when standard input closes, so when the parent dies")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if *untilEOF {
		go func() { _, _ = io.Copy(io.Discard, os.Stdin); stop() }()
	}
	if err := run(ctx, *data, *port); err != nil {
		fmt.Fprintln(os.Stderr, "apiserver:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, data string, port int) (err error) {
	began := time.Now()
	if data == "" {
		data, err = os.MkdirTemp("", "apiserver-")
	} else if data, err = filepath.Abs(data); err == nil {
		err = os.Mkdir(data, 0o700)
	}
	if err != nil {
		return err
	}
	defer os.RemoveAll(data)
	store, err := startStore(filepath.Join(data, "etcd"))
	if err != nil {
		return err
	}
	defer store.Close()
	storeURL := "http://" + store.Clients[0].Addr().String()
	listener, err := net.Listen("tcp", fmt.Sprintf("127.0.0.1:%d", port))
	if err != nil {
		return err
	}
	s, err := newServer(ctx, data, storeURL, listener)
	if err != nil {
		return err
	}
	// A server told to end while it still starts ends the process at once: it is told only when ready.
	serving, cancel := context.WithCancel(context.Background())
	defer cancel()
	ended := make(chan error, 1)
	go func() { ended <- s.run(serving) }()
	address := "https://" + listener.Addr().String()
	if err := waitReady(s, address, ended); err != nil {
		return err
	}
	ready := map[string]any{"address": address, "version": s.version, "token": admin, "store": storeURL, "pid": os.Getpid()}
	if err = writeKubeconfigs(data, address, s.ca, ready); err == nil {
		ready["seconds"] = time.Since(began).Seconds()
		err = json.NewEncoder(os.Stdout).Encode(ready)
	}
	if err == nil {
		select {
		case err := <-ended:
			return fmt.Errorf("the server ended by itself: %w", err)
		case <-ctx.Done():
		}
	}
	cancel()
	return errors.Join(err, <-ended) // only then the store may end
}

// startStore starts etcd in this process, on loopback ports, without syncing to disk.
func startStore(dir string) (*embed.Etcd, error) {
	free, err := net.Listen("tcp", "127.0.0.1:0") // etcd's own gateway cannot find it on port 0
	if err != nil {
		return nil, err
	}
	clients, peers := []url.URL{{Scheme: "http", Host: free.Addr().String()}}, []url.URL{{Scheme: "http", Host: "127.0.0.1:0"}}
	free.Close()
	c := embed.NewConfig()
	c.Dir, c.LogLevel, c.UnsafeNoFsync = dir, "fatal", true
	c.ListenClientUrls, c.AdvertiseClientUrls = clients, clients
	c.ListenPeerUrls, c.AdvertisePeerUrls = peers, peers
	c.InitialCluster = c.InitialClusterFromName(c.Name)
	c.TickMs, c.ElectionMs = 10, 100 // the only member need not wait a second for others
	store, err := embed.StartEtcd(c)
	if err != nil {
		return nil, err
	}
	select {
	case <-store.Server.ReadyNotify():
		return store, nil
	case err = <-store.Err():
		store.Close()
		return nil, err
	}
}

func waitReady(s *server, address string, ended <-chan error) error {
	client, err := rest.HTTPClientFor(&rest.Config{BearerToken: admin, TLSClientConfig: rest.TLSClientConfig{CAData: s.ca}, Timeout: 5 * time.Second})
	if err != nil {
		return err
	}
	late := time.After(2 * time.Minute)
	for paths := s.paths; len(paths) > 0; {
		if resp, err := client.Get(address + paths[0]); err == nil {
			resp.Body.Close()
			if resp.StatusCode == http.StatusOK {
				paths = paths[1:]
				continue
			}
		}
		select {
		case err := <-ended:
			return fmt.Errorf("the server ended before it was ready: %w", err)
		case <-late:
			return fmt.Errorf("%s is not ready after two minutes", paths[0])
		case <-time.After(20 * time.Millisecond):
		}
	}
	return nil
}

const kubeconfig = `apiVersion: v1
kind: Config
current-context: fixture
clusters: [{name: fixture, cluster: {server: %q, certificate-authority-data: %s}}]
contexts: [{name: fixture, context: {cluster: fixture, user: fixture, namespace: default}}]
users: [{name: fixture, user: {%s}}]
`

const credential = `#!/bin/sh
echo '{"apiVersion": "client.authentication.k8s.io/v1", "kind": "ExecCredential", "status": {"token": "%s"}}'
`

const exec = "exec: {apiVersion: client.authentication.k8s.io/v1, command: ./credential.sh, interactiveMode: Never}"

// writeKubeconfigs writes one kubeconfig each for a token, an exec plugin beside it, and the user without rights.
func writeKubeconfigs(dir, address string, ca []byte, ready map[string]any) error {
	if err := os.WriteFile(filepath.Join(dir, "credential.sh"), fmt.Appendf(nil, credential, admin), 0o700); err != nil {
		return err
	}
	ca64, err := json.Marshal(ca) // base64
	if err != nil {
		return err
	}
	for name, user := range map[string]string{"kubeconfig": "token: " + admin, "execKubeconfig": exec, "nobodyKubeconfig": "token: " + nobody} {
		path := filepath.Join(dir, name+".yaml")
		if err := os.WriteFile(path, fmt.Appendf(nil, kubeconfig, address, ca64, user), 0o600); err != nil {
			return err
		}
		ready[name] = path
	}
	return nil
}
