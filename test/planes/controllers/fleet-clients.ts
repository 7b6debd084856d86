import type { FleetClient } from '../../../src/planes/controllers/client/fleet-client.ts'
import { createHttpFleetClient } from '../../../src/planes/controllers/client/http/http-fleet-client.ts'
import type { TestServer } from '../../support/test-server.ts'

/** The two clients of controllers. Errors of background tasks are collected. */
export const FLEET_CLIENTS: readonly {
  readonly name: string
  readonly open: (server: TestServer, planes: readonly string[]) => FleetClient
}[] = [
  { name: 'in the process', open: ({ planes }) => planes.client() },
  {
    name: 'over HTTP',
    open: ({ origin }, planes) =>
      createHttpFleetClient({
        server: origin,
        userAgent: 'test',
        planes,
        clusters: { group: 'hyperfleet.io', version: 'v1', plural: 'clusters' },
        onError: (error) => console.error(error),
      }),
  },
]
