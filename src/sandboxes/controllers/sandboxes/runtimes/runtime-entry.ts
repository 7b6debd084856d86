import { type JsonObject, type JsonValue, objectOf, objectsOf, textOf, textsOf } from 'flotilla'
import type { ApiObject } from 'flotilla/planes'
import type { ImageUsers } from '../../../drivers/protocol/image-users.ts'
import { STARTS_SANDBOXES } from '../../../model/starts-sandboxes.ts'

/** The reason of Ready if the runtime serves another installation. */
export const OTHER_INSTALLATION = 'OtherInstallation'

/** A driver of snapshots on the machine of a runtime. */
export interface RuntimeDriver {
  readonly name: string
  /** The endpoint of the runtime if the driver has none. */
  readonly endpoint: string
  readonly captures: readonly string[]
  readonly freezes: boolean
  readonly lists: boolean
  /** Empty if the driver does not say. */
  readonly stores: readonly string[]
  /** Empty if the driver can be used. */
  readonly unavailableReason: string
}

/** A class of isolation for sandboxes. */
export interface RuntimeClass {
  readonly name: string
  /** Why the runtime does not offer it; empty if it does. */
  readonly reason: string
  /** Empty if a program is not separated from the machine. */
  readonly separates: readonly string[]
  /** The network policies that it enforces. */
  readonly networkPolicies: readonly string[]
  /** Why it lacks one; empty if it has all. */
  readonly networkProblem: string
  /** Whether its sandboxes can have access to the API. */
  readonly apiAccess: boolean
}

/** How a runtime enforces a limit of workloads. */
export interface RuntimeLimit {
  /** cpu, memory, processes, files, ephemeral-storage. */
  readonly name: string
  /** `sandbox`, `process` or `none`. */
  readonly scope: string
  /** Why it is not `sandbox`. */
  readonly reason: string
}

/** The name and the files of an image. */
export interface NamedDigest {
  readonly name: string
  readonly digest: string
}

/** An image that was registered on the machine of a runtime. */
export interface RuntimeImage extends NamedDigest, ImageUsers {}

/** A registered runtime. */
export interface RuntimeEntry {
  readonly name: string
  readonly uid: string
  /** Rises with each change of the spec. */
  readonly generation: number
  readonly endpoint: string
  /** Empty if the runtime does not say. */
  readonly machine: string
  readonly labels: Readonly<Record<string, string>>
  /** The most sandboxes that run. */
  readonly capacity: number
  readonly drivers: readonly RuntimeDriver[]
  /** Why it rejects calls of this installation; null if it does not. */
  readonly refusal: string | null
  /** Why it starts no sandboxes; null if it does. */
  readonly startProblem: string | null
  /** The classes, the default one first. Runtimes of earlier versions have only `process`. */
  readonly classes: readonly RuntimeClass[]
  /** Empty if the runtime does not say. */
  readonly limits: readonly RuntimeLimit[]
  readonly images: readonly RuntimeImage[]
  /** The text of the last renewal. */
  readonly renewTime: string
  readonly leaseDurationSeconds: number
}

const LEASE_SECONDS = 15

/** Reads a SandboxRuntime. */
export function runtimeEntry({ metadata, spec, status }: ApiObject): RuntimeEntry {
  const { endpoint, machine, labels, capacity, drivers } = objectOf(spec)
  const { renewTime, leaseDurationSeconds, conditions, limits, isolation, images } =
    objectOf(status)
  const { sandboxes } = objectOf(capacity)
  const address = textOf(endpoint)
  return {
    name: metadata.name ?? '',
    uid: metadata.uid ?? '',
    generation: metadata.generation ?? 0,
    endpoint: address,
    machine: textOf(machine),
    labels: textMapOf(labels),
    capacity: typeof sandboxes === 'number' ? sandboxes : Infinity,
    drivers: objectsOf(drivers).map((driver) => driverOf(driver, address)),
    refusal: refusalOf(objectsOf(conditions)),
    startProblem: startProblemOf(objectsOf(conditions)),
    classes: classesOf(objectsOf(isolation), startProblemOf(objectsOf(conditions))),
    limits: objectsOf(limits).map(({ name, scope, reason }) => ({
      name: textOf(name),
      scope: textOf(scope),
      reason: textOf(reason),
    })),
    images: objectsOf(images).map(({ name, digest, tenant, namespace }) => ({
      name: textOf(name),
      digest: textOf(digest),
      tenant: textOf(tenant),
      namespace: textOf(namespace),
    })),
    renewTime: textOf(renewTime),
    leaseDurationSeconds:
      typeof leaseDurationSeconds === 'number' ? leaseDurationSeconds : LEASE_SECONDS,
  }
}

function refusalOf(conditions: readonly JsonObject[]): string | null {
  const { reason, message } = conditions.find(({ type }) => type === 'Ready') ?? {}
  return reason === OTHER_INSTALLATION ? textOf(message) : null
}

/** Runtimes of earlier versions do not report the condition. */
function startProblemOf(conditions: readonly JsonObject[]): string | null {
  const { status, message } = conditions.find(({ type }) => type === STARTS_SANDBOXES) ?? {}
  return status === 'False' ? textOf(message) : null
}

function classesOf(
  isolation: readonly JsonObject[],
  startProblem: string | null,
): readonly RuntimeClass[] {
  if (isolation.length === 0) {
    const reason = startProblem ?? ''
    const none = { separates: [], networkPolicies: [], networkProblem: '', apiAccess: false }
    return [{ name: 'process', reason, ...none }]
  }
  const first = ({ isDefault }: JsonObject): number => (isDefault === true ? 0 : 1)
  return isolation
    .toSorted((a, b) => first(a) - first(b))
    .map(({ name, reason, separates, networkPolicies, networkProblem, apiAccess }) => ({
      name: textOf(name),
      reason: textOf(reason),
      separates: textsOf(separates),
      networkPolicies: textsOf(networkPolicies),
      networkProblem: textOf(networkProblem),
      apiAccess: apiAccess === true,
    }))
}

function driverOf({ name, endpoint, capabilities }: JsonObject, runtime: string): RuntimeDriver {
  const { captures, freezes, lists, stores, unavailableReason } = objectOf(capabilities)
  return {
    name: textOf(name),
    endpoint: textOf(endpoint) || runtime,
    captures: textsOf(captures),
    freezes: freezes === true,
    lists: lists === true,
    stores: textsOf(stores),
    unavailableReason: textOf(unavailableReason),
  }
}

function textMapOf(value: JsonValue | undefined): Readonly<Record<string, string>> {
  const entries = Object.entries(objectOf(value))
  return Object.fromEntries(entries.map(([key, text]) => [key, textOf(text)]))
}
