import { expect, it } from 'vitest'
import { conditionType } from './condition-type.ts'

it.each([
  ['dns', 'DnsSuccessful'],
  ['gcp-provisioner', 'GcpProvisionerSuccessful'],
  ['a--b', 'ABSuccessful'],
  ['-a-', 'ASuccessful'],
  ['aB', 'ABSuccessful'],
  ['DNS_v2.x', 'DNS_v2.xSuccessful'],
  ['3scale', '3scaleSuccessful'],
  ['-', 'Successful'],
  ['éa-\u{10428}b', 'Éa\u{10400}bSuccessful'],
])('exposes %s as %s', (adapter, type) => {
  expect(conditionType(adapter)).toBe(type)
})
