#!/usr/bin/env bash
# Runs one function of Kubernetes' test/cmd, or with "inline" the assertions of runTests itself.
# Usage, in a writable copy of the sources: run-function.sh FUNCTION PORT RESULTS
# RESULTS receives "pass FILE:LINE" for each assertion that holds, "unserved FILE:LINE" if it holds because the
# server does not have the resource, and "fail FILE:LINE" for each command that would end the function under
# errexit. Nothing ends the function here, so that every assertion counts.
FUNCTION=$1
SECURE_API_PORT=$2
RESULTS=$3

SUPPORTED_RESOURCES=(namespaces configmaps secrets serviceaccounts clusterroles roles
  customresourcedefinitions subjectaccessreviews selfsubjectreviews)
UNSERVED='^(pods?|po|deploy(ments?)?|services?|svc|rc|csr|nodes?|jobs?|cronjobs?|statefulsets?|replica[a-z]*)([/. ]|$)'
NOT_FOUND="doesn't have a resource type|no matches for kind|could not find the requested resource"
# The server's version has a suffix.
ALLOW_SKEW=true
WHAT=one
KUBE_TEMP=$(mktemp -d)
trap 'rm -rf "$KUBE_TEMP"' EXIT
HOME=$KUBE_TEMP
TMPDIR=$KUBE_TEMP
TERM=${TERM:-xterm}
export HOME TMPDIR TERM
# kube-apiserver writes these.
cp hack/testdata/tls.crt "$TMPDIR/apiserver.crt"
cp hack/testdata/tls.key "$TMPDIR/apiserver.key"

source hack/lib/init.sh
source hack/lib/test.sh
THIS_PLATFORM_BIN=$PWD/_output/bin
source test/cmd/legacy-script.sh
SED=sed

# Writes "OUTCOME FILE:LINE" with the line of the suite that calls.
record() {
  local i
  for ((i = 1; i < ${#BASH_SOURCE[@]}; i++)); do
    if [[ ${BASH_SOURCE[i]} == *test/cmd/*.sh ]]; then
      echo "$1 $(basename "${BASH_SOURCE[i]}"):${BASH_LINENO[i - 1]}" >>"$RESULTS"
      return
    fi
  done
}

# An assertion with these arguments holds. Assertions that call other assertions count once.
record_pass() {
  [[ ${BASH_SOURCE[2]} == *test/cmd/*.sh ]] || return 0
  case ${FUNCNAME[1]} in
    *object*_assert) [[ $1 =~ $UNSERVED ]] && record unserved && return ;;
    # A command that failed leaves an empty text, which lacks all strings and has the empty string.
    *if_has_not_string) [[ -z $1 || $1 =~ $NOT_FOUND ]] && record unserved && return ;;
    *if_has_string) [[ -z $2 ]] && record unserved && return ;;
  esac
  record pass
}

errexit=true
builtin set +o errexit +o nounset
set() {
  case "$*" in
    '-o errexit' | -e*) errexit=true ;;
    '+o errexit' | +e*) errexit=false ;;
    *) builtin set "$@" ;;
  esac
}

exit() {
  record fail
}

on_error() {
  local file=${BASH_SOURCE[1]}
  [[ $errexit == true && $file == *test/cmd/*.sh ]] && ((BASH_SUBSHELL == 0)) || return
  [[ ${FUNCNAME[1]} != runTests || $FUNCTION == inline ]] || return
  echo "fail $(basename "$file"):$1" >>"$RESULTS"
  echo "FAILED $(basename "$file"):$1: $BASH_COMMAND"
}

for name in $(compgen -A function | grep -E '^kube::test::(.*_assert|if_(has|empty|sort).*|results::diff)$'); do
  [[ $name != kube::test::object_assert ]] || continue
  eval "unchanged::$(declare -f "$name")"
  eval "$name() { unchanged::$name \"\$@\" || return 1; record_pass \"\$@\"; }"
done

# The assertion repeats its query for 45 s, which a resource that is not served does not need.
kube::test::wait_object_assert() {
  local tries=10
  [[ $1 =~ $UNSERVED ]] && tries=1
  kube::test::object_assert "$tries" "$@" || return 1
  record_pass "$@"
}

record_command() {
  [[ $FUNCTION == inline ]] || "$FUNCTION"
}

CONTEXT=test
kubectl config set-credentials test-admin --token admin-token
kubectl config set-cluster local --insecure-skip-tls-verify --server "https://127.0.0.1:$SECURE_API_PORT"
kubectl config set-context "$CONTEXT" --user test-admin --cluster local
kubectl config use-context "$CONTEXT"
[[ $FUNCTION == inline ]] && WHAT=
builtin set -o errtrace
trap 'on_error $LINENO' ERR
runTests
echo "end $FUNCTION" >>"$RESULTS"
