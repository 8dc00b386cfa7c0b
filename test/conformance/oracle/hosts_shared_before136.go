//go:build before136

package main

const sharesDevices = false
