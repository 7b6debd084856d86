import { expect, test } from 'vitest'
import type { ApiObject } from '../../planes/model/api-object.ts'
import { sandboxStrategy } from './sandbox-strategy.ts'

const CONTEXT = {
  plane: 'root',
  user: { name: 'one', uid: '', groups: [], extra: {} },
  version: 'v1beta1',
  subresource: '',
  now: new Date(0),
}

function sandbox(operatingMode: string, ...volumes: readonly string[]): ApiObject {
  return {
    apiVersion: 'agents.x-k8s.io/v1beta1',
    kind: 'Sandbox',
    metadata: { name: 'one' },
    spec: {
      operatingMode,
      podTemplate: {
        spec: {
          containers: [{ name: 'main', command: ['/bin/true'] }],
          volumes: volumes.map((name) => ({ name, hostPath: { path: '/etc' } })),
        },
      },
    },
  }
}

test('a change may keep what an earlier version accepted, and adds no violation', async () => {
  const { validate } = sandboxStrategy({ startProblem: null, apiProblem: null })
  const fields = async (object: ApiObject, old: ApiObject | null) => {
    const errors = await validate?.(object, old, CONTEXT)
    return errors?.map(({ field }) => field)
  }
  const old = sandbox('Running', 'one')
  expect(await fields(old, null)).toEqual(['spec.podTemplate.spec.volumes[0].hostPath'])
  expect(await fields(sandbox('Suspended', 'one'), old)).toEqual([])
  expect(await fields(sandbox('Suspended', 'one', 'two'), old)).toEqual([
    'spec.podTemplate.spec.volumes[1].hostPath',
  ])
})
