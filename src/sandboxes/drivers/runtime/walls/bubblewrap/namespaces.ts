/** Own namespaces for users, processes, mounts, IPC, host name, and cgroups. */
export const NAMESPACES = [
  '--unshare-user',
  '--unshare-pid',
  '--unshare-ipc',
  '--unshare-uts',
  '--unshare-cgroup-try',
]
