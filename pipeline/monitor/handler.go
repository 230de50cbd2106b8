package monitor

import (
	"embed"
	"net/http"
	"path"
	"slices"
	"strings"
)

// page is the live page.
type page struct {
	pipelines []Pipeline
}

// Handler returns the live page of the pipelines. It is mounted under a path
// that ends in a slash, before or after the pipelines run:
//
//	mux.Handle("/headrace/", monitor.Handler(quotes, orders))
//
// It only reads, and everything that it needs is in it. It shows the keys of
// the pipelines, so it belongs where those may be seen. Each open tab costs
// about 100 us a second for each pipeline; a slow one costs no more.
func Handler(pipelines ...Pipeline) http.Handler {
	return &page{slices.Clone(pipelines)}
}

//go:embed assets
var assets embed.FS

var contentTypes = map[string]string{
	".html": "text/html; charset=utf-8",
	".css":  "text/css; charset=utf-8",
	".js":   "text/javascript; charset=utf-8",
	".svg":  "image/svg+xml",
}

// policy keeps the page from asking any other host for anything.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; " +
	"connect-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'"

func (p *page) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		w.Header().Set("Allow", "GET, HEAD")
		http.Error(w, "the page only reads", http.StatusMethodNotAllowed)
		return
	}
	h := w.Header()
	h.Set("Content-Security-Policy", policy)
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("Cache-Control", "no-cache")
	// Only the end of the path counts, so that it works wherever it is mounted.
	name := path.Base(r.URL.Path)
	switch {
	case strings.HasSuffix(r.URL.Path, "/") || r.URL.Path == "":
		serveAsset(w, r, "index.html")
	case name == "events" && r.Method == http.MethodGet:
		p.stream(w, r)
	default:
		serveAsset(w, r, name)
	}
}

func serveAsset(w http.ResponseWriter, r *http.Request, name string) {
	contentType, known := contentTypes[path.Ext(name)]
	data, err := assets.ReadFile("assets/" + name)
	if !known || err != nil {
		http.NotFound(w, r)
		return
	}
	w.Header().Set("Content-Type", contentType)
	_, _ = w.Write(data)
}
