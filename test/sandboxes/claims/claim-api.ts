import { sandboxApi } from '../kinds/sandbox-api.ts'

const AGENTS = '/apis/agents.x-k8s.io/v1beta1'
const API_VERSION = 'agents.x-k8s.io/v1beta1'
const MERGE = 'application/merge-patch+json'

/** How long a poll waits for the controllers. */
export const WAIT = { interval: 100 }

/** Requests about classes, claims and snapshots in the root plane of a server. */
export function claimApi(origin: string) {
  const api = sandboxApi(origin)
  const { call, create } = api
  const namespaced = (plural: string, name: string): string =>
    `${AGENTS}/namespaces/default/${plural}/${name}`
  return {
    ...api,
    createClass: (name: string, parts: object = {}, annotations: object = {}) =>
      create({
        apiVersion: API_VERSION,
        kind: 'SnapshotClass',
        metadata: { name, annotations },
        provisioner: 'reference',
        ...parts,
      } as Manifest),
    createClaim: (name: string, spec: object) =>
      create({
        apiVersion: API_VERSION,
        kind: 'SnapshotClaim',
        metadata: { name },
        spec,
      }),
    createTemplate: (name: string, spec: object) =>
      create({
        apiVersion: API_VERSION,
        kind: 'SnapshotClaimTemplate',
        metadata: { name },
        spec,
      }),
    createProvider: (name: string, spec: object) =>
      create({
        apiVersion: API_VERSION,
        kind: 'SnapshotProvider',
        metadata: { name },
        spec,
      }),
    classPath: (name: string) => `${AGENTS}/snapshotclasses/${name}`,
    providerPath: (name: string) => `${AGENTS}/snapshotproviders/${name}`,
    claimPath: (name: string) => namespaced('snapshotclaims', name),
    sandboxPath: (name: string) => namespaced('sandboxes', name),
    snapshotPath: (name: string) => namespaced('snapshots', name),
    get: (path: string) => call('GET', path),
    remove: (path: string) => call('DELETE', path),
    merge: (path: string, patch: object) => call('PATCH', path, patch, MERGE),
    /** The messages of the events with a reason. */
    events: async (reason: string): Promise<readonly string[]> => {
      const { body } = await call('GET', '/api/v1/namespaces/default/events')
      return body.items
        .filter((event: { reason: string }) => event.reason === reason)
        .map((event: { message: string }) => event.message)
    },
    /** `True/Bound [class] message` of a claim. */
    binding: async (name: string): Promise<string> => {
      const { body } = await call('GET', namespaced('snapshotclaims', name))
      const [bound] = body.status?.conditions ?? []
      if (bound === undefined) return 'none'
      const { status, reason, message } = bound
      return `${status}/${reason} [${body.status.snapshotClassName ?? ''}] ${message}`
    },
    /** Names of the objects of a kind, such as `snapshotclaims`. */
    names: async (plural: string): Promise<readonly string[]> => {
      const { body } = await call('GET', `${AGENTS}/namespaces/default/${plural}`)
      return body.items.map((item: { metadata: { name: string } }) => item.metadata.name)
    },
  }
}

type Manifest = Parameters<ReturnType<typeof sandboxApi>['create']>[0]
