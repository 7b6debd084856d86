import { expect, test } from 'vitest'
import { requestWith, typeOf } from '../fixtures.ts'
import { protectedNamespaces } from './protected-namespaces.ts'

const type = typeOf('', 'Namespace', { namespaced: false })

test.each(['default', 'kube-system', 'kube-public'])(
  'R29: the namespace %s may not be deleted',
  async (name) => {
    const request = requestWith({ type, operation: 'DELETE', namespace: '', name })
    await expect(protectedNamespaces.validate?.(request)).rejects.toMatchObject({
      code: 403,
      message: `namespaces "${name}" is forbidden: this namespace may not be deleted`,
    })
  },
)

test.each([
  { operation: 'DELETE', name: 'other' },
  { operation: 'UPDATE', name: 'default' },
  { operation: 'DELETE', name: 'default', type: typeOf('', 'ConfigMap') },
] as const)('R29: %j is allowed', async (members) => {
  await protectedNamespaces.validate?.(requestWith({ type, namespace: '', ...members }))
})
