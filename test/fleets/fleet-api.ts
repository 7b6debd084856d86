/** A response of the API of planes. */
export interface FleetResponse {
  readonly status: number
  // oxlint-disable-next-line typescript/no-explicit-any -- tests read any member of a response
  readonly body: any
  readonly headers: Headers
}

const FLEETS = '/apis/kplane.dev/v1/fleets'

/** Requests to the fleets of a server. */
export function fleetApi(origin: string) {
  const call = async (
    method: string,
    path: string,
    body?: unknown,
    type = 'application/json',
  ): Promise<FleetResponse> => {
    const response = await fetch(origin + path, {
      method,
      ...(body !== undefined && { body: JSON.stringify(body), headers: { 'Content-Type': type } }),
    })
    const text = await response.text()
    return {
      status: response.status,
      body: text === '' ? null : JSON.parse(text),
      headers: response.headers,
    }
  }
  const merge = (path: string, patch: object) =>
    call('PATCH', path, patch, 'application/merge-patch+json')
  return {
    call,
    create: (name: string, spec: object) => call('POST', FLEETS, fleet(name, spec)),
    get: (name: string) => call('GET', `${FLEETS}/${name}`),
    patch: (name: string, patch: object) => merge(`${FLEETS}/${name}`, patch),
    patchStatus: (name: string, status: object) => merge(`${FLEETS}/${name}/status`, { status }),
    remove: (name: string, query = '') => call('DELETE', `${FLEETS}/${name}${query}`),
  }
}

/** A Fleet object. */
function fleet(name: string, spec: object): object {
  return { apiVersion: 'kplane.dev/v1', kind: 'Fleet', metadata: { name }, spec }
}
