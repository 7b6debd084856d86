# Runs the stages of a table and prints the output of each as one block when it ends.

# Reads a table of stages: `name | seconds | load | needs | command | what it proves`. The load is the
# number of cores that the stage keeps busy on average, with one decimal. Stages whose sum is at most
# 1.4 times the cores of the machine run at the same time, because each one also waits. With `all`,
# nothing else runs. Needs are the names of earlier stages.
declare -a stages=()
declare -A stage_seconds=() stage_load=() stage_needs=() stage_command=() stage_proves=()
declare -A stage_outcome=() stage_pid=() stage_start=()

read_stages() {
  local name seconds load needs command proves
  while IFS='|' read -r name seconds load needs command proves; do
    read -r name <<<"$name"
    [[ -n $name ]] || continue
    stages+=("$name")
    read -r "stage_seconds[$name]" <<<"$seconds"
    read -r "stage_load[$name]" <<<"$load"
    read -r "stage_needs[$name]" <<<"$needs"
    read -r "stage_command[$name]" <<<"$command"
    read -r "stage_proves[$name]" <<<"$proves"
  done
}

# Keeps the named stages and those that they need.
select_stages() {
  (($# > 0)) || return 0
  local -A wanted=()
  local name need kept=()
  for name in "$@"; do
    [[ -v stage_command[$name] ]] || { echo "unknown stage: $name (${stages[*]})" >&2 && return 2; }
    wanted[$name]=1
  done
  for ((i = ${#stages[@]} - 1; i >= 0; i--)); do
    name=${stages[i]}
    [[ -v wanted[$name] ]] || continue
    kept=("$name" "${kept[@]}")
    for need in ${stage_needs[$name]}; do wanted[$need]=1; done
  done
  stages=("${kept[@]}")
}

# Runs the stages, with a log and a line of `outcomes` for each in a folder. Fails if one failed.
run_stages() {
  local folder=$1 name stopped=
  trap 'stopped=1' TERM INT
  while true; do
    [[ -z $stopped ]] || { stop_stages "$folder" && break; }
    for name in "${!stage_pid[@]}"; do
      kill -0 "${stage_pid[$name]}" 2>/dev/null || finish_stage "$folder" "$name"
    done
    start_stages "$folder"
    ((${#stage_pid[@]} > 0)) || break
    sleep 0.5 & wait $! || true
  done
  trap - TERM INT
  for name in "${stages[@]}"; do [[ ${stage_outcome[$name]} == passed ]] || return 1; done
}

# Starts stages in the order of the table. A stage starts before earlier ones that wait for cores,
# unless one of these needs all.
start_stages() {
  local folder=$1 name need
  for name in "${stages[@]}"; do
    [[ ! -v stage_outcome[$name] && ! -v stage_pid[$name] ]] || continue
    for need in ${stage_needs[$name]}; do
      case ${stage_outcome[$need]-} in
        passed) ;;
        '') continue 2 ;;
        *) end_stage "$folder" "$name" 'not run' 0 "$need did not pass" && continue 2 ;;
      esac
    done
    if has_room "$name"; then
      start_stage "$folder" "$name"
    elif [[ ${stage_load[$name]} == all ]]; then
      return 0
    fi
  done
}

has_room() {
  local other sum=0
  ((${#stage_pid[@]} > 0)) || return 0
  for other in "$1" "${!stage_pid[@]}"; do
    [[ ${stage_load[$other]} != all ]] || return 1
    sum=$((sum + 10#${stage_load[$other]/./}))
  done
  ((sum <= 14 * ${cores:-$(nproc)}))
}

start_stage() {
  local folder=$1 name=$2
  echo "--- $name started: ${stage_proves[$name]} (at most ${stage_seconds[$name]} s)"
  stage_start[$name]=$SECONDS
  TIMEFORMAT='%R s, of which %U s + %S s of CPU' \
    CI_STAGE="$folder/$name" LEFT_PROCESSES_FILE="$folder/$name.left" \
    timeout --kill-after=30 "${stage_seconds[$name]}" \
    bash -c "set -eo pipefail; time { ${stage_command[$name]}; }" \
    >"$folder/$name.log" 2>&1 </dev/null &
  stage_pid[$name]=$!
}

finish_stage() {
  local folder=$1 name=$2 status=0 seconds outcome=failed detail=
  wait "${stage_pid[$name]}" || status=$?
  unset "stage_pid[$name]"
  seconds=$((SECONDS - stage_start[$name]))
  end_processes "$folder/$name"
  case $status in
    0) [[ ! -s $folder/$name.left ]] || detail='it left processes' ;;
    124) detail="stopped after ${stage_seconds[$name]} s" ;;
    137) detail='killed: no memory, or it did not stop' ;;
    *) detail="exit status $status" ;;
  esac
  [[ -n $detail ]] || outcome=passed
  end_stage "$folder" "$name" "$outcome" "$seconds" "$detail"
}

# Kills the processes that a stage has left after ten seconds. The watchdog of a test run lists and
# ends those of tests (test/support/watchdog.mjs). Only Linux shows environments as files.
end_processes() {
  local mark=$1 left process
  for ((i = 0; i < 400; i++)); do
    mapfile -t left < <(grep -lzxsF "CI_STAGE=$mark" /proc/[0-9]*/environ | cut -d / -f 1-3)
    ((${#left[@]} > 0)) || return 0
    ((i < 100)) || grep -qsF watchdog.mjs "${left[@]/%//cmdline}" || break
    sleep 0.1
  done
  for process in "${left[@]}"; do
    echo "process ${process#/proc/}: $(tr '\0' ' ' <"$process/cmdline")" >>"$mark.left"
    kill -KILL "${process#/proc/}" 2>/dev/null || true
  done
}

end_stage() {
  local folder=$1 name=$2 outcome=$3 seconds=$4 detail=$5 kind=stage
  stage_outcome[$name]=$outcome
  echo
  echo "=== $name $outcome ($seconds s)${detail:+: $detail}"
  [[ ! -f $folder/$name.log ]] || cat "$folder/$name.log"
  [[ ! -f $folder/$name.left ]] || sed 's/^/left: /' "$folder/$name.left"
  [[ ${stage_command[$name]} != drill\ * ]] || kind=drill
  printf '%s\t%s\t%s\t%s\t%s\n' "$name" "$outcome" "$seconds" "$detail" "$kind" \
    >>"$folder/outcomes"
}

# Ends the running stages and prints their output, because this run is itself stopped.
stop_stages() {
  local folder=$1 name
  for name in "${stages[@]}"; do
    [[ ! -v stage_outcome[$name] ]] || continue
    if [[ -v stage_pid[$name] ]]; then
      kill "${stage_pid[$name]}" 2>/dev/null || true
      end_processes "$folder/$name"
      end_stage "$folder" "$name" failed $((SECONDS - stage_start[$name])) 'the run was stopped'
    else
      end_stage "$folder" "$name" 'not run' 0 'the run was stopped'
    fi
  done
}
