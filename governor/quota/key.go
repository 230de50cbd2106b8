package quota

// Key names a quota in documents and changes.
type Key string

const (
	// RequestTimePercent is a share of the time of all producers, in percent:
	// a decimal number above 0 and up to 100. See Budget for what it comes to.
	RequestTimePercent Key = "request_time_percent"
	// ProducerByteRate is what producers may take in, in bytes per second: a
	// whole number from 1 to 2^63-1.
	ProducerByteRate Key = "producer_byte_rate"
	// ConsumerByteRate is what consumers may take, in bytes per second, and
	// written like ProducerByteRate.
	ConsumerByteRate Key = "consumer_byte_rate"
)

// kind is a Key as an index.
type kind uint8

const (
	producerBytes kind = iota
	requestTime
	consumerBytes
	kinds // how many there are
)

var keys = [kinds]Key{ProducerByteRate, RequestTimePercent, ConsumerByteRate}

func (k Key) kind() (kind, bool) {
	for i, key := range keys {
		if key == k {
			return kind(i), true
		}
	}
	return 0, false
}
