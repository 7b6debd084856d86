import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { kinds } from '../../src/hyperfleet/kinds/index.ts'
import { creation } from '../support/fixtures.ts'
import { proofSize } from '../support/proof-size.ts'
import { make as makeAt } from '../support/references.ts'
import { referringKinds } from '../support/referring-kinds.ts'
import { lockName, lockResource } from '../storage/row-lock.ts'
import type { TestResponse } from '../support/test-server.ts'
import { type Pair, startPair } from '../storage/two-servers.ts'

const CLIENTS = Array.from({ length: 50 }, (_, index) => index)
const ROUNDS = Array.from({ length: proofSize(10) }, (_, index) => index)

let pair: Pair

beforeAll(async () => {
  pair = await startPair({}, [...kinds, ...referringKinds])
})
afterAll(() => pair[Symbol.asyncDispose]())

const make = (collection: string, kind: string, fields: object = {}) =>
  makeAt(pair.at(0), collection, kind, fields)

/** References in the database from live resources to targets that are missing or being deleted. */
async function brokenReferences(): Promise<readonly object[]> {
  const { rows } = await pair.query(
    `select referrer.id, type, target_id
     from resources as referrer
     cross join jsonb_each(refs) as types (type, targets)
     cross join jsonb_array_elements_text(targets) as target_id
     left join resources as target on target.id = target_id
     where referrer.deleted_time is null and (target.id is null or target.deleted_time is not null)`,
  )
  return rows
}

/**
 * Expects one of two outcomes. Either the deletion succeeds and all other writes are rejected, or
 * the deletion is rejected, the other writes succeed and the target stays live.
 */
async function expectOneWinner(
  path: string,
  deletion: TestResponse,
  others: readonly TestResponse[],
) {
  expect(await brokenReferences()).toEqual([])
  const rejected = others.filter(({ status }) => status >= 400)
  for (const { status, body, text } of rejected) {
    expect([400, 409], text).toContain(status)
    expect(body.detail, text).toMatch(/not found|is being deleted/)
  }
  if (deletion.status === 409) {
    expect(deletion.body.code).toBe('HYPERFLEET-CNF-003')
    expect(rejected).toEqual([])
    expect((await pair.at(0).get(path)).body).not.toHaveProperty('deleted_time')
    return
  }
  expect(deletion.status, deletion.text).toBe(202)
  expect(rejected).toHaveLength(others.length)
}

describe('a create whose statement is running', () => {
  it.each([
    ['wif_config', '/wifconfigs', 'WifConfig'],
    ['network', '/networks', 'Network'],
  ])('locks its target: a deletion of the %s waits and is rejected', async (...target) => {
    const [type, collection, kind] = target
    const id = await make(collection, kind)
    const references = {
      wif_config: [{ id: await make('/wifconfigs', 'WifConfig') }],
      [type]: [{ id }],
    }
    const body = creation('Channel', { references })
    const held = await lockName(pair.servers[0].databaseUrl, 'Channel', body.name)
    const creating = pair.at(0).post('/channels', body)
    await held.awaited()
    const deleting = pair.at(1).request('DELETE', `${collection}/${id}`)
    await Promise.race([deleting, held.awaited(2)])
    await held[Symbol.asyncDispose]()
    expect((await creating).status).toBe(201)
    expect((await deleting).body).toMatchObject({ status: 409, code: 'HYPERFLEET-CNF-003' })
    expect(await brokenReferences()).toEqual([])
  })

  it.each([
    ['wif_config', '/wifconfigs', 'WifConfig', 400],
    ['network', '/networks', 'Network', 409],
  ])('waits for an earlier deletion of the %s and is rejected', async (...target) => {
    const [type, collection, kind, status] = target
    const id = await make(collection, kind)
    const references = {
      wif_config: [{ id: await make('/wifconfigs', 'WifConfig') }],
      [type]: [{ id }],
    }
    const held = await lockResource(pair.servers[0].databaseUrl, id)
    const deleting = pair.at(1).request('DELETE', `${collection}/${id}`)
    await held.awaited()
    const creating = pair.at(0).post('/channels', creation('Channel', { references }))
    await Promise.race([creating, held.awaited(2)])
    await held[Symbol.asyncDispose]()
    expect((await deleting).status).toBe(202)
    expect((await creating).status).toBe(status)
    expect(await brokenReferences()).toEqual([])
  })
})

describe('a PATCH whose statement is running', () => {
  it.each([
    ['wif_config', '/wifconfigs', 'WifConfig'],
    ['network', '/networks', 'Network'],
  ])('locks its target: a deletion of the %s waits and is rejected', async (...target) => {
    const [type, collection, kind] = target
    const [id, wif] = [await make(collection, kind), await make('/wifconfigs', 'WifConfig')]
    const channel = await make('/channels', 'Channel', {
      references: { wif_config: [{ id: wif }] },
    })
    const references = { wif_config: [{ id: wif }], [type]: [{ id }] }
    const held = await lockResource(pair.servers[0].databaseUrl, channel)
    const patching = pair.at(0).patch(`/channels/${channel}`, { references })
    await held.awaited()
    const deleting = pair.at(1).request('DELETE', `${collection}/${id}`)
    await Promise.race([deleting, held.awaited(2)])
    await held[Symbol.asyncDispose]()
    expect((await patching).status).toBe(200)
    expect((await deleting).body).toMatchObject({ status: 409, code: 'HYPERFLEET-CNF-003' })
    expect(await brokenReferences()).toEqual([])
  })
})

describe('two concurrent patches that make resources refer to each other', () => {
  it('both succeed, because the server retries the statement that PostgreSQL aborts', async () => {
    const network = await make('/networks', 'Network')
    const first = await make(`/networks/${network}/subnets`, 'Subnet')
    const second = await make(`/networks/${network}/subnets`, 'Subnet')
    const refer = (client: number, id: string, peer: string) =>
      pair.at(client).patch(`/subnets/${id}`, { references: { peer: [{ id: peer }] } })
    const held = await lockResource(pair.servers[0].databaseUrl, first, 'share')
    const patches = [refer(0, first, second)]
    await held.awaited()
    patches.push(refer(1, second, first))
    await held.awaited(2)
    await held[Symbol.asyncDispose]()
    for (const { status, body, text } of await Promise.all(patches)) {
      expect(status, text).toBe(200)
      expect(body.references.peer).toHaveLength(1)
    }
  })
})

describe('the writes of fifty clients that refer to a resource while it is deleted', () => {
  /** Later rounds start later, when the deletion has made more progress. */
  const createAll = async (round: number, references: object): Promise<readonly TestResponse[]> => {
    await sleep(2 * round)
    return Promise.all(
      CLIENTS.map((client) =>
        pair.at(client).post('/channels', creation('Channel', { references })),
      ),
    )
  }

  async function race(path: string, round: number, references: object): Promise<void> {
    const deleting = pair.at(round).request('DELETE', path)
    const responses = await createAll(round, references)
    await expectOneWinner(path, await deleting, responses)
  }

  it.each(ROUNDS)('all succeed or all fail if it is removed immediately (%i)', async (round) => {
    const wif = await make('/wifconfigs', 'WifConfig')
    await race(`/wifconfigs/${wif}`, round, { wif_config: [{ id: wif }] })
  })

  it.each(ROUNDS)('all succeed or all fail if it waits for adapters (%i)', async (round) => {
    const wif = await make('/wifconfigs', 'WifConfig')
    const network = await make('/networks', 'Network')
    const references = { wif_config: [{ id: wif }], network: [{ id: network }] }
    await race(`/networks/${network}`, round, references)
  })

  it.each(ROUNDS)('all succeed or all fail if they are patches (%i)', async (round) => {
    const references = { wif_config: [{ id: await make('/wifconfigs', 'WifConfig') }] }
    const channels = await Promise.all(
      CLIENTS.map(() => make('/channels', 'Channel', { references })),
    )
    const network = await make('/networks', 'Network')
    const deleting = pair.at(round).request('DELETE', `/networks/${network}`)
    await sleep(2 * round)
    const responses = await Promise.all(
      channels.map((id, client) =>
        pair
          .at(client)
          .request(
            'PATCH',
            `/channels/${id}`,
            { references: { network: [{ id: network }] } },
            { 'Content-Type': 'application/merge-patch+json' },
          ),
      ),
    )
    await expectOneWinner(`/networks/${network}`, await deleting, responses)
  })

  it.each(ROUNDS)('all succeed or all fail if its parent is deleted (%i)', async (round) => {
    const wif = await make('/wifconfigs', 'WifConfig')
    const network = await make('/networks', 'Network')
    const subnet = await make(`/networks/${network}/subnets`, 'Subnet')
    const references = { wif_config: [{ id: wif }], subnet: [{ id: subnet }] }
    await race(`/networks/${network}`, round, references)
  })
})
