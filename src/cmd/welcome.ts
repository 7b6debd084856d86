import type { Config } from '../config/settings.ts'
import { BASE_PATH } from '../apis/hyperfleet/paths/base-path.ts'

type TlsSettings = Pick<Config, 'host' | 'tlsCertFile' | 'tlsSelfSigned' | 'dataDir'>

/** First steps for a person who has just started the server. */
export function welcome(
  { host, tlsCertFile, tlsSelfSigned, dataDir }: TlsSettings,
  ports: { readonly port: number; readonly healthPort: number; readonly metricsPort: number },
): string {
  const origin = (port: number, scheme = 'http'): string =>
    `${scheme}://${host.includes(':') ? `[${host}]` : host}:${port}`
  const hasTls = tlsSelfSigned || tlsCertFile !== null
  const api = origin(ports.port, hasTls ? 'https' : 'http') + BASE_PATH
  const curl = tlsSelfSigned ? `curl --cacert ${dataDir}/tls/ca.crt` : 'curl'
  return `
Flotilla is ready.

  API      ${api}
  Document ${api}/openapi.html
  Health   ${origin(ports.healthPort)}/readyz
  Metrics  ${origin(ports.metricsPort)}/metrics

Try:

  ${curl} -s ${api}/clusters -H 'Content-Type: application/json' \\
    -d '{"kind":"Cluster","name":"my-cluster","spec":{},"labels":{"environment":"dev"}}'

  ${curl} -s -G ${api}/clusters --data-urlencode "search=labels.environment='dev'"

Ctrl-C stops it; its data stays. README.md has the tour.

`
}
