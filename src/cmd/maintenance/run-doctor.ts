import { statfs } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { kinds as builtInKinds } from '../../apis/hyperfleet/kinds/index.ts'
import { type Config, misspellings } from '../../config/settings.ts'
import { migrationNames } from '../../core/storage/database/migrate.ts'
import { readDatabaseFacts } from '../../core/storage/doctor/database-facts.ts'
import { errorMessage } from '../../lib/error-message.ts'
import type { Logger } from 'pino'
import { openCommandDatabase } from './command-database.ts'
import { databaseFindings, type Finding } from './database-findings.ts'
import { failUsage, runMaintenance } from './run-maintenance.ts'

const HELP = `Usage: flotilla doctor

Checks the settings, the machine, the database and the servers of this installation, and lists
problems with their remedies. Exits with 1 if it finds a problem; warnings do not count.

The database is that of DATABASE_URL, or the embedded one in DATA_DIR.
`

const MARKS = { ok: 'ok     ', warning: 'warning', problem: 'PROBLEM' } as const
const MIN_FREE_BYTES = 1e9
const MIGRATIONS = new URL('../../../prisma/migrations', import.meta.url)

/** Checks the installation; ends the process. */
export async function runDoctor(words: readonly string[]): Promise<void> {
  const unknown = words.find((word) => word !== '--help' && word !== '-h')
  if (unknown !== undefined) failUsage('doctor', `unknown argument '${unknown}'`)
  if (words.length > 0) {
    process.stdout.write(HELP)
    return
  }
  await runMaintenance({ name: 'doctor', run: examine })
}

async function examine(config: Config, log: Logger): Promise<number> {
  const findings = [
    ...settingFindings(),
    ...accessFindings(config),
    ...(config.databaseUrl === null ? [await diskFinding(config.dataDir)] : []),
    ...(await databaseResults(config, log)),
  ]
  for (const finding of findings) print(finding)
  const problems = findings.filter(({ level }) => level === 'problem').length
  const warnings = findings.filter(({ level }) => level === 'warning').length
  console.log(`\n${findings.length} checks: ${problems} problem(s), ${warnings} warning(s)`)
  return problems === 0 ? 0 : 1
}

function print({ level, message, remedy }: Finding): void {
  console.log(`${MARKS[level]}  ${message}`)
  if (remedy !== undefined) console.log(`         ${remedy}`)
}

/** The settings are valid: invalid ones have ended the command. */
function settingFindings(): readonly Finding[] {
  const lines = misspellings(builtInKinds)
  if (lines.length === 0) return [{ level: 'ok', message: 'The settings are valid' }]
  const remedy = 'Correct the name of the environment variable'
  return lines.map((message) => ({ level: 'warning', message, remedy }))
}

function accessFindings({ authDisabled, authorization, host }: Config): readonly Finding[] {
  if (!authDisabled) return [{ level: 'ok', message: `Authorization: ${authorization}` }]
  return [
    {
      level: 'warning',
      message: `AUTH_DISABLED=true: every caller that reaches ${host} may do everything`,
      remedy: 'Set JWT_JWKS_URL, or make sure that a gateway authenticates',
    },
  ]
}

async function diskFinding(dataDir: string): Promise<Finding> {
  try {
    // The data directory may not exist before the first start.
    const { bavail, bsize } = await statfs(dataDir).catch(() => statfs(path.dirname(dataDir)))
    const free = bavail * bsize
    const message = `${(free / 1e9).toFixed(1)} GB are free for the embedded database`
    if (free >= MIN_FREE_BYTES) return { level: 'ok', message }
    return { level: 'problem', message, remedy: `Free disk space, or move DATA_DIR (${dataDir})` }
  } catch (error) {
    const remedy = 'Set DATA_DIR to a folder that exists'
    return { level: 'problem', message: errorMessage(error), remedy }
  }
}

async function databaseResults(config: Config, log: Logger): Promise<readonly Finding[]> {
  try {
    await using database = await openCommandDatabase(config, { log, use: 'read' })
    const facts = await readDatabaseFacts(database.url, Date.now)
    const migrations = await migrationNames(fileURLToPath(MIGRATIONS))
    return databaseFindings(facts, { migrations, poolSize: config.databasePoolSize })
  } catch (error) {
    const remedy = 'The other checks of the database were skipped'
    return [{ level: 'problem', message: errorMessage(error), remedy }]
  }
}
