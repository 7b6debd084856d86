import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { beginFollowing, finish, follow } from '../../import/follow.ts'
import { openForWrites } from '../../import/storage/write-guard.ts'
import { openApiSource } from '../../import/open-api-source.ts'
import { openFileSource } from '../../import/open-file-source.ts'
import { formatFinding } from '../../import/finding.ts'
import {
  type ImportOptions,
  type ImportParts,
  importResources,
} from '../../import/import-resources.ts'
import { ImportError } from '../../import/import-error.ts'
import type { Totals } from '../../import/import-page.ts'
import type { Source } from '../../import/source.ts'
import { openDatabaseSource } from '../../import/storage/open-database-source.ts'
import { applyMigrations } from '../../capability/apply-migrations.ts'
import { parseDatabaseUrl } from '../../lib/database-url.ts'
import { openDatabase } from '../../store/database/open-database.ts'
import { loadRegistry } from '../create-foundation.ts'
import { openCommandDatabase } from './command-database.ts'
import {
  failUsage,
  type MaintenanceCommand,
  type MaintenanceContext,
} from './maintenance-command.ts'

const NAME = 'import'
const POOL_SIZE = 2
/** Unlike a request, a command can wait for a busy machine. */
const CONNECT_TIMEOUT_MS = 60_000
const FOLLOW_PAUSE_MS = 5000

const HELP = `Usage: flotilla import hyperfleet --from SOURCE [--dry-run | --verify | --replace]
       flotilla import hyperfleet --from SOURCE --follow | --finish | --abort

Imports the resources of a HyperFleet server with their reports: IDs, generations, conditions, times,
actors, labels, deletions in progress, references and tenancy stay as they are. Nothing is written to
the source. The target is the database of DATABASE_URL, or the embedded one in DATA_DIR; its servers
can run meanwhile. Repeat the command to continue an import that was interrupted.

Prints what does not fit, one line each, then compares both sides. Exits with 1 if resources are
missing or different in the target.

  --from       postgresql://user:password@host:5432/name, the database of HyperFleet v0.1 or later;
               https://host, its API, of which only GET is used; or a file of flotilla export
  --token-file a file with the bearer token for the API
  --dry-run    write nothing
  --verify     write nothing, and only compare both sides
  --replace    also overwrite resources of the target that differ from the source
  --follow     mirror the source until --finish: additions, changes and removals. Until then, the
               servers of the target are readable, and writes to them are 409
  --finish     copy the last changes, compare both sides, and open the target for writes if they are
               equal; stop the source first
  --abort      open the target for writes as it is
`

/** Imports the resources of another product. */
export const importFrom: MaintenanceCommand = {
  name: NAME,
  help: HELP,
  flags: ['dry-run', 'verify', 'replace', 'follow', 'finish', 'abort'],
  options: ['from', 'token-file'],
  takesWords: true,
  run: runImport,
}

/** The parts of one import. */
interface Parts extends ImportParts {
  readonly options: Omit<ImportOptions, 'mode'>
}

async function runImport(context: MaintenanceContext): Promise<number> {
  const { config, kinds, log, words, values } = context
  const mode = modeOf(context)
  if (words.length !== 1 || words[0] !== 'hyperfleet') {
    failUsage({ name: NAME }, `expected 'hyperfleet'`)
  }
  const from = values.get('from') ?? failUsage({ name: NAME }, '--from is missing')
  const registry = await loadRegistry(config, kinds)
  await using source = await openSource(from, values.get('token-file') ?? null)
  await using target = await openCommandDatabase(config, { log, use: 'existing' })
  await using database = openDatabase({
    url: target.url,
    poolSize: POOL_SIZE,
    statementTimeoutMs: config.statementTimeoutMs,
    connectTimeoutMs: CONNECT_TIMEOUT_MS,
    observe: () => undefined,
    onIdleError: (error) => log.warn({ err: error }, 'an idle database connection broke'),
  })
  await applyMigrations(database, { log })
  console.error(`From ${source.title}`)
  const options = {
    dimensions: config.tenantHeaders.map(({ dimension }) => dimension),
    onFinding: printOnce(),
    onProgress: showProgress(),
  } satisfies Omit<ImportOptions, 'mode'>
  const parts = { database, source, registry, options }
  if (mode === 'follow') return await followSource(parts)
  if (mode === 'finish') return await finishImport(parts)
  if (mode === 'abort') {
    await openForWrites(database)
    console.error('The target is open for writes')
    return 0
  }
  if (mode === 'verify') return await verify(parts)
  const totals = await importResources(parts, {
    ...options,
    mode,
    // The verification repeats the differences.
    onFinding: (finding) => {
      if (mode === 'dry-run' || finding.effect !== 'differs') options.onFinding(finding)
    },
  })
  printTotals(mode, totals)
  return mode === 'dry-run' ? codeOf(totals) : Math.max(await verify(parts), codeOf(totals))
}

/** Until the process ends, or --finish or --abort opens the target. */
async function followSource(parts: Parts): Promise<number> {
  await beginFollowing(parts)
  console.error('Writes to the target are 409 until --finish. Ctrl-C pauses, --follow continues.')
  await follow(parts, {
    pause: () => sleep(FOLLOW_PAUSE_MS, true),
    onPass: ({ written, replaced, skipped, different }, removed) => {
      const changes = written + replaced + removed
      if (changes === 0) return
      const problems = `${skipped} skipped, ${different} different`
      console.error(
        `${new Date().toISOString()}  ${written} added, ${replaced} changed, ${removed} removed, ${problems}`,
      )
    },
  })
  console.error('The target is open for writes')
  return 0
}

async function finishImport(parts: Parts): Promise<number> {
  if (await finish(parts)) {
    console.error('Both sides are equal. The target is open for writes.')
    return 0
  }
  console.error('Both sides differ, and the target stays closed: stop the source, and repeat')
  return 1
}

const MODES = ['dry-run', 'verify', 'replace', 'follow', 'finish', 'abort'] as const

function modeOf({ flags }: MaintenanceContext): (typeof MODES)[number] | 'insert' {
  const given = MODES.filter((flag) => flags.has(flag))
  if (given.length > 1) failUsage({ name: NAME }, `--${given.join(' and --')} exclude each other`)
  return given[0] ?? 'insert'
}

async function openSource(from: string, tokenFile: string | null): Promise<Source> {
  if (parseDatabaseUrl(from) !== null) return openDatabaseSource(from)
  if (/^https?:\/\//.test(from) && URL.canParse(from)) {
    const token = tokenFile === null ? null : (await readFile(tokenFile, 'utf8')).trim()
    return openApiSource({ url: from, token })
  }
  if (existsSync(from)) return openFileSource(from)
  throw new ImportError(
    '--from: expected postgresql://user:password@host:5432/name, https://host, or an existing file',
  )
}

async function verify(parts: Parts): Promise<number> {
  const { options } = parts
  const totals = await importResources(parts, {
    ...options,
    mode: 'verify',
    onFinding: (finding) => {
      if (finding.effect === 'differs') options.onFinding(finding)
    },
  })
  console.error(`Compared ${totals.read}: ${totals.same} are the same, ${totals.different} differ`)
  return codeOf(totals)
}

function printTotals(mode: ImportOptions['mode'], totals: Totals): void {
  const { read, written, replaced, same, skipped, different } = totals
  const wrote = mode === 'dry-run' ? 'would be imported' : 'imported'
  console.error(
    `Read ${read}: ${written} ${wrote}, ${replaced} replaced, ${same} unchanged, ${different} different, ${skipped} skipped`,
  )
}

function codeOf({ skipped, different }: Totals): number {
  return skipped + different === 0 ? 0 : 1
}

/** Passes of a follower repeat their findings. */
function printOnce(): ImportOptions['onFinding'] {
  const printed = new Set<string>()
  return (finding) => {
    const line = formatFinding(finding)
    if (printed.has(line)) return
    printed.add(line)
    console.log(line)
  }
}

/** Prints a line per 10 000 resources. */
function showProgress(): (kind: string, read: number) => void {
  let shown = 0
  return (kind, read) => {
    const thousands = Math.floor(read / 10_000)
    if (thousands > 0 && thousands !== shown) console.error(`  ${kind.padEnd(24)} ${read}`)
    shown = thousands
  }
}
