import { expect, test } from 'vitest'
import { workloadNetworkOf } from './workload-network.ts'

test.each([
  ['an absent policy', undefined, null],
  ['a policy of connections to the sandbox', { ingress: [] }, null],
  ['a mode', { mode: 'Internet' }, { mode: 'Internet' }],
  ['no rules', { egress: [] }, { mode: 'None' }],
  ['rules for pods only', { egress: [{ to: [{ podSelector: {} }] }] }, { mode: 'None' }],
  [
    'networks of IPv6 only',
    { egress: [{ to: [{ ipBlock: { cidr: '::/0' } }] }] },
    { mode: 'None' },
  ],
])('reads %s', (_, policy, expected) => {
  expect(workloadNetworkOf(policy)).toEqual(expected)
})

test('reads the rules of a NetworkPolicy', () => {
  const block = { cidr: '203.0.113.0/24', except: ['203.0.113.8/32'] }
  const to = [{ ipBlock: block }, { domainNames: ['pypi.org'] }, { namespaceSelector: {} }]
  const ports = [{ port: 443 }, { protocol: 'UDP', port: 5000, endPort: 5010 }]
  const allowed = [
    { protocol: 'TCP', port: 443, endPort: 0 },
    { protocol: 'UDP', port: 5000, endPort: 5010 },
  ]
  expect(workloadNetworkOf({ egress: [{ to, ports }, {}] })).toEqual({
    mode: 'Allow',
    rules: [
      { networks: [block.cidr], except: block.except, names: [], ports: allowed },
      { networks: [], except: [], names: ['pypi.org'], ports: allowed },
      { networks: ['0.0.0.0/0'], except: [], names: [], ports: [] },
    ],
  })
})
