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
    summary: 'List objects, or show one; -w follows changes',
    group: 'Look',
    load: () => import('../commands/get.ts'),
  },
  {
    name: 'apply',
    summary: 'Create or change the objects of files',
    group: 'Change',
    load: () => import('../commands/apply.ts'),
  },
]
