import { IncomingMessage } from 'node:http'
import { Socket } from 'node:net'
import { expect, it } from 'vitest'
import { type Caller, UNBOUNDED } from '../../access/principal.ts'
import { FlotillaError } from '../../lib/errors.ts'
import { createRateLimits, type RateLimitSettings } from './rate-limits.ts'

const CALLER: Caller = {
  user: 'ada@example.com',
  groups: [],
  issuer: 'https://issuer.example.com',
  keyId: null,
  expiresAt: Date.UTC(2030, 0, 1),
  bounds: UNBOUNDED,
  isRevoked: () => false,
  tenancy: { type: 'none' },
  isFromGateway: false,
}
const ANONYMOUS: Caller = { ...CALLER, user: 'system@hyperfleet.local', expiresAt: null }

function requestFrom(address: string, method = 'GET'): IncomingMessage {
  const socket = new Socket()
  Object.defineProperty(socket, 'remoteAddress', { value: address })
  const request = new IncomingMessage(socket)
  request.method = method
  return request
}

function limitsWith(changes: Partial<RateLimitSettings> = {}) {
  const settings: RateLimitSettings = {
    rateLimitReads: 1,
    rateLimitWrites: 0,
    rateLimitBurstSeconds: 2,
    rateLimitExempt: [],
    ...changes,
  }
  const limited: string[] = []
  const limits = createRateLimits({
    settings: () => settings,
    clientAddress: ({ socket }) => socket.remoteAddress ?? '',
    onLimited: (scope) => limited.push(scope),
    now: () => 0,
  })
  const send = (caller: Caller | null, address = '192.0.2.1', method = 'GET'): string => {
    try {
      limits.requireAllowed(requestFrom(address, method), caller)
      return 'allowed'
    } catch (error) {
      return error instanceof FlotillaError ? error.reason : 'bug'
    }
  }
  return { limits, limited, send }
}

const LIMITED = ['allowed', 'allowed', 'too-many-requests']

it('limits a caller on all its addresses', () => {
  const { limited, send } = limitsWith()
  expect([send(CALLER, '192.0.2.1'), send(CALLER, '192.0.2.2'), send(CALLER, '192.0.2.3')]).toEqual(
    LIMITED,
  )
  expect(limited).toEqual(['read'])
})

it('limits callers on one address separately, and those without an identity together', () => {
  const { send } = limitsWith()
  const other = { ...CALLER, user: 'bob@example.com' }
  expect([send(CALLER), send(CALLER), send(CALLER)]).toEqual(LIMITED)
  expect(send(other)).toBe('allowed')
  expect([send(ANONYMOUS), send(null), send(ANONYMOUS)]).toEqual(LIMITED)
  expect(send(ANONYMOUS, '192.0.2.2')).toBe('allowed')
})

it('counts the addresses of one IPv6 network together', () => {
  const { send } = limitsWith()
  const addresses = ['2001:db8:0:1::1', '2001:db8:0:1:ffff::2', '2001:0DB8::1:0:0:0:3']
  expect(addresses.map((address) => send(ANONYMOUS, address))).toEqual(LIMITED)
  expect(send(ANONYMOUS, '2001:db8:0:2::1')).toBe('allowed')
  expect(send(ANONYMOUS, '::ffff:192.0.2.1')).toBe('allowed')
  expect(send(ANONYMOUS, '::ffff:192.0.2.2')).toBe('allowed')
  expect(send(ANONYMOUS, '::ffff:192.0.2.3')).toBe('allowed')
})

it('separates callers of the same name by issuer, tenant and plane', () => {
  const { send } = limitsWith()
  const inTenant = (tenant: string): Caller => ({ ...CALLER, tenancy: { type: 'tenant', tenant } })
  expect([send(CALLER), send(CALLER), send(CALLER)]).toEqual(LIMITED)
  expect(send(inTenant('a'))).toBe('allowed')
  expect(send(inTenant('b'))).toBe('allowed')
  expect(send({ ...CALLER, plane: 'root' })).toBe('allowed')
  expect(send({ ...CALLER, plane: 'c1' })).toBe('allowed')
  expect(send({ ...CALLER, issuer: 'https://other.example.com' })).toBe('allowed')
  expect(send({ ...CALLER, expiresAt: null, issuer: null, isFromGateway: true })).toBe('allowed')
})

it('counts reads and writes separately, each with its limit', () => {
  const { send } = limitsWith({ rateLimitWrites: 1, rateLimitBurstSeconds: 1 })
  expect([send(CALLER), send(CALLER, '', 'HEAD')]).toEqual(['allowed', 'too-many-requests'])
  expect([send(CALLER, '', 'POST'), send(CALLER, '', 'DELETE')]).toEqual([
    'allowed',
    'too-many-requests',
  ])
})

it('does not limit exempt callers and systems', () => {
  const { send } = limitsWith({
    rateLimitExempt: [
      { type: 'user', name: 'ada@example.com' },
      { type: 'group', name: 'adapters' },
    ],
  })
  const grouped = { ...CALLER, user: 'x', groups: ['adapters'] }
  const system: Caller = { ...CALLER, user: 'y', tenancy: { type: 'system' } }
  for (const caller of [CALLER, grouped, system]) {
    expect([send(caller), send(caller), send(caller)]).toEqual(['allowed', 'allowed', 'allowed'])
  }
})

it('turns repeated failures to authenticate into 429, without locking out valid credentials', async () => {
  const { limits, limited } = limitsWith()
  const fail = () =>
    limits
      .authenticated(requestFrom('192.0.2.1'), () =>
        Promise.reject(new FlotillaError('invalid-token', 'The token is invalid')),
      )
      .catch((error: unknown) => (error instanceof FlotillaError ? error.reason : 'bug'))
  expect([await fail(), await fail(), await fail()]).toEqual([
    'invalid-token',
    'invalid-token',
    'too-many-requests',
  ])
  expect(limited).toEqual(['authentication'])
  const valid = limits.authenticated(requestFrom('192.0.2.1'), () => Promise.resolve('ada'))
  expect(await valid).toBe('ada')
})

it('does not count failures for other reasons', async () => {
  const { limits } = limitsWith()
  for (let attempt = 0; attempt < 5; attempt += 1) {
    await expect(
      limits.authenticated(requestFrom('192.0.2.1'), () =>
        Promise.reject(new FlotillaError('unavailable', 'No keys are loaded')),
      ),
    ).rejects.toMatchObject({ reason: 'unavailable' })
  }
})
