import type { Target } from '../generator/messages.ts'
import { connectClient, type HttpResponse } from '../servers/http-client.ts'

export const FLEETS = '/apis/kplane.dev/v1/fleets'
const API_VERSION = 'kplane.dev/v1'

/** A claimed member. */
export interface Claim {
  readonly clusterID: string
  readonly claimID: string
}

/** Requests about fleets. All except `claim` throw if the response is not a success. */
export interface FleetApi extends AsyncDisposable {
  /** Creates a fleet whose members are deleted with it or when it shrinks. Returns its uid. */
  create(name: string, replicas: number): Promise<string>
  scale(name: string, replicas: number): Promise<void>
  remove(name: string): Promise<void>
  /** Null if no member is available. */
  claim(name: string, holder: string): Promise<Claim | null>
  /** Ends a claim. `Keep` keeps the member as it is, and `Recycle` resets it. */
  release(name: string, claim: Claim, policy: 'Keep' | 'Recycle'): Promise<void>
}

/** Opens a client with this number of connections. */
export function openFleetApi({ origin }: Target, connections: number): FleetApi {
  const client = connectClient(origin, connections)
  const send = async (method: string, path: string, body?: object): Promise<HttpResponse> => {
    const response = await client.requestPath(method, FLEETS + path, body)
    if (response.status < 300) return response
    throw new Error(`${method} ${FLEETS}${path}: ${response.status} ${response.text.slice(0, 300)}`)
  }
  return {
    create: async (name, replicas) => {
      const spec = { replicas, deletionPolicy: 'Delete', scaleDownPolicy: 'Delete' }
      const fleet = { apiVersion: API_VERSION, kind: 'Fleet', metadata: { name }, spec }
      const { text } = await send('POST', '', fleet)
      return JSON.parse(text).metadata.uid
    },
    scale: async (name, replicas) => {
      const scale = { apiVersion: 'autoscaling/v1', kind: 'Scale', metadata: { name } }
      await send('PUT', `/${name}/scale`, { ...scale, spec: { replicas } })
    },
    remove: async (name) => void (await send('DELETE', `/${name}`)),
    claim: async (name, holder) => {
      const path = `${FLEETS}/${name}/claim`
      const response = await client.requestPath('POST', path, { holder, ttlSeconds: 3600 })
      if (response.status === 409) return null
      if (response.status < 300) return JSON.parse(response.text)
      throw new Error(`POST ${path}: ${response.status} ${response.text.slice(0, 300)}`)
    },
    release: async (name, { clusterID, claimID }, policy) => {
      const body = [...Object.entries({ clusterID, claimID }), ['then', policy]]
      await send('POST', `/${name}/release`, Object.fromEntries(body))
    },
    [Symbol.asyncDispose]: () => client[Symbol.asyncDispose](),
  }
}
