import {
  type JsonObject,
  type JsonValue,
  listOf,
  objectOf,
  optionalNumber,
  optionalText,
  textOf,
  textsOf,
} from 'flotilla'

/** The checks of a running program; null without one. */
export interface WorkloadProbes {
  readonly startup: WorkloadProbe | null
  readonly readiness: WorkloadProbe | null
  readonly liveness: WorkloadProbe | null
}

export type ProbeCheck =
  | {
      readonly type: 'http'
      readonly port: number
      readonly path: string
      /** HTTPS, with any certificate. */
      readonly tls: boolean
      readonly headers: readonly { readonly name: string; readonly value: string }[]
    }
  | { readonly type: 'tcp'; readonly port: number }
  | { readonly type: 'exec'; readonly command: readonly string[] }

/** A check with the defaults of Kubernetes. */
export interface WorkloadProbe {
  readonly check: ProbeCheck
  readonly initialDelaySeconds: number
  readonly periodSeconds: number
  readonly timeoutSeconds: number
  readonly successThreshold: number
  readonly failureThreshold: number
  /** Null: that of the workload. */
  readonly gracePeriodSeconds: number | null
}

/** Reads the probes of a container, which were validated when they were written. */
export function workloadProbesOf(container: JsonObject): WorkloadProbes {
  const probe = (name: string): WorkloadProbe | null => probeOf(container[name], container['ports'])
  return {
    startup: probe('startupProbe'),
    readiness: probe('readinessProbe'),
    liveness: probe('livenessProbe'),
  }
}

/** The number of a port, given as a number or as the name of a port of the container. */
export function portNumber(
  port: JsonValue | undefined,
  ports: JsonValue | undefined,
): number | null {
  if (typeof port === 'number') return port
  if (typeof port !== 'string') return null
  const named = listOf(ports)
    .map(objectOf)
    .find(({ name }) => name === port)
  if (named !== undefined) return optionalNumber(named['containerPort'])
  return /^\d{1,5}$/.test(port) ? Number(port) : null
}

function probeOf(value: JsonValue | undefined, ports: JsonValue | undefined): WorkloadProbe | null {
  const probe = objectOf(value)
  const check = checkOf(probe, ports)
  if (check === null) return null
  // As in Kubernetes, 0 means the default.
  const number = (name: string, fallback: number): number => optionalNumber(probe[name]) || fallback
  return {
    check,
    initialDelaySeconds: number('initialDelaySeconds', 0),
    periodSeconds: number('periodSeconds', 10),
    timeoutSeconds: number('timeoutSeconds', 1),
    successThreshold: number('successThreshold', 1),
    failureThreshold: number('failureThreshold', 3),
    gracePeriodSeconds: optionalNumber(probe['terminationGracePeriodSeconds']),
  }
}

function checkOf(
  { httpGet, tcpSocket, exec }: JsonObject,
  ports: JsonValue | undefined,
): ProbeCheck | null {
  if (httpGet !== undefined) {
    const { port, path, scheme, httpHeaders } = objectOf(httpGet)
    return {
      type: 'http',
      port: portNumber(port, ports) ?? 0,
      path: `/${(optionalText(path) ?? '/').replace(/^\//, '')}`,
      tls: scheme === 'HTTPS',
      headers: listOf(httpHeaders).map((each) => {
        const { name, value } = objectOf(each)
        return { name: textOf(name), value: textOf(value) }
      }),
    }
  }
  if (tcpSocket !== undefined) {
    return { type: 'tcp', port: portNumber(objectOf(tcpSocket)['port'], ports) ?? 0 }
  }
  return exec === undefined ? null : { type: 'exec', command: textsOf(objectOf(exec)['command']) }
}
