import type { MoveCommands } from '../../src/cmd/maintenance/shard-moves.ts'
import { encodeTenant } from '../../src/access/tenant.ts'
import type { Database } from '../../src/store/database/database.ts'
import { must } from '../../src/lib/assert.ts'
import { openTestDatabase } from '../support/open-test-database.ts'
import { startShards, type TestShard } from './shard-servers.ts'

/** The shards `a` and `b`, between which tenants move. */
export interface MovableShards extends AsyncDisposable {
  readonly directory: Database
  readonly a: TestShard
  readonly b: TestShard
  readonly commands: MoveCommands
}

/** Starts two shards, and opens their directory for the commands of moves. */
export async function startMovableShards(): Promise<MovableShards> {
  const { directoryUrl, shards, ...installation } = await startShards(['a', 'b'])
  const directory = openTestDatabase(directoryUrl)
  const [a, b] = shards
  return {
    directory,
    a: must(a, 'a shard'),
    b: must(b, 'a shard'),
    commands: {
      directory,
      directoryUrl,
      open: (url) => openTestDatabase(url),
      print: () => undefined,
    },
    [Symbol.asyncDispose]: async () => {
      await directory[Symbol.asyncDispose]()
      await installation[Symbol.asyncDispose]()
    },
  }
}

/** The tenant of an organization's project `web`. */
export function tenantOf(org: string): string {
  return encodeTenant({ org, project: 'web' })
}
