import { afterAll, beforeAll, describe } from 'vitest'
import { proofCases } from '../../support/proof-size.ts'
import { startTestServer, type TestServer } from '../../support/test-server.ts'
import { conformance } from './conformance.ts'
import { planeClient } from './plane-client.ts'
import { objectSpecs } from './specs/object-specs.ts'
import { policySpecs } from './specs/policy-specs.ts'
import { requestSpecs } from './specs/request-specs.ts'
import { CONFIG_MAPS, LEASES, SECRETS } from './subjects.ts'

describe('the root plane', () => {
  let server: TestServer
  beforeAll(async () => {
    server = await startTestServer()
  })
  afterAll(() => server[Symbol.asyncDispose]())

  // The plane of a cluster has config maps, and a server of the library has leases.
  const subjects = proofCases([CONFIG_MAPS, SECRETS, LEASES], (one) => one === SECRETS)
  for (const subject of subjects) {
    conformance(subject, () => planeClient(server.origin, ''))
  }
  objectSpecs(() => planeClient(server.origin, ''))
  policySpecs(() => planeClient(server.origin, ''))
  requestSpecs(() => planeClient(server.origin, ''))
})
