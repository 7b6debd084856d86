import { FlotillaError, isJsonObject, type JsonObject, optionalNumber, textOf } from 'flotilla'
import {
  type ApiObject,
  type EndpointRequest,
  parseTimeout,
  readDeclaredBody,
  statusOf,
  type SubresourceEndpoint,
} from 'flotilla/planes'
import { AGENTS_API_VERSION } from '../types/sandbox-groups.ts'
import type { EndpointParts } from './endpoint-parts.ts'
import { requestSnapshot } from './request-snapshot.ts'
import { runningInstance } from './running-instance.ts'
import { sandboxTarget } from './sandbox-target.ts'
import { waitForSnapshot } from './wait-for-snapshot.ts'

const NAME_DIGITS = 5
/** The length of a DNS label. */
const MAX_NAME = 63

/**
 * POST of `fork`: creates sandboxes that begin with the state of this one. A running sandbox is
 * captured first; a suspended one has its snapshot already. Each copy succeeds or fails alone.
 */
export function forkEndpoint(parts: EndpointParts): SubresourceEndpoint {
  return {
    hasOptionalBody: true,
    create: async (request, given) => {
      const body = readDeclaredBody(given, request.target)
      const timeoutMs = parseTimeout(textOf(body['wait']))
      const { requester, target } = request
      const source = await parts.objects().get(requester, sandboxTarget(target))
      const snapshotName = await capture(parts, request, { source, timeoutMs })
      const prefix = textOf(body['namePrefix']) || `${target.name}-fork-`
      const items: JsonObject[] = []
      for (let index = 0; index < (optionalNumber(body['count']) ?? 1); index += 1) {
        const name = nameOf(prefix, parts.randomDigits(NAME_DIGITS))
        items.push(await createCopy(parts, request, copyOf(source, { name, snapshotName })))
      }
      const kind = 'SandboxFork'
      return { status: 201, body: { apiVersion: AGENTS_API_VERSION, kind, snapshotName, items } }
    },
  }
}

interface Capture {
  readonly source: ApiObject
  readonly timeoutMs: number
}

/** Returns the name of a snapshot with the current state of the sandbox. */
async function capture(
  parts: EndpointParts,
  request: EndpointRequest,
  { source, timeoutMs }: Capture,
): Promise<string> {
  const state = await parts.workloads.readState(source.metadata.uid ?? '')
  if (state?.phase === 'Absent' && state.snapshot) return state.snapshot.name
  await runningInstance(parts, request)
  const requested = await requestSnapshot(parts, request, { sandbox: source })
  const { name = '' } = requested.metadata
  await waitForSnapshot(parts, request, { name, timeoutMs })
  return name
}

function nameOf(prefix: string, digits: string): string {
  return `${prefix.slice(0, MAX_NAME - digits.length)}${digits}`
}

interface Copy {
  readonly name: string
  readonly snapshotName: string
}

function copyOf({ apiVersion, kind, metadata, spec }: ApiObject, copy: Copy): ApiObject {
  const { shutdownTime: _time, ...shared } = isJsonObject(spec) ? spec : {}
  const { namespace = '' } = metadata
  return {
    apiVersion,
    kind,
    metadata: { name: copy.name, namespace },
    spec: {
      ...shared,
      operatingMode: 'Running',
      restoreFrom: { snapshotName: copy.snapshotName },
    },
  }
}

async function createCopy(
  { objects }: EndpointParts,
  { requester, target }: EndpointRequest,
  copy: ApiObject,
): Promise<JsonObject> {
  const { name = '' } = copy.metadata
  const collection = { ...sandboxTarget(target), name: '' }
  try {
    const { metadata } = await objects().create(requester, collection, copy)
    return { name, uid: metadata.uid ?? '' }
  } catch (error) {
    if (error instanceof FlotillaError) return { name, error: statusOf(error) }
    throw error
  }
}
