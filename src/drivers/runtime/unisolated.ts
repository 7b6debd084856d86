/** Why a runtime without separate users starts no workloads. */
export const UNISOLATED =
  'this runtime gives sandboxes no separate users, so their programs could read its files and ' +
  'those of each other: run it as root with setpriv, or set SANDBOX_UNISOLATED=true'
