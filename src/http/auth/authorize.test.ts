import type { Request, Response } from 'express'
import { expect, it } from 'vitest'
import {
  type Access,
  type Authorizer,
  type Decision,
  tenancyAuthorizer,
} from '../../access/authorizer.ts'
import { type Caller, type Tenancy, UNBOUNDED } from '../../access/principal.ts'
import type { Route } from '../server/route-table.ts'
import { createRouter } from '../server/route-table.ts'
import { serveApp } from '../server/fixtures.ts'
import { withAuthorization } from './authorize.ts'
import { setCaller } from './caller.ts'

function callerWith(tenancy: Tenancy): Caller {
  return {
    user: 'ada',
    groups: ['sre'],
    issuer: null,
    keyId: null,
    expiresAt: null,
    bounds: UNBOUNDED,
    isRevoked: () => false,
    tenancy,
    isFromGateway: false,
  }
}

const ACCESS: Access = { verb: 'delete', resource: 'clusters', subresource: null }

/** The status of a request to a route with this access, and how often its handler ran. */
async function request(
  authorizer: Authorizer,
  access: Access | null,
): Promise<{ status: number; detail: unknown; runs: number }> {
  let runs = 0
  const route: Route & { public: boolean; access: Access | null } = {
    method: 'get',
    path: '/it',
    template: '/it',
    public: false,
    access,
    handlers: [
      (_request: Request, response: Response) => {
        runs += 1
        response.json({})
      },
    ],
  }
  await using server = await serveApp((app) => {
    app.use((_request, response, next) => {
      setCaller(response, callerWith({ type: 'none' }))
      next()
    })
    app.use(createRouter([withAuthorization(route, authorizer)]))
  })
  const response = await fetch(`${server.url}/it`)
  const { detail } = JSON.parse(await response.text())
  return { status: response.status, detail, runs }
}

function always(decision: Decision | Promise<Decision>): Authorizer {
  return { isDetailed: false, authorize: () => decision }
}

const DENIED: Decision = { isAllowed: false, reason: 'not today' }

it.each([
  ['immediately', always(DENIED)],
  ['later', always(Promise.resolve(DENIED))],
])('rejects a request that the authorizer denies %s', async (_when, authorizer) => {
  expect(await request(authorizer, ACCESS)).toEqual({ status: 403, detail: 'not today', runs: 0 })
})

it.each([
  ['immediately', always({ isAllowed: true })],
  ['later', always(Promise.resolve({ isAllowed: true }))],
])('runs the handler of a request that the authorizer allows %s', async (_when, authorizer) => {
  expect(await request(authorizer, ACCESS)).toMatchObject({ status: 200, runs: 1 })
})

it('passes the caller and the operation to the authorizer', async () => {
  const calls: unknown[] = []
  const authorizer: Authorizer = {
    isDetailed: false,
    authorize: ({ user, groups }, access) => {
      calls.push({ user, groups, access })
      return { isAllowed: true }
    },
  }
  await request(authorizer, ACCESS)
  expect(calls).toEqual([{ user: 'ada', groups: ['sre'], access: ACCESS }])
})

it('does not call the authorizer for a route without access rules', async () => {
  expect(await request(always(DENIED), null)).toMatchObject({ status: 200 })
})

it.each([
  ['get', null, true],
  ['list', 'statuses', true],
  ['update', 'statuses', true],
  ['create', null, false],
  ['delete', null, false],
] as const)('lets a system caller %s (%s): %s', async (verb, subresource, isAllowed) => {
  const access = { verb, resource: 'clusters', subresource }
  const system = callerWith({ type: 'system' })
  expect(await tenancyAuthorizer.authorize(system, access)).toMatchObject({ isAllowed })
  const tenant = callerWith({ type: 'tenant', tenant: 'acme' })
  expect(await tenancyAuthorizer.authorize(tenant, access)).toEqual({ isAllowed: true })
})

it('passes the name and distinguishes watches if the authorizer needs details', async () => {
  const calls: Access[] = []
  const authorizer: Authorizer = {
    isDetailed: true,
    authorize: (_caller, access) => {
      calls.push(access)
      return { isAllowed: true }
    },
  }
  const listing: Access = { verb: 'list', resource: 'clusters', subresource: 'statuses' }
  const route = {
    method: 'get',
    path: '/clusters/:id/statuses',
    template: '/clusters/{id}/statuses',
    public: false,
    access: listing,
    nameParameter: 'id',
    handlers: [(_request: Request, response: Response) => void response.json({})],
  } as const
  await using server = await serveApp((app) => {
    app.use((_request, response, next) => {
      setCaller(response, callerWith({ type: 'none' }))
      next()
    })
    app.use(createRouter([withAuthorization(route, authorizer)]))
  })
  for (const query of ['', '?watch=false', '?watch=true', '?watch=1&watch=true']) {
    await fetch(`${server.url}/clusters/a%20b/statuses${query}`)
  }
  const named = { ...listing, name: 'a b' }
  const watching = { ...named, verb: 'watch' }
  expect(calls).toEqual([named, named, watching, watching])
})
