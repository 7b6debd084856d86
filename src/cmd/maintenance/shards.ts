import { readShardName } from '../../store/model/shard-name.ts'
import { formatTenant } from '../../access/tenant.ts'
import type { Database } from '../../store/database/database.ts'
import { placeTenant, saveShard, setAcceptsTenants } from '../../shards/storage/directory.ts'
import { parseDatabaseUrl } from '../../lib/database-url.ts'
import { SettingError } from '../../lib/setting-error.ts'
import { applyMigrations } from '../../capability/apply-migrations.ts'
import { openDirectoryDatabase } from '../../shards/open-directory-database.ts'
import {
  failUsage,
  type MaintenanceCommand,
  type MaintenanceContext,
} from './maintenance-command.ts'
import { forget } from './forget-tenants.ts'
import { keepIn } from './keep-tenant.ts'
import { printShards } from './print-shards.ts'
import { abortMoveOf, type MoveCommands, moveTo, printMoves, resumeMoves } from './shard-moves.ts'
import { readTenant } from '../../access/tenant-argument.ts'

const NAME = 'shards'

const HELP = `Usage: flotilla shards list [--empty]
       flotilla shards add NAME DATABASE_URL SERVER_URL...
       flotilla shards open NAME | close NAME
       flotilla shards place TENANT NAME
       flotilla shards move TENANT NAME
       flotilla shards moves | resume | abort TENANT
       flotilla shards keep TENANT NAME
       flotilla shards forget TENANT...

Manages the directory of shards in SHARD_DIRECTORY_URL.

  list   prints the shards with the number of their tenants, and the tenants whose writes are frozen;
         with --empty, the tenants without resources instead
  add    adds a shard, or replaces its URLs; a closed shard stays closed
  close  places no new tenants in a shard; open allows it again
  place  chooses the shard of a tenant before its first request
  move   moves a tenant with all of its data to another shard; its writes get 503 meanwhile
  moves  prints the unfinished moves, which resume finishes
  abort  ends an unfinished move, even if its process is paused or lost: undoes it until the tenant
         is assigned to its new shard, and finishes it afterwards
  keep   after a restore, ends a contradiction about a tenant: keeps its data in this shard, and
         deletes its data in all others
  forget removes tenants without resources; the next request of such a tenant places it again

TENANT is written as org=acme,project=web, with special characters percent-encoded (%2C is a
comma). DATABASE_URL may omit the password: set PGPASSWORD or PGPASSFILE instead.
`

/** Manages shards and their tenants. */
export const shards: MaintenanceCommand = {
  name: NAME,
  help: HELP,
  takesWords: true,
  flags: ['empty'],
  run: runShards,
}

interface Context extends MoveCommands {
  readonly words: readonly string[]
  /** Whether to list the tenants without resources. */
  readonly showsEmpty: boolean
}

type Action = (context: Context) => Promise<void>

const ACTIONS: Readonly<Record<string, Action>> = {
  list: (context) => printShards(context, context),
  add,
  open: (context) => setAccepts(context, true),
  close: (context) => setAccepts(context, false),
  place,
  move: (context) => moveTo(context, ...tenantAndName(context.words)),
  keep: (context) => keepIn(context, ...tenantAndName(context.words)),
  forget: ({ words, ...commands }) => forget(commands, tenantsIn(words)),
  moves: printMoves,
  resume: resumeMoves,
  abort: ({ words, ...commands }) => abortMoveOf(commands, tenantIn(words)),
}

async function runShards({ config, log, words, flags }: MaintenanceContext): Promise<number> {
  const [verb = '', ...rest] = words
  const action = Object.hasOwn(ACTIONS, verb) ? ACTIONS[verb] : undefined
  if (!action)
    failUsage({ name: NAME }, verb === '' ? 'a command is missing' : `unknown command '${verb}'`)
  const showsEmpty = flags.has('empty')
  if (showsEmpty && verb !== 'list') failUsage({ name: NAME }, '--empty belongs to list')
  if (config.shardDirectoryUrl === null) {
    throw new SettingError('SHARD_DIRECTORY_URL is not set: it names the database of the directory')
  }
  const url = config.shardDirectoryUrl
  const openFew = (databaseUrl: string): Database =>
    openDirectoryDatabase(config, databaseUrl, {
      observe: () => undefined,
      onIdleError: (error) => log.warn({ err: error }, 'an idle database connection broke'),
    })
  await using directory = openFew(url)
  await applyMigrations(directory, { log })
  await action({ directory, directoryUrl: url, open: openFew, print, words: rest, showsEmpty })
  return 0
}

async function add({ directory, words }: Context): Promise<void> {
  const [name, database, ...servers] = words
  if (name === undefined || database === undefined || servers.length === 0) {
    failUsage({ name: NAME }, 'add needs NAME DATABASE_URL SERVER_URL...')
  }
  // A database URL can contain a password, so the message does not repeat it.
  if (parseDatabaseUrl(database) === null) throw notUrl('postgresql://user@host:5432/name')
  for (const server of servers) {
    if (!/^https?:\/\//i.test(server) || !URL.canParse(server)) throw notUrl('http://host:8000')
  }
  const origins = servers.map((server) => new URL(server).origin)
  await saveShard(directory, { name: readShardName(name), database, servers: origins })
  print(`The directory has the shard ${name}.`)
}

function notUrl(example: string): SettingError {
  return new SettingError(`an argument is not a URL such as ${example}`)
}

async function setAccepts({ directory, words: [name] }: Context, accepts: boolean): Promise<void> {
  if (name === undefined) failUsage({ name: NAME }, 'NAME is missing')
  if (!(await setAcceptsTenants(directory, name, accepts))) {
    throw new SettingError(`the directory has no shard '${name}'`)
  }
}

async function place({ directory, words }: Context): Promise<void> {
  const [tenant, name] = tenantAndName(words)
  const shard = await placeTenant(directory, tenant, name)
  if (shard === name) {
    print(`${formatTenant(tenant)} is in ${name}.`)
    return
  }
  throw new SettingError(
    shard === null
      ? `no open shard has the name '${name}'`
      : `the tenant is in ${shard} already: flotilla shards move changes that`,
  )
}

function tenantAndName(words: readonly string[]): readonly [tenant: string, name: string] {
  const [, name] = words
  const tenant = tenantIn(words)
  if (name === undefined) failUsage({ name: NAME }, 'NAME is missing')
  return [tenant, name]
}

function tenantIn([text]: readonly string[]): string {
  if (text === undefined) failUsage({ name: NAME }, 'TENANT is missing')
  return readTenant(text)
}

function tenantsIn(words: readonly string[]): readonly string[] {
  if (words.length === 0) failUsage({ name: NAME }, 'TENANT is missing')
  return [...new Set(words.map(readTenant))]
}

function print(line: string): void {
  process.stdout.write(`${line}\n`)
}
