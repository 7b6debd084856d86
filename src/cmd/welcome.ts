import type { Config } from './config.ts'
import { BASE_PATH } from '../hyperfleet/paths/base-path.ts'

type TlsSettings = Pick<Config, 'host' | 'tlsCertFile' | 'tlsSelfSigned' | 'dataDir' | 'console'>

/** First steps for a person who has just started the server. */
export function welcome(
  { host, tlsCertFile, tlsSelfSigned, dataDir, console }: TlsSettings,
  ports: { readonly port: number; readonly healthPort: number; readonly metricsPort: number },
): string {
  const origin = (port: number, scheme = 'http'): string =>
    `${scheme}://${host.includes(':') ? `[${host}]` : host}:${port}`
  const hasTls = tlsSelfSigned || tlsCertFile !== null
  const server = origin(ports.port, hasTls ? 'https' : 'http')
  const api = server + BASE_PATH
  const consoleLine = console === 'on' ? `\n  Console  ${server}/console/` : ''
  const curl = tlsSelfSigned ? `curl --cacert ${dataDir}/tls/ca.crt` : 'curl'
  return `
Flotilla is ready.
${consoleLine}
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
