package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/rhysd/actionlint"
)

// Without shellcheck and pyflakes, which a machine may lack.
func lintWorkflows(files []string) error {
	linter, err := actionlint.NewLinter(io.Discard, &actionlint.LinterOptions{})
	if err != nil {
		return err
	}
	found, err := linter.LintFiles(files, nil)
	if err != nil {
		return err
	}
	problems := make([]string, 0, len(found))
	for _, problem := range found {
		problems = append(problems, problem.Error())
	}
	if len(problems) > 0 {
		return fmt.Errorf("%s", strings.Join(problems, "\n"))
	}
	return nil
}
