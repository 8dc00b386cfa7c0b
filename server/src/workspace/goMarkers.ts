/** What a Go file has that is looked into: others are none of ours. */
export const goMarkers = /\/\/\s*\+(?:kubebuilder|k8s|groupName)/;
