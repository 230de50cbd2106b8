// Package mbo reads market-by-order files and builds books of them.
//
// A file is CSV, plain or compressed with gzip, with the columns
//
//	ts_recv_ns,ts_event_ns,action,side,price,size,order_id,sequence
//
// as the example orderbook reads it.
package mbo
