import type { ServerOptions } from './run-server.ts'

/**
 * Runs the server, or the runtime of sandboxes if the first argument is `sandboxd`. Each loads only
 * its own modules.
 */
export async function runFromCommandLine(options: ServerOptions = {}): Promise<void> {
  // A closed standard error must not end the process.
  process.stderr.on('error', () => undefined)
  if (process.argv[2] === 'sandboxd') {
    const { runSandboxd } = await import('./sandboxd.ts')
    await runSandboxd()
    return
  }
  const { runServer } = await import('./run-server.ts')
  await runServer(options)
}
