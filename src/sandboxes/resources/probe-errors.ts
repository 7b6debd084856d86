import { type JsonObject, type JsonValue, listOf, objectOf, textOf, textsOf } from 'flotilla'
import { type FieldError, forbiddenValue, invalidValue, requiredValue } from 'flotilla/planes'
import { portNumber } from '../model/workload-probes.ts'

const PROBES = ['startupProbe', 'readinessProbe', 'livenessProbe']
const CHECKS = ['httpGet', 'tcpSocket', 'exec']
const CHOICE = 'exactly one of httpGet, tcpSocket and exec must be set'
const MAX_PORT = 65_535
/** Other hosts would make the runtime a proxy into its network. */
const LOOPBACK: ReadonlySet<JsonValue> = new Set(['localhost', '127.0.0.1'])
/** Other characters could end the line of a request. */
const REQUEST_TARGET = /^[\x21-\x7e]*$/
const HEADER_NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/
const HEADER_VALUE = /^[\t\x20-\x7e]*$/

/** The violations of the probes of a container. */
export function probeErrors(container: JsonObject, field: string): readonly FieldError[] {
  return PROBES.flatMap((name) => {
    const probe = container[name]
    if (probe === undefined) return []
    const at = `${field}.${name}`
    return [
      ...handlerErrors(objectOf(probe), at, container['ports']),
      ...thresholdErrors(name, objectOf(probe), at),
    ]
  })
}

function handlerErrors(
  probe: JsonObject,
  field: string,
  ports: JsonValue | undefined,
): readonly FieldError[] {
  if (probe['grpc'] !== undefined) {
    const remedy = 'use exec with a client of gRPC in the sandbox, or tcpSocket'
    return [forbiddenValue(`${field}.grpc`, `runtimes have no client of gRPC: ${remedy}`)]
  }
  const handlers = CHECKS.filter((name) => probe[name] !== undefined)
  if (handlers.length !== 1) return [invalidValue(field, handlers.join(' and ') || 'none', CHOICE)]
  const { httpGet, tcpSocket, exec } = probe
  if (exec !== undefined) {
    const command = textsOf(objectOf(exec)['command'])
    return command.length === 0 ? [requiredValue(`${field}.exec.command`)] : []
  }
  const at = `${field}.${handlers[0]}`
  const target = objectOf(httpGet ?? tcpSocket)
  return [
    ...portErrors(target['port'], `${at}.port`, ports),
    ...hostErrors(target['host'], `${at}.host`),
    ...(httpGet === undefined ? [] : httpErrors(target, at)),
  ]
}

function portErrors(
  port: JsonValue | undefined,
  field: string,
  ports: JsonValue | undefined,
): readonly FieldError[] {
  if (port === undefined) return [requiredValue(field)]
  const number = portNumber(port, ports)
  if (number !== null && number >= 1 && number <= MAX_PORT) return []
  return [invalidValue(field, port, 'must be a port from 1 to 65535, or the name of one of ports')]
}

function hostErrors(host: JsonValue | undefined, field: string): readonly FieldError[] {
  if (host === undefined || host === '' || LOOPBACK.has(host)) return []
  return [forbiddenValue(field, 'probes connect to the sandbox itself: leave the field out')]
}

function httpErrors({ path, httpHeaders }: JsonObject, field: string) {
  const target = 'must consist of printable ASCII characters without spaces'
  return [
    ...(REQUEST_TARGET.test(textOf(path))
      ? []
      : [invalidValue(`${field}.path`, textOf(path), target)]),
    ...listOf(httpHeaders).flatMap((each, index) => {
      const { name, value } = objectOf(each)
      if (HEADER_NAME.test(textOf(name)) && HEADER_VALUE.test(textOf(value))) return []
      return [invalidValue(`${field}.httpHeaders[${index}]`, textOf(name), 'must be a header')]
    }),
  ]
}

function thresholdErrors(name: string, probe: JsonObject, field: string) {
  const { successThreshold = 0, terminationGracePeriodSeconds } = probe
  if (name === 'readinessProbe') {
    const rule = 'a readiness probe ends no program'
    return terminationGracePeriodSeconds === undefined
      ? []
      : [forbiddenValue(`${field}.terminationGracePeriodSeconds`, rule)]
  }
  return [0, 1].includes(Number(successThreshold))
    ? []
    : [invalidValue(`${field}.successThreshold`, successThreshold, 'must be 1')]
}
