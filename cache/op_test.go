package cache

import (
	"os"
	"strings"
	"testing"
)

// operations is the table of doc.go: what becomes of a waiting entry, the row,
// when a value arrives, the column. A plus is a merge, and a dash a line of two
// entries.
const operations = `
waiting | upsert   | insert   | replace | delete | append
nothing | upsert   | insert   | replace | delete | append
upsert  | upsert+  | upsert+  | replace | delete | -
insert  | insert+  | insert+  | replace | delete | -
replace | replace+ | replace+ | replace | delete | -
delete  | replace  | replace  | replace | delete | -
append  | -        | -        | -       | -      | -
`

// cell is one of the table: the operations, and the line that must come of
// them. Waiting values are "a", arriving ones "b", and the merge writes "ab".
type cell struct {
	waiting, arriving, want string
}

func (c cell) String() string { return c.waiting + " and " + c.arriving }

// cells reads the table.
func cells() (all []cell) {
	var columns []string
	for row := range strings.Lines(strings.TrimSpace(operations)) {
		var fields []string
		for field := range strings.SplitSeq(row, "|") {
			fields = append(fields, strings.TrimSpace(field))
		}
		if columns == nil {
			columns = fields
			continue
		}
		for i, result := range fields[1:] {
			c := cell{waiting: fields[0], arriving: columns[i+1]}
			switch op, merged := strings.CutSuffix(result, "+"); {
			case result == "-":
				c.want = c.waiting + " a, " + c.arriving + " b"
			case merged:
				c.want = op + " ab"
			default:
				c.want = op + " b"
			}
			all = append(all, c)
		}
	}
	return all
}

func opOf(t *testing.T, name string) Op {
	for op := Upsert; op <= Append; op++ {
		if op.String() == name {
			return op
		}
	}
	t.Fatalf("no operation %q", name)
	return 0
}

// row puts the waiting entry of a cell.
func (c cell) row(t *testing.T, to *Cache[string, string]) {
	if c.waiting != "nothing" {
		to.Admit(Arrival[string, string]{Key: "k", Value: "a", Op: opOf(t, c.waiting)})
	}
}

// column puts the arriving value of a cell.
func (c cell) column(t *testing.T, to *Cache[string, string]) {
	to.Admit(Arrival[string, string]{Key: "k", Value: "b", Op: opOf(t, c.arriving)})
}

// line returns what waits for the one key there is.
func line[K comparable](c *Cache[K, string]) string {
	var entries []string
	for e := range c.All() {
		entries = append(entries, e.Op.String()+" "+e.Value)
	}
	return strings.Join(entries, ", ")
}

// The table holds wherever the waiting entry is, and for a returned entry, the
// older one, and what waits behind it.
func TestOperations(t *testing.T) {
	if n := len(cells()); n != 30 {
		t.Fatalf("the table has %d cells, want 30", n)
	}
	ways := map[string]func(*testing.T, cell, *Cache[string, string]){
		"eligible": func(t *testing.T, one cell, c *Cache[string, string]) {
			one.row(t, c)
			one.column(t, c)
		},
		"behind a lease": func(t *testing.T, one cell, c *Cache[string, string]) {
			c.Put("k", "leased")
			e, _ := c.TryTake()
			one.row(t, c)
			one.column(t, c)
			c.Done(e)
		},
		"behind an appended value": func(t *testing.T, one cell, c *Cache[string, string]) {
			c.Append("k", "sealed")
			one.row(t, c)
			one.column(t, c)
			e, _ := c.TryTake()
			c.Done(e)
		},
		"returned": func(t *testing.T, one cell, c *Cache[string, string]) {
			one.row(t, c)
			e, _ := c.TryTake()
			one.column(t, c)
			c.Return(e, 0)
		},
	}
	for name, way := range ways {
		for _, one := range cells() {
			c := mustNew(t, Options[string, string]{Merge: Sum[string]})
			way(t, one, c)
			if got := line(c); got != one.want {
				t.Errorf("%s, %v: %s, want %s", name, one, got, one.want)
			}
			if err := c.Ledger().Check(); err != nil {
				t.Errorf("%s, %v: %v", name, one, err)
			}
		}
	}
}

// With Annihilate one cell differs, and only where nobody has seen the insert.
func TestOperationsWithAnnihilate(t *testing.T) {
	for _, one := range cells() {
		c := mustNew(t, Options[string, string]{Merge: Sum[string], Annihilate: true})
		one.row(t, c)
		one.column(t, c)
		if one.waiting == "insert" && one.arriving == "delete" {
			one.want = ""
		}
		if got := line(c); got != one.want {
			t.Errorf("%v: %s, want %s", one, got, one.want)
		}

		c = mustNew(t, Options[string, string]{Merge: Sum[string], Annihilate: true})
		one.row(t, c)
		e, _ := c.TryTake()
		c.Return(e, 0)
		one.column(t, c)
		if one.want == "" {
			one.want = "delete b"
		}
		if got := line(c); got != one.want {
			t.Errorf("%v, seen: %s, want %s", one, got, one.want)
		}
	}
}

func TestDocHasTheTableOfOperations(t *testing.T) {
	doc, err := os.ReadFile("doc.go")
	if err != nil {
		t.Fatal(err)
	}
	for row := range strings.Lines(strings.TrimSpace(operations)) {
		if row = "//\t" + strings.TrimSpace(row) + "\n"; !strings.Contains(string(doc), row) {
			t.Errorf("doc.go lacks the row %q", row)
		}
	}
}

func TestOpString(t *testing.T) {
	for op, want := range map[Op]string{Upsert: "upsert", Insert: "insert", Replace: "replace", Delete: "delete", Append: "append", 9: "Op(9)"} {
		if got := op.String(); got != want {
			t.Errorf("Op %d is %q, want %q", uint8(op), got, want)
		}
	}
}
