package matrix

import (
	"errors"
	"iter"
	"time"
)

// Silence is what is raised where nothing came for as long as the app has patience.
type Silence struct{}

func (Silence) Error() string { return "the turn never ended" }

// Arrival is something that came, or an error.
type Arrival[T any] struct {
	Value T
	Err   error
}

// Arrivals is what comes of an SDK's iterator, one by one. It is read in a routine of its own, so that waiting for it can have
// a limit; one that is given up is left behind.
func Arrivals[T any](all iter.Seq2[T, error]) <-chan Arrival[T] {
	came := make(chan Arrival[T], 1024)
	go func() {
		defer close(came)
		for value, err := range all {
			came <- Arrival[T]{value, err}
		}
	}()
	return came
}

// errEnd says that nothing more comes.
var errEnd = errors.New("the end")

// Next is the next; the error may be Silence, or one that IsEnd knows.
func Next[T any](came <-chan Arrival[T], patience time.Duration) (T, error) {
	select {
	case one, open := <-came:
		if !open {
			return one.Value, errEnd
		}
		return one.Value, one.Err
	case <-time.After(patience):
		var none T
		return none, Silence{}
	}
}

// IsEnd is true of the end, which is no failure.
func IsEnd(err error) bool { return err == errEnd }
