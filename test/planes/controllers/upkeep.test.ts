import { afterAll, beforeAll, expect, test } from 'vitest'
import { isObjectNotFound } from '../../../src/planes/controllers/client/api-failures.ts'
import type { PlaneClient } from '../../../src/planes/controllers/client/plane-client.ts'
import { startEventExpiry } from '../../../src/planes/controllers/event-expiry/event-expiry.ts'
import { startPolicyStatusController } from '../../../src/planes/controllers/policies/policy-status-controller.ts'
import { policyWarnings } from '../../../src/planes/admission/policies/policy-warnings.ts'
import { systemTimers } from '../../../src/planes/controllers/runtime/timers.ts'
import { DEFAULT_SERVICE_ACCOUNTS } from '../../../src/planes/controllers/required-objects/default-service-accounts.ts'
import { startRequiredObjectController } from '../../../src/planes/controllers/required-objects/required-object-controller.ts'
import { startTestServer, type TestServer } from '../../support/test-server.ts'
import { openPlane, type PlaneFixture } from './plane-fixture.ts'

const ACCOUNTS = { group: '', version: 'v1', plural: 'serviceaccounts' }
const POLICIES = {
  group: 'admissionregistration.k8s.io',
  version: 'v1',
  plural: 'validatingadmissionpolicies',
}
const EVENTS = { group: '', version: 'v1', plural: 'events' }

let server: TestServer

beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server[Symbol.asyncDispose]())

function contextOf({ fleet }: PlaneFixture) {
  return {
    fleet,
    timers: systemTimers,
    random: Math.random,
    onError: (error: unknown) => console.error(error),
  }
}

async function hasAccount(client: PlaneClient, namespace: string): Promise<boolean> {
  return client.get(ACCOUNTS, { namespace, name: 'default' }).then(
    () => true,
    (error: unknown) => {
      if (isObjectNotFound(error, 'default')) return false
      throw error
    },
  )
}

test('creates the default service account again after its deletion', async () => {
  const plane = await openPlane(server)
  await plane.createNamespace('team')
  // One deletion before the start, one after it.
  await plane.client.delete(ACCOUNTS, { namespace: 'team', name: 'default' })
  expect(await hasAccount(plane.client, 'team')).toBe(false)
  await using controller = await startRequiredObjectController(
    contextOf(plane),
    DEFAULT_SERVICE_ACCOUNTS,
  )
  await expect.poll(() => hasAccount(plane.client, 'team')).toBe(true)
  const before = await plane.client.get(ACCOUNTS, { namespace: 'default', name: 'default' })
  await plane.client.delete(ACCOUNTS, { namespace: 'default', name: 'default' })
  await expect.poll(() => hasAccount(plane.client, 'default')).toBe(true)
  const after = await plane.client.get(ACCOUNTS, { namespace: 'default', name: 'default' })
  expect(after.metadata.uid).not.toBe(before.metadata.uid)
  void controller
})

test('deletes events an hour after they last occurred', async () => {
  const plane = await openPlane(server)
  const now = Date.now()
  const event = (name: string, lastTimestamp: Date) =>
    plane.client.create(EVENTS, {
      apiVersion: 'v1',
      kind: 'Event',
      metadata: { namespace: 'default', name },
      involvedObject: { kind: 'ConfigMap', namespace: 'default', name: 'a' },
      reason: 'Tested',
      message: 'a test',
      type: 'Normal',
      lastTimestamp: `${lastTimestamp.toISOString().slice(0, 19)}Z`,
    })
  await event('old', new Date(now))
  await event('repeated', new Date(now + 5_400_000))
  const inTwoHours = { ...systemTimers, clock: () => new Date(now + 7_200_000) }
  await using expiry = await startEventExpiry({ ...contextOf(plane), timers: inTwoHours })
  const names = async () => {
    const found: unknown[] = []
    for await (const page of plane.client.pages(EVENTS)) {
      found.push(...page.items.map(({ metadata }) => metadata.name))
    }
    return found
  }
  await expect.poll(names).toEqual(['repeated'])
  void expiry
})

test('R31: the status of a policy shows expressions that do not fit their types', async () => {
  const { types } = server.planes
  const plane = await openPlane(server)
  const rule = {
    operations: ['*'],
    apiGroups: [''],
    apiVersions: ['v1'],
    resources: ['configmaps'],
  }
  const bodyOf = (expression: string) => ({
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'ValidatingAdmissionPolicy',
    metadata: { name: 'typed' },
    spec: { matchConstraints: { resourceRules: [rule] }, validations: [{ expression }] },
  })
  await plane.client.create(POLICIES, bodyOf('object.data > 1'))
  await using controller = await startPolicyStatusController({
    ...contextOf(plane),
    check: async (name, policy) => policyWarnings(policy, await types.typesOf(name)),
  })
  const read = () => plane.client.get(POLICIES, { namespace: '', name: 'typed' })
  const status = async () => (await read())['status']
  await expect.poll(status).toMatchObject({
    observedGeneration: 1,
    typeChecking: { expressionWarnings: [{ fieldRef: 'spec.validations[0].expression' }] },
  })
  const body = { spec: bodyOf('object.data.size() > 1').spec }
  const name = { namespace: '', name: 'typed' }
  await plane.client.patch(POLICIES, name, { type: 'merge', body })
  await expect.poll(status).toEqual({ observedGeneration: 2, typeChecking: {} })
  void controller
})
