/** The architectures with a filter, as Node names them. */
export type FilteredArchitecture = 'x64' | 'arm64'

/** The numbers of a system call: x86-64, then arm64. Null if the architecture does not have it. */
type Numbers = readonly [x64: number, arm64: number | null]

/** Calls that a filter inspects. */
export const INSPECTED = {
  clone: [56, 220],
  clone3: [435, 435],
  unshare: [272, 97],
  ioctl: [16, 29],
  socket: [41, 198],
  socketpair: [53, 199],
} as const satisfies Readonly<Record<string, Numbers>>

/**
 * Calls that change the machine, or that enlarge the reachable part of the kernel: mounts, modules,
 * clocks, keyrings, tracing of the kernel, and interfaces with a history of exploits. Programs for
 * sandboxes do not need them. Docker's profile denies most of them without capabilities.
 */
export const DENIED = {
  mount: [165, 40],
  umount2: [166, 39],
  pivot_root: [155, 41],
  chroot: [161, 51],
  open_tree: [428, 428],
  move_mount: [429, 429],
  fsopen: [430, 430],
  fsconfig: [431, 431],
  fsmount: [432, 432],
  fspick: [433, 433],
  mount_setattr: [442, 442],
  open_tree_attr: [467, 467],
  name_to_handle_at: [303, 264],
  open_by_handle_at: [304, 265],
  quotactl: [179, 60],
  quotactl_fd: [443, 443],
  swapon: [167, 224],
  swapoff: [168, 225],
  reboot: [169, 142],
  sethostname: [170, 161],
  setdomainname: [171, 162],
  init_module: [175, 105],
  finit_module: [313, 273],
  delete_module: [176, 106],
  kexec_load: [246, 104],
  kexec_file_load: [320, 294],
  iopl: [172, null],
  ioperm: [173, null],
  modify_ldt: [154, null],
  acct: [163, 89],
  settimeofday: [164, 170],
  clock_settime: [227, 112],
  clock_adjtime: [305, 266],
  adjtimex: [159, 171],
  add_key: [248, 217],
  request_key: [249, 218],
  keyctl: [250, 219],
  bpf: [321, 280],
  perf_event_open: [298, 241],
  userfaultfd: [323, 282],
  io_uring_setup: [425, 425],
  io_uring_enter: [426, 426],
  io_uring_register: [427, 427],
  fanotify_init: [300, 262],
  kcmp: [312, 272],
  lookup_dcookie: [212, 18],
  syslog: [103, 116],
  vhangup: [153, 58],
  mbind: [237, 235],
  set_mempolicy: [238, 237],
  migrate_pages: [256, 238],
  move_pages: [279, 239],
  set_mempolicy_home_node: [450, 450],
  create_module: [174, null],
  get_kernel_syms: [177, null],
  query_module: [178, null],
  nfsservctl: [180, 42],
  _sysctl: [156, null],
  sysfs: [139, null],
  uselib: [134, null],
  ustat: [136, null],
} as const satisfies Readonly<Record<string, Numbers>>

/** The number of a system call; null if the architecture does not have it. */
export function numberOf([x64, arm64]: Numbers, architecture: FilteredArchitecture): number | null {
  return architecture === 'x64' ? x64 : arm64
}
