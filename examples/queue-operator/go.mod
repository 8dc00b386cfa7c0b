module example.com/queue-operator

go 1.24

require k8s.io/apimachinery v0.34.0
