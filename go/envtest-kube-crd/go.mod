module github.com/kube-crd/kube-crd/go/envtest-kube-crd

go 1.22
