import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { catchUp } from '../feed/catch-up.ts'
import { startTestServer, type TestServer } from '../support/test-server.ts'
import { createFleet, type TestFleet } from './members/member-fixtures.ts'

const FLEETS = '/apis/kplane.dev/v1/fleets'

let server: TestServer
let fleet: TestFleet

beforeAll(async () => {
  server = await startTestServer()
  fleet = await createFleet(server, 'endpoints', { replicas: 3, namePrefix: 'ep-' })
  await fleet.converge()
  // A watch sends a change that is logged after it has begun.
  await catchUp(server.feed)
})
afterAll(() => server[Symbol.asyncDispose]())

interface Event {
  readonly type: string
  // oxlint-disable-next-line typescript/no-explicit-any -- tests read any member of an object
  readonly object: any
}

/** The events of a response, until it ends. */
async function* eventsOf(response: Response): AsyncGenerator<Event> {
  let rest = ''
  for await (const chunk of response.body ?? []) {
    const lines = (rest + Buffer.from(chunk).toString()).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) {
      const event: Event = JSON.parse(line)
      yield event
    }
  }
}

/** A running watch of the members. */
async function watch(query: string) {
  const path = `${FLEETS}/${fleet.name}/members?watch=true${query}`
  const events = eventsOf(await fetch(server.origin + path))
  return {
    /** The next events, without bookmarks. */
    next: async (count: number): Promise<readonly Event[]> => {
      const found: Event[] = []
      while (found.length < count) {
        const { value, done } = await events.next()
        if (done === true) break
        if (value.type !== 'BOOKMARK') found.push(value)
      }
      return found
    },
    rest: async (): Promise<readonly Event[]> => {
      const found: Event[] = []
      for await (const event of events) found.push(event)
      return found
    },
    [Symbol.asyncDispose]: async () => {
      await events.return(undefined)
    },
  }
}

describe('the list of members', () => {
  it('has pages in desired order', async () => {
    const first = await fleet.api.call('GET', `${FLEETS}/endpoints/members?limit=2`)
    expect(first.body).toMatchObject({
      apiVersion: 'kplane.dev/v1',
      kind: 'FleetMemberList',
      metadata: { remainingItemCount: 1 },
      items: [
        { clusterID: 'ep-0000', phase: 'Ready' },
        { clusterID: 'ep-0001', phase: 'Ready' },
      ],
    })
    const token = encodeURIComponent(first.body.metadata.continue)
    const path = `${FLEETS}/endpoints/members?limit=2&continue=${token}`
    const { body } = await fleet.api.call('GET', path)
    expect(body.items).toMatchObject([{ clusterID: 'ep-0002' }])
    expect(body.metadata.continue).toBeUndefined()
  })

  it('selects by phase and rejects unknown phases', async () => {
    const pending = await fleet.api.call('GET', `${FLEETS}/endpoints/members?phase=Pending`)
    expect(pending.body.items).toEqual([])
    const unknown = await fleet.api.call('GET', `${FLEETS}/endpoints/members?phase=Gone`)
    expect(unknown).toMatchObject({ status: 400, body: { kind: 'Status' } })
  })

  it('rejects tokens that no page returned', async () => {
    const { uid } = (await fleet.api.get('endpoints')).body.metadata
    for (const name of ['\0', 1]) {
      const token = Buffer.from(JSON.stringify({ fleet: uid, index: null, name })).toString(
        'base64url',
      )
      const path = `${FLEETS}/endpoints/members?continue=${token}`
      const { status, body } = await fleet.api.call('GET', path)
      expect({ status, reason: body.reason }).toEqual({ status: 400, reason: 'BadRequest' })
    }
  })

  it('of a missing Fleet is 404', async () => {
    const { status, body } = await fleet.api.call('GET', `${FLEETS}/missing/members`)
    expect({ status, reason: body.reason }).toEqual({ status: 404, reason: 'NotFound' })
  })
})

describe('a watch of members', () => {
  it('sends the members, then their changes', async () => {
    await using watched = await watch('')
    const members = await watched.next(3)
    expect(members).toMatchObject([
      { type: 'ADDED', object: { kind: 'FleetMember', metadata: { name: 'ep-0000' } } },
      { type: 'ADDED', object: { clusterID: 'ep-0001', phase: 'Ready' } },
      { type: 'ADDED', object: { clusterID: 'ep-0002' } },
    ])
    const { body } = await fleet.post('claim', { holder: 'watcher', clusterID: 'ep-0001' })
    const [change] = await watched.next(1)
    expect(change).toMatchObject({
      type: 'MODIFIED',
      object: { clusterID: 'ep-0001', claim: { holder: 'watcher' } },
    })
    expect(Number(change?.object.metadata.resourceVersion)).toBeGreaterThan(0)
    const { clusterID, claimID } = body
    await fleet.api.call('POST', `${FLEETS}/endpoints/release`, {
      clusterID,
      claimID,
      // oxlint-disable-next-line unicorn/no-thenable -- a field of the API
      then: 'Keep',
    })
    expect(await watched.next(1)).toMatchObject([{ type: 'MODIFIED', object: { clusterID } }])
  })

  it('continues after the resource version of a list', async () => {
    const list = await fleet.api.call('GET', `${FLEETS}/endpoints/members`)
    await using watched = await watch(`&resourceVersion=${list.body.metadata.resourceVersion}`)
    await fleet.post('claim', { holder: 'later', clusterID: 'ep-0002' })
    expect(await watched.next(1)).toMatchObject([
      { type: 'MODIFIED', object: { clusterID: 'ep-0002', claim: { holder: 'later' } } },
    ])
  })

  it('R19: ends after timeoutSeconds, with a bookmark if the client wants one', async () => {
    await using watched = await watch('&timeoutSeconds=6&allowWatchBookmarks=true')
    const events = await watched.rest()
    expect(events.slice(0, 3).map(({ type }) => type)).toEqual(['ADDED', 'ADDED', 'ADDED'])
    expect(events.at(-1)).toMatchObject({ type: 'BOOKMARK', object: { kind: 'FleetMember' } })
  })

  it('of a missing Fleet is 404', async () => {
    const path = `${FLEETS}/missing/members?watch=true`
    expect((await fleet.api.call('GET', path)).status).toBe(404)
  })

  it('R18: from a version of the future is 504', async () => {
    const path = `${FLEETS}/endpoints/members?watch=true&resourceVersion=999999999`
    const { status, body } = await fleet.api.call('GET', path)
    expect({ status, reason: body.reason }).toEqual({ status: 504, reason: 'Timeout' })
  })
})

describe('a subresource of a fleet', () => {
  it('rejects a body that violates its schema with every path', async () => {
    const body = { ttlSeconds: 0, createOnEmpty: 'yes' }
    const { status, body: failure } = await fleet.post('claim', body)
    expect(status).toBe(422)
    const fields = failure.details.causes.map((cause: { field: string }) => cause.field)
    expect(fields.toSorted()).toEqual(['createOnEmpty', 'holder', 'ttlSeconds'])
  })

  it('rejects a request without a body with 400', async () => {
    expect((await fleet.api.call('POST', `${FLEETS}/endpoints/claim`)).status).toBe(400)
  })

  it('rejects a dry run, which could not claim anything', async () => {
    const path = `${FLEETS}/endpoints/claim?dryRun=All`
    const { status, body } = await fleet.api.call('POST', path, { holder: 'a' })
    expect({ status, message: body.message }).toEqual({
      status: 400,
      message: 'dryRun is not supported by claim',
    })
  })

  it.each(['GET', 'PUT', 'PATCH', 'DELETE'])('rejects %s of claim with 405', async (method) => {
    const body = method === 'GET' ? undefined : {}
    const { status } = await fleet.api.call(method, `${FLEETS}/endpoints/claim`, body)
    expect(status).toBe(405)
  })

  it('is 404 if the Fleet is missing or the name is unknown', async () => {
    const claim = { holder: 'a' }
    expect((await fleet.api.call('POST', `${FLEETS}/missing/claim`, claim)).status).toBe(404)
    expect((await fleet.api.call('POST', `${FLEETS}/endpoints/lend`, claim)).status).toBe(404)
  })

  it('of the controller fails for another generation of the Fleet', async () => {
    const { uid, generation } = await fleet.ref()
    const stale = { uid, generation: generation - 1, names: ['ep-0009'] }
    expect(await fleet.post('members', stale)).toMatchObject({ status: 409 })
    expect((await fleet.post('comparison', { uid, generation })).body).toMatchObject({
      wanted: 3,
      missing: [],
      nextExpiry: null,
    })
  })

  it('is part of discovery and of the OpenAPI document of the plane', async () => {
    const { body } = await fleet.api.call('GET', '/apis/kplane.dev/v1')
    expect(body.resources).toContainEqual(
      expect.objectContaining({ name: 'fleets/members', verbs: ['create', 'list', 'watch'] }),
    )
    const document = await fleet.api.call('GET', '/openapi/v3/apis/kplane.dev/v1')
    const { paths, components } = document.body
    const { post } = paths[`${FLEETS}/{name}/claim`]
    expect(JSON.stringify(post.requestBody)).toContain('dev.kplane.v1.FleetClaimRequest')
    expect(components.schemas).toHaveProperty(['dev.kplane.v1.FleetClaim'])
    expect(Object.keys(paths[`${FLEETS}/{name}`].patch.requestBody.content)).not.toContain(
      'application/strategic-merge-patch+json',
    )
  })
})
