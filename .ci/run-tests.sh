# Functions for the commands of stages. They need `results`, the folder of the results.

machine() { echo "$(nproc) cores, load $(uptime | sed 's/.*averages*: *//')"; }
# The ticks of all cores until now, and the idle ones. Both are 0 on systems other than Linux.
ticks() { awk '$1 == "cpu" { for (i = 2; i <= 9; i++) all += $i; print all, $5 + $6 }' /proc/stat || echo 0 0; }
# As `npm run drill`, with 0.7 s of CPU before the first case instead of 1.0.
drill() { node src/tools/set-up.mjs && node --import tsx test/drills/main.ts "$@"; }

# Runs all tests, with more arguments for vitest. Fails if one fails or is slow. If at most three files
# fail, runs these again, alone: a failure that does not repeat is a race (docs/decisions/0053).
run_tests() {
  local failed status=0 start=$SECONDS
  report() { npm test -- --reporter=default --reporter=json --outputFile.json="$@"; }
  echo "npm test on $(machine)"
  report "$results/all.json" "$@" || status=$?
  echo "npm test took $((SECONDS - start)) s on $(machine)"
  ((status == 124 || status >= 128)) && return "$status"
  # The slowest tests take half of these seconds on two cores.
  node .ci/test-results.mjs slow-tests "$results/all.json" "${max_test_seconds:-75}" |
    tee "$results/slow" || status=1
  mapfile -t failed < <(node .ci/test-results.mjs failed-files "$results/all.json")
  if ((${#failed[@]} >= 1 && ${#failed[@]} <= 3)); then
    echo "again, alone: ${failed[*]}"
    report "$results/repeated.json" "$@" "${failed[@]}" || true
  fi
  return "$status"
}

export -f machine drill run_tests
