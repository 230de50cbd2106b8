package operators

import "context"

// ended reports whether ctx has ended. If so, it has yielded the error of ctx,
// which is the last pair, so there is no need to look at what yield returns.
func ended[T any](ctx context.Context, yield func(T, error) bool) bool {
	err := ctx.Err()
	if err == nil {
		return false
	}
	var none T
	yield(none, err)
	return true
}
