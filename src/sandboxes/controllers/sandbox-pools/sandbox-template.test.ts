import { expect, test } from 'vitest'
import type { JsonObject } from '../../../lib/json/json.ts'
import { sandboxTemplateOf } from './sandbox-template.ts'

const networkPolicy = { mode: 'None' }

function blueprintOf(fields: JsonObject): JsonObject {
  const { blueprint } = sandboxTemplateOf({
    apiVersion: 'extensions.agents.x-k8s.io/v1beta1',
    kind: 'SandboxTemplate',
    metadata: { name: 'closed' },
    spec: { podTemplate: { spec: {} }, networkPolicy, ...fields },
  })
  return blueprint
}

test('a template gives its network policy to its sandboxes', () => {
  expect(blueprintOf({})['networkPolicy']).toEqual(networkPolicy)
})

test('an unmanaged network policy has no effect', () => {
  expect(blueprintOf({ networkPolicyManagement: 'Unmanaged' })).not.toHaveProperty('networkPolicy')
})
