import { IncomingMessage } from 'node:http'
import { Socket } from 'node:net'
import { describe, expect, it } from 'vitest'
import { createClientAddress } from './client-address.ts'

const GATEWAY = '10.0.0.7'
const CLIENT = '203.0.113.9'

function requestFrom(remote: string, ...forwardedFor: readonly string[]): IncomingMessage {
  const socket = new Socket()
  Object.defineProperty(socket, 'remoteAddress', { value: remote })
  const request = new IncomingMessage(socket)
  request.rawHeaders = forwardedFor.flatMap((line) => ['X-Forwarded-For', line])
  return request
}

describe('the address of a client', () => {
  const addressOf = createClientAddress(['10.0.0.0/8'])

  it('is that of the connection, whatever an untrusted client claims', () => {
    expect(addressOf(requestFrom(CLIENT, '198.51.100.1'))).toBe(CLIENT)
    expect(createClientAddress([])(requestFrom(GATEWAY, CLIENT))).toBe(GATEWAY)
  })

  it.each([
    ['the entry of the gateway', [CLIENT]],
    ['not an entry that the client has sent', [`198.51.100.1, ${CLIENT}`]],
    ['not an entry in another line', ['198.51.100.1', CLIENT]],
    ['the entry of the first of several proxies', [`198.51.100.1, ${CLIENT}, 10.0.0.8`]],
    ['without a port', [`${CLIENT}:4711`]],
  ])('behind a gateway is %s', (_name, lines) => {
    expect(addressOf(requestFrom(GATEWAY, ...lines))).toBe(CLIENT)
  })

  it('may be IPv6, with brackets and a port', () => {
    expect(addressOf(requestFrom(GATEWAY, '2001:db8::1'))).toBe('2001:db8::1')
    expect(addressOf(requestFrom(GATEWAY, '[2001:db8::1]:443'))).toBe('2001:db8::1')
  })

  it('is the last trusted sender if an entry is not an address', () => {
    expect(addressOf(requestFrom(GATEWAY, `${CLIENT}, unknown`))).toBe(GATEWAY)
    expect(addressOf(requestFrom(GATEWAY, `${CLIENT}, unknown, 10.0.0.8`))).toBe('10.0.0.8')
    expect(addressOf(requestFrom(GATEWAY))).toBe(GATEWAY)
  })

  it('is known for requests that another server has forwarded', () => {
    const ofShard = createClientAddress(['10.0.0.0/8'], () => CLIENT)
    expect(ofShard(requestFrom('192.0.2.5', '198.51.100.1'))).toBe(CLIENT)
  })
})
