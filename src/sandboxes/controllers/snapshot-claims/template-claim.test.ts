import { expect, test } from 'vitest'
import type { ApiObject } from '../../../planes/model/api-object.ts'
import { isClaimOf, templateClaim, templateClaimName } from './template-claim.ts'

function sandbox(uid: string, name = 'agent'): ApiObject {
  return {
    apiVersion: 'agents.x-k8s.io/v1beta1',
    kind: 'Sandbox',
    metadata: { name, namespace: 'team', uid },
  }
}

const TEMPLATE: ApiObject = {
  apiVersion: 'agents.x-k8s.io/v1beta1',
  kind: 'SnapshotClaimTemplate',
  metadata: { name: 'nightly', namespace: 'team', uid: 't' },
  spec: {
    metadata: { labels: { team: 'blue' }, annotations: { note: 'x' } },
    spec: { snapshotClassName: 'fast', parameters: { prefix: 'p' } },
  },
}

test('the name has the sandbox, the template and 8 hexadecimal digits, and is deterministic', () => {
  const name = templateClaimName(sandbox('a'), 'nightly')
  expect(name).toMatch(/^agent-nightly-[0-9a-f]{8}$/)
  expect(templateClaimName(sandbox('a'), 'nightly')).toBe(name)
})

test('a sandbox that was created again has another claim', () => {
  const name = templateClaimName(sandbox('a'), 'nightly')
  expect(templateClaimName(sandbox('b'), 'nightly')).not.toBe(name)
})

test('a long name keeps its digest within the limit', () => {
  const name = templateClaimName(sandbox('a', 'x'.repeat(250)), 'nightly')
  expect(name).toHaveLength(253)
  expect(name).toMatch(/-[0-9a-f]{8}$/)
})

test('copies labels, annotations and spec, and belongs to the sandbox', () => {
  const owner = sandbox('a')
  const claim = templateClaim(owner, TEMPLATE)
  expect(claim).toMatchObject({
    kind: 'SnapshotClaim',
    metadata: { namespace: 'team', labels: { team: 'blue' }, annotations: { note: 'x' } },
    spec: { snapshotClassName: 'fast', parameters: { prefix: 'p' } },
  })
  expect(isClaimOf(claim, owner)).toBe(true)
  expect(isClaimOf(claim, sandbox('b'))).toBe(false)
})
