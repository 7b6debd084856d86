import { expect, onTestFinished, test } from 'vitest'
import { apiService, RESOURCE_LIST } from '../../../src/planes/delegation/fixtures.ts'
import { serveHttp, testEgress } from '../../../src/http/egress/fixtures.ts'
import { parseDelegate } from '../../../src/planes/delegation/delegate.ts'
import { probeDelegate } from '../../../src/planes/delegation/probe-delegate.ts'
import { startAvailabilityController } from '../../../src/planes/controllers/api-services/availability-controller.ts'
import { systemTimers } from '../../../src/planes/controllers/runtime/timers.ts'
import { startTestServer } from '../../support/test-server.ts'

const SERVICES = '/apis/apiregistration.k8s.io/v1/apiservices'

test('R37: the condition Available follows the probes, and requests follow the condition', async () => {
  const server = await startTestServer({ env: { WEBHOOK_ALLOWED_HOSTS: 'http://127.0.0.1' } })
  onTestFinished(() => server[Symbol.asyncDispose]())
  let status = 200
  const url = await serveHttp((_request, response) => {
    response.writeHead(status).end(JSON.stringify(RESOURCE_LIST))
  })
  const egress = testEgress()
  const errors: unknown[] = []
  const controller = await startAvailabilityController({
    fleet: server.planes.client(),
    timers: systemTimers,
    random: Math.random,
    everyMs: 20,
    probe: async ({ plane, name, uid, object }) => {
      const delegate = parseDelegate({ plane, name, uid, body: object() })
      return delegate && probeDelegate(egress, delegate)
    },
    onError: (error) => void errors.push(error),
  })
  onTestFinished(() => controller[Symbol.asyncDispose]())
  const service = apiService(url)
  const created = await fetch(server.origin + SERVICES, {
    method: 'POST',
    body: JSON.stringify(service),
    headers: { 'Content-Type': 'application/json' },
  })
  expect(created.status).toBe(201)
  const available = async () => {
    const response = await fetch(`${server.origin}${SERVICES}/v1.metrics.example.com`)
    const { status: found } = JSON.parse(await response.text())
    return found?.conditions?.[0]
  }
  const requested = async () =>
    (await fetch(`${server.origin}/apis/metrics.example.com/v1/widgets`)).status
  await expect.poll(available).toMatchObject({ status: 'True', reason: 'Passed' })
  await expect.poll(requested).toBe(200)
  status = 500
  await expect.poll(available).toMatchObject({ status: 'False', reason: 'FailedDiscoveryCheck' })
  await expect.poll(requested).toBe(503)
  status = 200
  await expect.poll(available).toMatchObject({ status: 'True', reason: 'Passed' })
  await expect.poll(requested).toBe(200)
  expect(errors).toEqual([])
})
