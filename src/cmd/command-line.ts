import type { MaintenanceCommand } from './maintenance/maintenance-command.ts'
import type { ServerOptions } from './run-server.ts'

/** The commands of the server's program. Each loads only its modules. */
const COMMANDS: Readonly<Record<string, (words: readonly string[]) => Promise<void>>> = {
  sandboxd: async (words) => {
    const { runSandboxd } = await import('../sandboxes/sandboxd/sandboxd.ts')
    await runSandboxd(words)
  },
  sandbox: async (words) => {
    const { runSandboxImages } = await import('../sandboxes/sandboxd/sandbox-images.ts')
    await runSandboxImages(words)
  },
  migrate: async (words) =>
    runMaintenanceOf((await import('./maintenance/migrate.ts')).migrate, words),
  backup: async (words) =>
    runMaintenanceOf((await import('./maintenance/backup.ts')).backup, words),
  restore: async (words) =>
    runMaintenanceOf((await import('./maintenance/restore.ts')).restore, words),
  export: async (words) =>
    runMaintenanceOf((await import('./maintenance/export.ts')).exportTo, words),
  import: async (words) =>
    runMaintenanceOf((await import('./maintenance/import.ts')).importFrom, words),
  doctor: async (words) =>
    runMaintenanceOf((await import('./maintenance/doctor.ts')).doctor, words),
  shards: async (words) =>
    runMaintenanceOf((await import('./maintenance/shards.ts')).shards, words),
}

/** Runs the command that the first argument names. Without one, or with `start`, runs the server. */
export async function runFromCommandLine(options: ServerOptions = {}): Promise<void> {
  // A closed standard error must not end the process.
  process.stderr.on('error', () => undefined)
  const [first = '', ...rest] = process.argv.slice(2)
  const command = Object.hasOwn(COMMANDS, first) ? COMMANDS[first] : undefined
  if (command !== undefined) {
    await command(rest)
    return
  }
  const { runServer } = await import('./run-server.ts')
  await runServer(first === 'start' ? rest : process.argv.slice(2), options)
}

async function runMaintenanceOf(
  command: MaintenanceCommand,
  words: readonly string[],
): Promise<void> {
  const { runMaintenance } = await import('./maintenance/maintenance-command.ts')
  await runMaintenance(command, words)
}
