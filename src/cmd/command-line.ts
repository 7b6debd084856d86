import type { ServerOptions } from './run-server.ts'

/** The commands of the server's program. Each loads only its modules. */
const COMMANDS: Readonly<Record<string, (words: readonly string[]) => Promise<void>>> = {
  sandboxd: async (words) => {
    const { runSandboxd } = await import('./sandboxd.ts')
    await runSandboxd(words)
  },
  migrate: async (words) => {
    const { runMigrate } = await import('./run-migrate.ts')
    await runMigrate(words)
  },
  backup: async (words) => {
    const { runBackup } = await import('./maintenance/run-backup.ts')
    await runBackup(words)
  },
  restore: async (words) => {
    const { runRestore } = await import('./maintenance/run-restore.ts')
    await runRestore(words)
  },
  doctor: async (words) => {
    const { runDoctor } = await import('./maintenance/run-doctor.ts')
    await runDoctor(words)
  },
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
