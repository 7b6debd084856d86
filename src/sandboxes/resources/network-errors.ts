import { isIPv4, isIPv6 } from 'node:net'
import { type JsonObject, type JsonValue, listOf, objectOf, textOf } from 'flotilla'
import { type FieldError, forbiddenValue, invalidValue } from 'flotilla/planes'

const FIELD = 'spec.networkPolicy'
const EGRESS = `${FIELD}.egress`
const NAME =
  /^(?=.{1,253}$)(?:[a-z0-9](?:[-a-z0-9]{0,61}[a-z0-9])?\.)+[a-z](?:[-a-z0-9]{0,61}[a-z0-9])?$/
const CIDR = /^([\da-f.:]+)\/(\d{1,3})$/i
/** Runtimes accept as many. Each pair of a rule and a destination counts. */
const MAX_DESTINATIONS = 64
const MAX_ENTRIES = 256
const MAX_PORT = 65_535
const IPV4_BITS = 32
const IPV6_BITS = 128

/** The violations of `spec.networkPolicy`. */
export function networkErrors(policy: JsonValue | undefined): readonly FieldError[] {
  const { mode, egress } = objectOf(policy)
  const rules = listOf(egress)
  if (mode !== undefined && egress !== undefined) {
    return [forbiddenValue(`${FIELD}.mode`, 'egress already lists the permitted destinations')]
  }
  return [
    ...destinationErrors(rules.map(objectOf)),
    ...rules.flatMap((rule, index) => ruleErrors(objectOf(rule), `${EGRESS}[${index}]`)),
  ]
}

/** A rule without `to` permits one destination: everything. */
function destinationErrors(rules: readonly JsonObject[]): readonly FieldError[] {
  const counts = rules.map(({ to }) => Math.max(1, listOf(to).length))
  const count = counts.reduce((sum, each) => sum + each, 0)
  if (count <= MAX_DESTINATIONS) return []
  const message = `must have at most ${MAX_DESTINATIONS} destinations in all rules together`
  return [invalidValue(EGRESS, count, message)]
}

function ruleErrors({ to, ports }: JsonObject, field: string): readonly FieldError[] {
  const peers = listOf(to)
  return [
    ...peers.flatMap((peer, index) => peerErrors(objectOf(peer), `${field}.to[${index}]`)),
    ...lengthErrors(listOf(ports), `${field}.ports`, MAX_ENTRIES),
    ...listOf(ports).flatMap((port, index) =>
      portErrors(objectOf(port), `${field}.ports[${index}]`),
    ),
  ]
}

function peerErrors({ ipBlock, domainNames }: JsonObject, field: string): readonly FieldError[] {
  const { cidr, except } = objectOf(ipBlock)
  const names = listOf(domainNames)
  return [
    ...(ipBlock === undefined ? [] : cidrErrors(cidr, `${field}.ipBlock.cidr`)),
    ...lengthErrors(listOf(except), `${field}.ipBlock.except`, MAX_ENTRIES),
    ...listOf(except).flatMap((each, index) =>
      cidrErrors(each, `${field}.ipBlock.except[${index}]`),
    ),
    ...lengthErrors(names, `${field}.domainNames`, MAX_ENTRIES),
    ...names.flatMap((name, index) => {
      if (NAME.test(textOf(name))) return []
      const message = 'must be a complete name in lower case, without a wildcard'
      return [invalidValue(`${field}.domainNames[${index}]`, textOf(name), message)]
    }),
  ]
}

function cidrErrors(value: JsonValue | undefined, field: string): readonly FieldError[] {
  const [, address = '', bits] = CIDR.exec(textOf(value)) ?? []
  const isNetwork =
    (isIPv4(address) && Number(bits) <= IPV4_BITS) || (isIPv6(address) && Number(bits) <= IPV6_BITS)
  if (isNetwork) return []
  return [invalidValue(field, textOf(value), 'must be a network such as 203.0.113.0/24')]
}

function portErrors({ protocol, port, endPort }: JsonObject, field: string): readonly FieldError[] {
  const kind = protocol === undefined ? 'TCP' : textOf(protocol)
  return [
    ...(kind === 'TCP' || kind === 'UDP'
      ? []
      : [invalidValue(`${field}.protocol`, kind, 'must be TCP or UDP')]),
    ...(port === undefined || isPort(port)
      ? []
      : [invalidValue(`${field}.port`, port, 'must be a number from 1 to 65535')]),
    ...(endPort === undefined || (isPort(endPort) && isPort(port) && endPort >= port)
      ? []
      : [invalidValue(`${field}.endPort`, endPort, 'must be a port that is at least port')]),
  ]
}

function isPort(value: JsonValue | undefined): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= MAX_PORT
}

function lengthErrors(
  list: readonly JsonValue[],
  field: string,
  limit: number,
): readonly FieldError[] {
  return list.length <= limit
    ? []
    : [invalidValue(field, list.length, `must have at most ${limit} entries`)]
}
