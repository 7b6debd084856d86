/** Own namespaces for users, processes, mounts, network, IPC, host name, and cgroups. */
export const NAMESPACES = [
  '--unshare-user',
  '--unshare-pid',
  '--unshare-net',
  '--unshare-ipc',
  '--unshare-uts',
  '--unshare-cgroup-try',
]
