package quota

import (
	"math"
	"strconv"
	"strings"
)

// Limits are the quotas that are set for one entity. A zero field is not set:
// the quota is then found at another level, and if no level has it there is none.
type Limits struct {
	RequestTimePercent float64 // percent of the time of all producers
	ProducerByteRate   int64   // bytes per second
	ConsumerByteRate   int64   // bytes per second
}

// of returns the limit of a kind, 0 if it is not set.
func (l Limits) of(k kind) float64 {
	switch k {
	case requestTime:
		return l.RequestTimePercent
	case producerBytes:
		return float64(l.ProducerByteRate)
	default:
		return float64(l.ConsumerByteRate)
	}
}

// Text returns the limit of a key as a document holds it, and "" if it is not
// set.
func (l Limits) Text(key Key) string {
	switch {
	case key == RequestTimePercent && l.RequestTimePercent != 0:
		return percentText(l.RequestTimePercent)
	case key == ProducerByteRate && l.ProducerByteRate != 0:
		return strconv.FormatInt(l.ProducerByteRate, 10)
	case key == ConsumerByteRate && l.ConsumerByteRate != 0:
		return strconv.FormatInt(l.ConsumerByteRate, 10)
	}
	return ""
}

// set parses a value. It returns what is wrong with it, or "".
func (l *Limits) set(k kind, value string) string {
	switch k {
	case requestTime:
		return parsePercent(&l.RequestTimePercent, value)
	case producerBytes:
		return parseRate(&l.ProducerByteRate, value)
	default:
		return parseRate(&l.ConsumerByteRate, value)
	}
}

func (l *Limits) unset(k kind) {
	switch k {
	case requestTime:
		l.RequestTimePercent = 0
	case producerBytes:
		l.ProducerByteRate = 0
	default:
		l.ConsumerByteRate = 0
	}
}

// parsePercent accepts decimal numbers alone: ParseFloat by itself would take
// NaN, which is neither above a limit nor below, infinities and hex floats.
func parsePercent(to *float64, value string) string {
	v, err := strconv.ParseFloat(value, 64)
	switch {
	case strings.Trim(value, "0123456789.eE+-") != "" || err != nil && !math.IsInf(v, 0):
		return "must be a decimal number, in percent"
	case !(v > 0):
		return "must be greater than 0 (0 is no way to block a source, and a quota is removed by deleting its key)"
	case v > 100:
		return "must be at most 100: it is a share of the time of all producers"
	}
	*to = v
	return ""
}

// parseRate takes digits alone: ParseInt would also take a sign.
func parseRate(to *int64, value string) string {
	v, err := strconv.ParseInt(value, 10, 64)
	switch {
	case value == "" || strings.Trim(value, "-0123456789") != "" || err != nil && v == 0:
		return "must be a whole number, in bytes per second"
	case v <= 0:
		return "must be greater than 0 (0 is no way to block a source, and a quota is removed by deleting its key)"
	case err != nil:
		return "is too large: the most is 9223372036854775807"
	}
	*to = v
	return ""
}

// percentText writes a percentage with a decimal point, as Kafka does, so that
// it reads as a number that may have a fraction.
func percentText(p float64) string {
	if p < 1e-6 {
		return strconv.FormatFloat(p, 'e', -1, 64)
	}
	s := strconv.FormatFloat(p, 'f', -1, 64)
	if !strings.Contains(s, ".") {
		s += ".0"
	}
	return s
}
