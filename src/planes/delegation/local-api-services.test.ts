import { expect, test } from 'vitest'
import { CONFIG_MAP, typeOf } from '../admission/fixtures.ts'
import { localApiServices } from './local-api-services.ts'

test('R37: every native group version that a plane serves has a local APIService', () => {
  const types = [
    CONFIG_MAP,
    typeOf('', 'Secret'),
    typeOf('coordination.k8s.io', 'Lease'),
    typeOf('example.com', 'Thing', { versions: ['v2', 'v1'] }),
  ]
  const plane = { plane: 'p', createdTime: new Date(0), uidOf: (seed: string) => `uid of ${seed}` }
  const resources = [
    ...types.map((type) => ({ type })),
    { type: typeOf('elsewhere.example.com', 'Thing'), servedIn: () => false },
  ]
  const services = localApiServices(resources)(plane)
  expect(services.map(({ metadata }) => metadata.name)).toEqual([
    'v1.',
    'v1.coordination.k8s.io',
    'v2.example.com',
    'v1.example.com',
  ])
  expect(services[1]).toMatchObject({
    spec: { group: 'coordination.k8s.io', version: 'v1', groupPriorityMinimum: 16_500 },
    status: { conditions: [{ type: 'Available', status: 'True', reason: 'Local' }] },
  })
})
