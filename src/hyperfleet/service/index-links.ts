import type { ProbePorts } from '../../capability/api.ts'
import type { Registry } from '../../store/registry/registry.ts'
import { listableKinds } from '../../store/registry/verb.ts'
import { API_PATH, BASE_PATH } from '../paths/base-path.ts'
import { JSON_30_PATH, PAGE_FOLDER, YAML_30_PATH } from '../openapi/document-paths.ts'

export interface IndexLink {
  readonly href: string
  readonly title: string
}

/** The links of the index, by name. */
export type IndexLinks = Readonly<Record<string, IndexLink>>

/** The links that do not depend on the request. */
export function fixedLinks(registry: Registry): IndexLinks {
  const collections = listableKinds(registry).map(({ plural, kind }) => {
    return [plural, { href: `${BASE_PATH}/${plural}`, title: `Resources of the kind ${kind}` }]
  })
  return {
    api: { href: BASE_PATH, title: 'The HyperFleet API v1' },
    metadata: { href: API_PATH, title: 'Name and version of the API' },
    documentation: { href: PAGE_FOLDER, title: 'Documentation of the API, to read and try out' },
    openapi: { href: `${PAGE_FOLDER}flotilla.yaml`, title: 'OpenAPI 3.1 document as YAML' },
    openapi_json: { href: `${PAGE_FOLDER}flotilla.json`, title: 'OpenAPI 3.1 document as JSON' },
    openapi_3_0: { href: YAML_30_PATH, title: 'OpenAPI 3.0 document as YAML' },
    openapi_3_0_json: { href: JSON_30_PATH, title: 'OpenAPI 3.0 document as JSON' },
    resources: { href: `${BASE_PATH}/resources`, title: 'Resources of all kinds' },
    ...Object.fromEntries(collections),
  }
}

const HOST_NAME = /^(?:[a-z0-9.-]+|\[[0-9a-f:.]+\])$/i

/** The links to other ports, on the host of the request. */
export function probeLinks(
  hostname: string | undefined,
  { host, healthPort, metricsPort }: ProbePorts,
): IndexLinks {
  const named = hostname !== undefined && HOST_NAME.test(hostname) ? hostname : bracketed(host)
  const origin = (port: number): string => `http://${named}:${port}`
  return {
    liveness: { href: `${origin(healthPort)}/healthz`, title: 'Whether the process runs' },
    readiness: { href: `${origin(healthPort)}/readyz`, title: 'Whether requests are served' },
    metrics: { href: `${origin(metricsPort)}/metrics`, title: 'Metrics for Prometheus' },
  }
}

function bracketed(host: string): string {
  return host.includes(':') ? `[${host}]` : host
}
