package cachetest

import (
	"testing/synctest"
	"time"

	"github.com/headrace/headrace/cache"
)

var join = cache.Sum[string]

var cases = []script{
	{"a merge keeps its position", Options{Merge: join}, func(p *player) {
		p.Put("b", "1")
		p.Put("a", "2")
		p.Put("b", "3")
		p.want("entries", p.drain(), "upsert b=13, upsert a=2")
	}},
	{"equal stamps keep the order of arrival", Options{}, func(p *player) {
		at := time.Now()
		p.PutAt("late", "1", at.Add(1))
		for _, key := range []string{"b", "c", "a"} {
			p.PutAt(key, "1", at)
		}
		p.want("entries", p.drain(), "upsert b=1, upsert c=1, upsert a=1, upsert late=1")
	}},
	{"a leased key is not handed out", Options{Merge: join}, func(p *player) {
		p.Put("a", "1")
		e := p.take()
		p.Put("a", "2")
		p.Put("a", "3")
		p.want("while it is leased", p.take().Key, "")
		p.Done(e)
		p.want("afterwards", p.drain(), "upsert a=23")
	}},
	{"a lease ends once", Options{}, func(p *player) {
		p.Put("a", "1")
		old := p.take()
		p.want("the first Return", p.Return(old, 0), true)
		e := p.take()
		p.Done(old)
		p.want("the second Return", p.Return(old, 0), false)
		p.want("GiveUp after Return", p.GiveUp(old), false)
		p.want("leased", p.Ledger().Leased, 1)
		p.want("GiveUp", p.GiveUp(e), true)
	}},
	{"a returned entry is older than what waits", Options{Merge: join}, func(p *player) {
		p.Put("a", "1")
		e := p.take()
		p.Put("b", "2")
		p.Put("a", "3")
		p.Return(e, 0)
		p.want("entries", p.drain(), "upsert a=13, upsert b=2")
	}},
	{"a back-off holds the key", Options{}, func(p *player) {
		p.Put("a", "1")
		p.Return(p.take(), time.Minute)
		p.Put("b", "2")
		p.want("meanwhile", p.drain(), "upsert b=2")
		began := time.Now()
		ctx, cancel := soon()
		defer cancel()
		e, err := p.Take(ctx)
		p.is("Take", err, nil)
		p.want("back-off", time.Since(began), time.Minute)
		p.want("attempts", e.Attempts, 2)
	}},
	{"values do not merge across a delete", Options{Merge: join}, func(p *player) {
		p.Put("a", "1")
		p.Delete("a", "2")
		p.Put("a", "3")
		p.Put("a", "4")
		p.Put("b", "5")
		p.Delete("b", "6")
		p.want("entries", p.drain(), "replace a=34, delete b=6")
	}},
	{"an insert and its delete annihilate", Options{Annihilate: true}, func(p *player) {
		p.Admit(Arrival{Key: "a", Value: "1", Op: cache.Insert})
		p.Delete("a", "2")
		p.want("waiting", p.Len(), 0)
		p.want("annihilated", p.Ledger().Annihilated, 1)
	}},
	{"an appended value is not merged", Options{Merge: join}, func(p *player) {
		p.Put("a", "1")
		p.Append("a", "2")
		p.Put("a", "3")
		p.Put("a", "4")
		p.want("entries", p.drain(), "upsert a=1, append a=2, upsert a=34")
	}},
	{"a new entry at the bound is refused", Options{MaxEntries: 1, Overflow: cache.Reject}, func(p *player) {
		p.Put("a", "1")
		p.is("a waiting key", p.Put("a", "2"), nil)
		p.is("a new key", p.Put("b", "3"), cache.ErrFull)
		p.is("a delete", p.Delete("c", "4"), nil)
	}},
	{"a put waits for room", Options{MaxEntries: 1}, func(p *player) {
		p.Put("a", "1")
		done := make(chan error, 1)
		ctx, cancel := soon()
		defer cancel()
		go func() { done <- p.PutWait(ctx, "b", "2") }()
		synctest.Wait()
		p.want("returned", len(done), 0)
		p.Done(p.take())
		p.is("PutWait", <-done, nil)
		p.want("entries", p.drain(), "upsert b=2")
	}},
	{"a closed cache gives what it has", Options{}, func(p *player) {
		p.Put("a", "1")
		p.Close()
		p.is("Put", p.Put("a", "2"), cache.ErrClosed)
		p.want("entries", p.drain(), "upsert a=1")
		ctx, cancel := soon()
		defer cancel()
		_, err := p.Take(ctx)
		p.is("Take", err, cache.ErrClosed)
	}},
}
