/** A response of the API of planes. */
export interface ApiResponse {
  readonly status: number
  // oxlint-disable-next-line typescript/no-explicit-any -- tests read any member of a response
  readonly body: any
  readonly warnings: readonly string[]
}

const AGENTS = '/apis/agents.x-k8s.io/v1beta1'

/** Requests about sandboxes and snapshots in the root plane of a server. */
export function sandboxApi(origin: string) {
  const call = async (
    method: string,
    path: string,
    body?: unknown,
    type = 'application/json',
  ): Promise<ApiResponse> => {
    const response = await fetch(origin + path, {
      method,
      ...(body !== undefined && { body: JSON.stringify(body), headers: { 'Content-Type': type } }),
    })
    const text = await response.text()
    return {
      status: response.status,
      body: text === '' ? null : JSON.parse(text),
      warnings: warningsOf(response.headers),
    }
  }
  const sandboxes = `${AGENTS}/namespaces/default/sandboxes`
  return {
    call,
    create: (object: Manifest, query = '') => call('POST', pathOf(object) + query, object),
    createSandbox: (name: string, spec: object) =>
      call('POST', sandboxes, sandbox(name, { podTemplate: POD_TEMPLATE, ...spec })),
    getSandbox: (name: string) => call('GET', `${sandboxes}/${name}`),
    patchSandbox: (name: string, patch: object) =>
      call('PATCH', `${sandboxes}/${name}`, patch, 'application/merge-patch+json'),
    patchStatus: (path: string, status: object) =>
      call('PATCH', `${path}/status`, { status }, 'application/merge-patch+json'),
  }
}

/** A manifest of a kind with objects. */
export interface Manifest {
  readonly apiVersion: string
  readonly kind: string
  readonly metadata: { readonly name: string }
  readonly spec?: object
}

/** A pod template with one program. */
export const POD_TEMPLATE = {
  spec: { containers: [{ name: 'main', command: ['/bin/sleep', '1000'] }] },
}

function sandbox(name: string, spec: object): object {
  return { apiVersion: 'agents.x-k8s.io/v1beta1', kind: 'Sandbox', metadata: { name }, spec }
}

const CLUSTER_SCOPED = ['SnapshotProvider', 'SnapshotClass', 'SandboxRuntime']

/** The path of the objects of a manifest's kind, in the namespace `default`. */
function pathOf({ apiVersion, kind }: Manifest): string {
  const lower = kind.toLowerCase()
  const plural = /(x|ss)$/.test(lower) ? `${lower}es` : `${lower}s`
  const scope = CLUSTER_SCOPED.includes(kind) ? '' : '/namespaces/default'
  return `/apis/${apiVersion}${scope}/${plural}`
}

function warningsOf(headers: Headers): readonly string[] {
  const joined = headers.get('warning') ?? ''
  return [...joined.matchAll(/299 - "((?:[^"\\]|\\.)*)"/g)].map(([, text]) =>
    (text ?? '').replaceAll('\\"', '"'),
  )
}
