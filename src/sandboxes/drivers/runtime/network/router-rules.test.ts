import { expect, test } from 'vitest'
import type { AllowedPort, AllowRule } from './network-policy.ts'
import { routerRules } from './router-rules.ts'

/** The rules of a sandbox that an allow list permits. */
function allowed(rule: Partial<AllowRule>): readonly string[] {
  const rules = [{ networks: [], except: [], names: [], ports: [], ...rule }]
  const sandbox = {
    address: '100.65.0.1',
    name: 'box',
    policy: { mode: 'Allow', rules } as const,
    reachesApi: false,
    resolved: new Map([
      ['one.test', ['198.51.100.1', '198.51.100.2']],
      ['other.test', ['198.51.100.2']],
    ]),
  }
  const lines = routerRules([sandbox], []).split('\n')
  const begin = lines.indexOf('  chain allow_64410001 {') + 1
  return lines.slice(begin, lines.indexOf('  }', begin)).map((line) => line.trim())
}

function port(protocol: AllowedPort['protocol'], first: number, endPort = 0): AllowedPort {
  return { protocol, port: first, endPort }
}

test('an allow list has one rule per network and protocol, and one for all names', () => {
  const ports = [port('TCP', 80), port('TCP', 8000, 8080), port('UDP', 53)]
  const rule = { networks: ['203.0.113.0/24'], names: ['one.test', 'other.test'], ports }
  expect(allowed(rule)).toEqual([
    'ip daddr 203.0.113.0/24 tcp dport { 80, 8000-8080 } jump public',
    'ip daddr 203.0.113.0/24 udp dport { 53 } jump public',
    'ip daddr { 198.51.100.1, 198.51.100.2 } tcp dport { 80, 8000-8080 } jump public',
    'ip daddr { 198.51.100.1, 198.51.100.2 } udp dport { 53 } jump public',
  ])
})

test.each([
  ['all ports', [], ''],
  ['all ports of a protocol', [port('UDP', 0), port('UDP', 53)], ' meta l4proto udp'],
])('permits %s, without the closed parts of a network', (_, ports, match) => {
  const rule = { networks: ['203.0.113.0/24'], except: ['203.0.113.8/29'], ports }
  expect(allowed(rule)).toEqual([
    `ip daddr 203.0.113.0/24 ip daddr != { 203.0.113.8/29 }${match} jump public`,
  ])
})

test('permits nothing for names without an address', () => {
  expect(allowed({ names: ['unknown.test'] })).toEqual([])
})

test('a sandbox with access to the API reaches one port of the router, and no other sandbox does', () => {
  const sandbox = (address: string, reachesApi: boolean) => ({
    address,
    name: 'box',
    policy: { mode: 'None' } as const,
    reachesApi,
    resolved: new Map(),
  })
  const rules = routerRules([sandbox('100.65.0.1', true), sandbox('100.65.0.2', false)], [])
  const begin = rules.indexOf('chain input {')
  expect(
    rules
      .slice(begin, rules.indexOf('}\n  chain', begin))
      .split('\n')
      .map((line) => line.trim()),
  ).toEqual([
    'chain input {',
    'type filter hook input priority filter; policy drop;',
    'ct state established,related accept',
    'iifname "lo" accept',
    'iifname . ip saddr { "v64410001" . 100.65.0.1 } ip daddr 100.64.0.1 tcp dport 443 jump api',
    'goto refuse',
    '',
  ])
  expect(routerRules([sandbox('100.65.0.2', false)], [])).not.toContain('jump api')
})
