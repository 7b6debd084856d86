import { BASE_PATH } from '../apis/hyperfleet/paths/base-path.ts'

/** First steps for a person who has just started the server. */
export function welcome(
  host: string,
  ports: { readonly port: number; readonly healthPort: number; readonly metricsPort: number },
): string {
  const origin = (port: number): string =>
    `http://${host.includes(':') ? `[${host}]` : host}:${port}`
  const api = origin(ports.port) + BASE_PATH
  return `
Flotilla is ready.

  API      ${api}
  Document ${api}/openapi.html
  Health   ${origin(ports.healthPort)}/readyz
  Metrics  ${origin(ports.metricsPort)}/metrics

Try:

  curl -s ${api}/clusters -H 'Content-Type: application/json' \\
    -d '{"kind":"Cluster","name":"my-cluster","spec":{},"labels":{"environment":"dev"}}'

  curl -s -G ${api}/clusters --data-urlencode "search=labels.environment='dev'"

Ctrl-C stops it; its data stays. README.md has the tour.

`
}
