import { statfs } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Config } from '../config.ts'
import { settingWarnings } from '../settings.ts'
import type { Kind } from '../../store/registry/kind.ts'
import { migrationNames } from '../../store/database/migrate.ts'
import { readDatabaseFacts } from '../../store/doctor/database-facts.ts'
import { errorMessage } from '../../lib/error-message.ts'
import type { Logger } from 'pino'
import { openCommandDatabase } from './command-database.ts'
import { databaseFindings, type Finding } from './database-findings.ts'
import type { MaintenanceCommand, MaintenanceContext } from './maintenance-command.ts'

const HELP = `Usage: flotilla doctor

Checks the settings, the machine, the database and the servers of this installation, and lists
problems with their remedies. Exits with 1 if it finds a problem; warnings do not count.

The database is that of DATABASE_URL, or the embedded one in DATA_DIR.
`

const MARKS = { ok: 'ok     ', warning: 'warning', problem: 'PROBLEM' } as const
const MIN_FREE_BYTES = 1e9
const MIGRATIONS = new URL('../../../prisma/migrations', import.meta.url)

/** Checks the installation. */
export const doctor: MaintenanceCommand = { name: 'doctor', help: HELP, run: examine }

async function examine({ config, kinds, log }: MaintenanceContext): Promise<number> {
  const findings = [
    ...settingFindings(kinds),
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
function settingFindings(kinds: readonly Kind[]): readonly Finding[] {
  const lines = settingWarnings(kinds)
  if (lines.length === 0) return [{ level: 'ok', message: 'The settings are valid' }]
  const remedy = 'Correct or remove the environment variable: see docs/configuration.md'
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
    await using database = await openCommandDatabase(config, { log, use: 'existing' })
    const facts = await readDatabaseFacts(database.url, Date.now)
    const migrations = await migrationNames(fileURLToPath(MIGRATIONS))
    // A pooler limits the connections of the pools itself.
    const poolSize = config.databaseDirectUrl === null ? config.databasePoolSize : 0
    return databaseFindings(facts, { migrations, poolSize })
  } catch (error) {
    const remedy = 'The other checks of the database were skipped'
    return [{ level: 'problem', message: errorMessage(error), remedy }]
  }
}
