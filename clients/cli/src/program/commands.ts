import type { Register } from './register.ts'

interface CommandEntry {
  readonly name: string
  readonly aliases?: readonly string[]
  /** Its line in the list of commands. */
  readonly summary: string
  /** The heading in the list of commands. */
  readonly group: 'Look' | 'Change' | 'Fleets and sandboxes' | 'Connect' | 'Server'
  /** Absent for commands of the server's program, which the starter of the command runs. */
  readonly load?: () => Promise<{ readonly register: Register }>
}

/** All commands. Only the module of the requested command is loaded, so that it starts fast. */
export const COMMANDS: readonly CommandEntry[] = [
  {
    name: 'get',
    summary: 'List resources, or show one; -w follows changes',
    group: 'Look',
    load: () => import('../commands/get.ts'),
  },
  {
    name: 'describe',
    summary: 'Show everything about one resource',
    group: 'Look',
    load: () => import('../commands/describe.ts'),
  },
  {
    name: 'why',
    summary: 'Explain why a resource is not ready, or what broke most',
    group: 'Look',
    load: () => import('../commands/why.ts'),
  },
  {
    name: 'history',
    summary: 'Show who changed what in a resource, and when',
    group: 'Look',
    load: () => import('../commands/history.ts'),
  },
  {
    name: 'audit',
    summary: 'Search who did what, when and from where',
    group: 'Look',
    load: () => import('../commands/audit.ts'),
  },
  {
    name: 'watch',
    summary: 'Print each change of a kind as it happens',
    group: 'Look',
    load: () => import('../commands/watch.ts'),
  },
  {
    name: 'top',
    summary: 'Show load and resources that are not ready, live',
    group: 'Look',
    load: () => import('../commands/top.ts'),
  },
  {
    name: 'kinds',
    summary: 'List the kinds of the HyperFleet API',
    group: 'Look',
    load: () => import('../commands/kinds.ts'),
  },
  {
    name: 'apply',
    summary: 'Create or change the resources of files',
    group: 'Change',
    load: () => import('../commands/apply.ts'),
  },
  {
    name: 'create',
    summary: 'Create one resource, or the resources of files',
    group: 'Change',
    load: () => import('../commands/create.ts'),
  },
  {
    name: 'edit',
    summary: 'Change a resource in your editor',
    group: 'Change',
    load: () => import('../commands/edit.ts'),
  },
  {
    name: 'patch',
    summary: 'Change fields of a resource',
    group: 'Change',
    load: () => import('../commands/patch.ts'),
  },
  {
    name: 'label',
    summary: 'Change the labels of resources',
    group: 'Change',
    load: () => import('../commands/label.ts'),
  },
  {
    name: 'delete',
    summary: 'Delete resources',
    group: 'Change',
    load: () => import('../commands/delete.ts'),
  },
  {
    name: 'report',
    summary: 'Report on a resource as an adapter does',
    group: 'Change',
    load: () => import('../commands/report.ts'),
  },
  {
    name: 'fleet',
    summary: 'Create, scale and delete fleets; claim members',
    group: 'Fleets and sandboxes',
    load: () => import('../commands/fleet.ts'),
  },
  {
    name: 'sandbox',
    summary: 'Run, suspend, resume and fork sandboxes',
    group: 'Fleets and sandboxes',
    load: () => import('../commands/sandbox.ts'),
  },
  {
    name: 'snapshot',
    summary: 'Show the whole state of a cluster',
    group: 'Look',
    load: () => import('../commands/snapshot.ts'),
  },
  {
    name: 'webhook',
    aliases: ['webhooks'],
    summary: 'Send changes to a URL, and repair deliveries',
    group: 'Connect',
    load: () => import('../commands/webhook.ts'),
  },
  {
    name: 'kubeconfig',
    summary: 'Connect kubectl to the plane of a cluster',
    group: 'Connect',
    load: () => import('../commands/kubeconfig.ts'),
  },
  {
    name: 'login',
    summary: 'Log in to a server',
    group: 'Connect',
    load: () => import('../commands/login.ts'),
  },
  {
    name: 'context',
    summary: 'List servers, and select one',
    group: 'Connect',
    load: () => import('../commands/context.ts'),
  },
  {
    name: 'whoami',
    summary: 'Show who you are',
    group: 'Connect',
    load: () => import('../commands/whoami.ts'),
  },
  {
    name: 'can-i',
    summary: 'Ask what you may do',
    group: 'Connect',
    load: () => import('../commands/can-i.ts'),
  },
  {
    name: 'completion',
    summary: 'Print the completion script of a shell',
    group: 'Connect',
    load: () => import('../commands/completion.ts'),
  },
  { name: 'start', summary: 'Run the server; --help lists its settings', group: 'Server' },
  { name: 'migrate', summary: 'Update the schema of the database', group: 'Server' },
  { name: 'sandboxd', summary: 'Run the workloads of sandboxes on this machine', group: 'Server' },
  { name: 'backup', summary: 'Write the database to a file', group: 'Server' },
  { name: 'restore', summary: 'Restore a backup into the database', group: 'Server' },
  { name: 'import', summary: 'Import the resources of a HyperFleet server', group: 'Server' },
  { name: 'export', summary: 'Write all resources as JSON Lines', group: 'Server' },
  { name: 'doctor', summary: 'List the problems of this installation', group: 'Server' },
  { name: 'shards', summary: 'Manage the directory of shards', group: 'Server' },
]
