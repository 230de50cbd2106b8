// Package browser tests the live page of package monitor in a real browser. It
// is a module of its own, so that nobody who uses the library inherits what
// drives the browser.
//
// The tests need Debian's chromium, or a Chrome, in the path, and skip without.
package browser
