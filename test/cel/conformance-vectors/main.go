// Command conformance-vectors converts the conformance files of CEL to JSON.
//
//	go run . "$(go list -m -f '{{.Dir}}' cel.dev/expr)/tests/simple/testdata" > ../../vectors/cel-conformance.json
package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	_ "cel.dev/expr/conformance/proto2"
	_ "cel.dev/expr/conformance/proto3"
	"cel.dev/expr/conformance/test"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/encoding/prototext"
)

const (
	messages   = "protobuf messages"
	enums      = "protobuf enumerations"
	optimizer  = "macros for tests of an optimizer"
	encoders   = "the library of encoders, which Kubernetes does not have"
	math       = "the library of mathematics, which Kubernetes does not have"
	bindings   = "the library of bindings, which Kubernetes does not have"
	extensions = "protobuf extensions"
)

// The files that test what planes have no use for.
var foreign = map[string]string{
	"bindings_ext": bindings, "block_ext": optimizer, "encoders_ext": encoders, "enums": enums,
	"math_ext": math, "proto2": messages, "proto2_ext": extensions, "proto3": messages,
}

var message = regexp.MustCompile(`TestAllTypes|TestRequired|GlobalEnum|cel\.expr\.conformance|` +
	`google\.protobuf\.(?:Any|Struct|Value|ListValue|NullValue|\w+Value|Duration\s*\{|Timestamp\s*\{)`)

func reason(file, text string) string {
	if found, ok := foreign[file]; ok {
		return found
	}
	if message.MatchString(text) {
		return messages
	}
	return ""
}

func main() {
	paths, err := filepath.Glob(filepath.Join(os.Args[1], "*.textproto"))
	check(err)
	var lines []string
	for _, path := range paths {
		text, err := os.ReadFile(path)
		check(err)
		var file test.SimpleTestFile
		check(prototext.Unmarshal(text, &file))
		name := strings.TrimSuffix(filepath.Base(path), ".textproto")
		for _, section := range file.Section {
			for _, one := range section.Test {
				lines = append(lines, line(name, section.Name, one))
			}
		}
	}
	fmt.Printf("{\n\"source\":\"cel.dev/expr v0.25.2, tests/simple/testdata\",\n"+
		"\"licence\":\"Apache-2.0, Copyright Google LLC\",\n\"cases\":[\n%s\n]}\n", strings.Join(lines, ",\n"))
}

func line(file, section string, one *test.SimpleTest) string {
	id := file + "/" + section + "/" + one.Name
	one.Name, one.Description = "", ""
	text, err := protojson.Marshal(one)
	check(err)
	var fields map[string]json.RawMessage
	check(json.Unmarshal(text, &fields))
	if found := reason(file, string(text)); found != "" {
		fields = map[string]json.RawMessage{"expr": fields["expr"], "notApplicable": quoted(found)}
	}
	fields["id"] = quoted(id)
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	check(encoder.Encode(fields))
	return strings.TrimSpace(out.String())
}

func quoted(text string) json.RawMessage {
	out, err := json.Marshal(text)
	check(err)
	return out
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}
