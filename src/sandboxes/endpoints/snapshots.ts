import { isJsonObject, textOf } from 'flotilla'
import {
  type ApiObject,
  parseTimeout,
  readDeclaredBody,
  type SubresourceEndpoint,
} from 'flotilla/planes'
import type { EndpointParts } from './endpoint-parts.ts'
import { requestSnapshot } from './request-snapshot.ts'
import { runningInstance } from './running-instance.ts'
import { sandboxTarget, snapshotTarget } from './sandbox-target.ts'
import { waitForSnapshot } from './wait-for-snapshot.ts'

/** POST of `snapshots` takes a snapshot of a running workload; GET lists those of the sandbox. */
export function snapshotsEndpoint(parts: EndpointParts): SubresourceEndpoint {
  return {
    hasOptionalBody: true,
    create: async (request, given) => {
      const body = readDeclaredBody(given, request.target)
      const wait = textOf(body['wait'])
      const timeoutMs = parseTimeout(wait)
      await runningInstance(parts, request)
      const { requester, target } = request
      const sandbox = await parts.objects().get(requester, sandboxTarget(target))
      const created = await requestSnapshot(parts, request, {
        sandbox,
        name: textOf(body['name']),
      })
      if (wait === '') return { status: 201, body: created }
      const { name = '' } = created.metadata
      return { status: 201, body: await waitForSnapshot(parts, request, { name, timeoutMs }) }
    },
    list: async ({ requester, target }) => {
      const { metadata } = await parts.objects().get(requester, sandboxTarget(target))
      const all = await parts.objects().list(requester, snapshotTarget(target, ''))
      const items = all.items.filter((snapshot) => sandboxUidOf(snapshot) === metadata.uid)
      return { ...all, metadata: { ...all.metadata }, items }
    },
  }
}

function sandboxUidOf({ spec }: ApiObject): string {
  const reference = isJsonObject(spec) ? spec['sandboxRef'] : undefined
  return isJsonObject(reference) ? textOf(reference['uid']) : ''
}
