import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { BASE_PATH } from '../../../../src/hyperfleet/paths/base-path.ts'
import { keySetOf } from '../../../../src/http/auth/fixtures.ts'
import { must } from '../../../../src/lib/assert.ts'
import { startShardedServers } from '../../shards/sharded-servers.ts'
import { assertStatus, sendRaw } from '../raw-request.ts'
import { createIssuers } from '../two-issuers/issuers.ts'

export type Headers = readonly (readonly [name: string, value: string])[]

/** Two shards whose servers need a token. The tenant `acme` is in the second one. */
export interface TwoShards extends AsyncDisposable {
  /** The origins of the servers of the first and of the second shard. */
  readonly origins: readonly string[]
  /** The header of a valid token. */
  readonly token: Headers[number]
  /** A cluster of the tenant `acme`. */
  readonly clusterId: string
  /** Runs `flotilla shards` and returns its output. */
  command(...words: readonly string[]): Promise<string>
}

export function tenant(org: string): Headers[number] {
  return ['X-Tenant-Org', org]
}

export async function startTwoShards(postgresUrl: string): Promise<TwoShards> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'flotilla-shards-'))
  const file = path.join(folder, 'keys.json')
  const issuers = createIssuers()
  await writeFile(file, keySetOf(issuers.mainKey))
  const env = { JWT_JWKS_FILE: file }
  const servers = await startShardedServers(postgresUrl, { names: ['a', 'b'], env })
  const dispose = async (): Promise<void> => {
    await servers[Symbol.asyncDispose]()
    await rm(folder, { recursive: true, force: true })
  }
  const command: TwoShards['command'] = async (...words) => {
    const program = servers.command(words)
    const code = await program.exited
    if (code !== 0) throw new Error(`flotilla shards ${words.join(' ')}: ${program.errors()}`)
    return program.output()
  }
  try {
    await command('place', 'org=acme', 'b')
    const token = ['Authorization', issuers.main({ sub: 'ada' })] as const
    const origins = servers.shards.map(({ origin }) => origin)
    const created = await sendRaw(must(origins[0], 'a server'), {
      method: 'POST',
      target: `${BASE_PATH}/clusters`,
      headers: [token, tenant('acme'), ['Content-Type', 'application/json']],
      body: { kind: 'Cluster', name: 'prod', spec: {} },
    })
    assertStatus(created, 201)
    const clusterId: string = JSON.parse(created.text).id
    return { origins, token, clusterId, command, [Symbol.asyncDispose]: dispose }
  } catch (error) {
    await dispose()
    throw error
  }
}
