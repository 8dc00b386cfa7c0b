//go:build !before136

package main

// sharesDevices is the default of the feature gate DRAConsumableCapacity.
const sharesDevices = true
