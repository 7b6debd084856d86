import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import type { Writable } from 'node:stream'
import { finished } from 'node:stream/promises'
import { exportResources } from '../../import/export-resources.ts'
import { ImportError } from '../../import/import-error.ts'
import { openDatabase } from '../../store/database/open-database.ts'
import { loadRegistry } from '../create-foundation.ts'
import { openCommandDatabase } from './command-database.ts'
import type { MaintenanceCommand, MaintenanceContext } from './maintenance-command.ts'

const HELP = `Usage: flotilla export [FILE]

Writes all resources as JSON Lines: each line is a resource as GET returns it, with one more member,
statuses, the reports of all adapters. Parents precede their children. Servers can run meanwhile.
Without FILE, or with -, it writes to standard output. An existing file is not overwritten.

flotilla import hyperfleet --from FILE reads the file. It contains resources only: no planes, fleets,
webhooks, history or secrets, which flotilla backup contains.

The database is that of DATABASE_URL, or the embedded one in DATA_DIR.
`

/** Writes all resources to a file that other products can read. */
export const exportTo: MaintenanceCommand = {
  name: 'export',
  help: HELP,
  file: 'optional',
  run: runExport,
}

async function runExport({ config, kinds, log, file }: MaintenanceContext): Promise<number> {
  const isFile = file !== null && file !== '-'
  if (!isFile && process.stdout.isTTY) {
    throw new ImportError('standard output is a terminal: name a file, or redirect the output')
  }
  const registry = await loadRegistry(config, kinds)
  await using command = await openCommandDatabase(config, { log, use: 'existing' })
  await using database = openDatabase({
    url: command.url,
    poolSize: 1,
    statementTimeoutMs: config.statementTimeoutMs,
    connectTimeoutMs: config.databaseConnectTimeoutMs,
    observe: () => undefined,
    onIdleError: (error) => log.warn({ err: error }, 'an idle database connection broke'),
  })
  const output = isFile ? createWriteStream(file, { flags: 'wx', mode: 0o600 }) : process.stdout
  // The failure ends the wait below.
  const failed = once(output, 'error').then(([error]) => Promise.reject(error))
  failed.catch(() => undefined)
  const wire = { registry, family: config.conditionFamily }
  const total = await exportResources(database, wire, async (resource) => {
    await Promise.race([writeLine(output, JSON.stringify(resource)), failed])
  })
  if (isFile) {
    output.end()
    await finished(output)
  }
  console.error(`Exported ${total} resources`)
  return 0
}

async function writeLine(output: Writable, line: string): Promise<void> {
  if (!output.write(`${line}\n`)) await once(output, 'drain')
}
