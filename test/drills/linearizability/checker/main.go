// Command checker decides with Porcupine whether a history of operations on registers is
// linearizable. It reads a JSON array from standard input, and exits with 1 if a key is not.
package main

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"time"

	"github.com/anishathalye/porcupine"
)

// operation is one call of a client. A write has the outcome ok, no (its condition did not hold) or
// unknown (the connection broke).
type operation struct {
	Client   int    `json:"client"`
	Key      string `json:"key"`
	Kind     string `json:"kind"`
	Value    string `json:"value"`
	Expected string `json:"expected"`
	Outcome  string `json:"outcome"`
	Called   int64  `json:"called"`
	Returned int64  `json:"returned"`
}

const (
	timeout = 2 * time.Minute
	// The state of a register whose object does not exist.
	absent = ""
)

// model has one register per key. Every write writes a value that no other write does.
var model = porcupine.Model{
	Partition: partition,
	Init:      func() interface{} { return absent },
	Step: func(state, input, _ interface{}) (bool, interface{}) {
		call, current := input.(operation), state.(string)
		if call.Kind == "read" {
			return call.Value == current, current
		}
		holds, next := current == call.Expected, call.Value
		switch {
		case call.Outcome == "ok":
			return holds, next
		case call.Outcome == "no":
			return !holds, current
		case holds:
			return true, next
		default:
			return true, current
		}
	},
	DescribeOperation: func(input, _ interface{}) string { return fmt.Sprintf("%+v", input) },
}

func partition(history []porcupine.Operation) [][]porcupine.Operation {
	keys := map[string][]porcupine.Operation{}
	for _, each := range history {
		key := each.Input.(operation).Key
		keys[key] = append(keys[key], each)
	}
	parts := make([][]porcupine.Operation, 0, len(keys))
	for _, part := range keys {
		parts = append(parts, part)
	}
	return parts
}

func main() {
	var calls []operation
	if err := json.NewDecoder(os.Stdin).Decode(&calls); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
	history := make([]porcupine.Operation, 0, len(calls))
	for _, call := range calls {
		returned := call.Returned
		// It can take effect at any time after the call, or at the end, which nobody observes.
		if call.Outcome == "unknown" {
			returned = math.MaxInt64
		}
		history = append(history, porcupine.Operation{
			ClientId: call.Client, Input: call, Call: call.Called, Output: nil, Return: returned,
		})
	}
	failed := false
	for _, part := range partition(history) {
		result := porcupine.CheckOperationsTimeout(model, part, timeout)
		if result == porcupine.Ok {
			continue
		}
		failed = true
		fmt.Printf("%s: %s\n", part[0].Input.(operation).Key, result)
		for _, each := range part {
			fmt.Printf("  %+v\n", each.Input)
		}
	}
	if failed {
		os.Exit(1)
	}
}
