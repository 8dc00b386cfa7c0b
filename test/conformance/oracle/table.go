package main

import (
	"context"
	"encoding/json"

	v1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apiextensions-apiserver/pkg/registry/customresource/tableconvertor"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// table fills the cells of an object, one row for each: crd is a list of printer columns, obj a list of objects.
func table(req *ask) *answer {
	var columns []v1.CustomResourceColumnDefinition
	if err := json.Unmarshal(req.CRD, &columns); err != nil {
		return &answer{Decode: err.Error()}
	}
	var list unstructured.UnstructuredList
	var objects []json.RawMessage
	if err := json.Unmarshal(req.Obj, &objects); err != nil {
		return &answer{Decode: err.Error()}
	}
	for _, raw := range objects {
		var one unstructured.Unstructured
		if err := one.UnmarshalJSON(raw); err != nil {
			return &answer{Decode: err.Error()}
		}
		list.Items = append(list.Items, one)
	}
	// Where a column cannot be read, the server goes on with those before it.
	convertor, err := tableconvertor.New(columns)
	a := &answer{}
	if err != nil {
		a.Warnings = []string{err.Error()}
	}
	made, err := convertor.ConvertToTable(context.Background(), &list, &metav1.TableOptions{})
	if err != nil {
		return &answer{Decode: err.Error()}
	}
	rows := [][]any{}
	for _, row := range made.Rows {
		rows = append(rows, row.Cells)
	}
	a.Stored = rows
	return a
}
