import type { PlaneConfiguration } from '../../store/objects/model/plane-configuration.ts'
import type { StoredObject } from '../../store/objects/model/stored-object.ts'
import { errorMessage } from '../../lib/error-message.ts'
import { isJsonObject, type JsonObject } from '../../lib/json/json.ts'
import { addressOf, serverUrl, URL_ANNOTATION } from '../native/api-registration/server-address.ts'
import { caBundleText } from '../../http/egress/ca-bundle.ts'
import { numberOf, textOf } from '../../lib/json/json-fields.ts'

export const API_SERVICES = 'apiservices.apiregistration.k8s.io'

const KEY = Symbol('delegates')

/** The address of a server, and how to verify it. */
export interface DelegateServer {
  readonly url: URL
  readonly ca: string | null
  readonly skipVerification: boolean
}

/** A group version that an APIService delegates to another server. */
export interface Delegate {
  readonly plane: string
  /** The name of the APIService: `version.group`. */
  readonly name: string
  readonly group: string
  readonly version: string
  readonly groupPriority: number
  readonly versionPriority: number
  /** The server, or the reason that there is none. */
  readonly server: DelegateServer | { readonly problem: string }
  /** False if the last probe has failed. */
  readonly isAvailable: boolean
  /** Changes whenever the APIService refers to another server. */
  readonly identity: string
}

/** The delegates of a plane by `group/version`. */
export function delegatesOf(configuration: PlaneConfiguration): ReadonlyMap<string, Delegate> {
  return configuration.derive(KEY, [API_SERVICES], (current) => {
    const delegates = current.objects(API_SERVICES).flatMap((object) => {
      const delegate = parseDelegate(object)
      return delegate === null ? [] : [delegate]
    })
    return new Map(delegates.map((delegate) => [groupVersionOf(delegate), delegate]))
  })
}

/** `group/version` */
export function groupVersionOf({ group, version }: Pick<Delegate, 'group' | 'version'>): string {
  return `${group}/${version}`
}

/** Null for local APIServices, which have neither a service nor the annotation. */
export function parseDelegate({
  plane,
  name,
  uid,
  body,
}: Pick<StoredObject, 'plane' | 'name' | 'uid' | 'body'>): Delegate | null {
  const spec = isJsonObject(body['spec']) ? body['spec'] : {}
  const url = addressOf(body)
  if (url === null && !isJsonObject(spec['service'])) return null
  const group = textOf(spec['group'])
  if (group === '') return null
  return {
    plane,
    name,
    group,
    version: textOf(spec['version']),
    groupPriority: numberOf(spec['groupPriorityMinimum']),
    versionPriority: numberOf(spec['versionPriority']),
    server: serverOf(url, spec),
    isAvailable: availabilityOf(body) !== 'False',
    identity: JSON.stringify([plane, name, uid, url, spec['caBundle'] ?? null]),
  }
}

function serverOf(url: string | null, spec: JsonObject): Delegate['server'] {
  if (url === null) {
    return { problem: `planes have no services: set the annotation ${URL_ANNOTATION}` }
  }
  try {
    return {
      url: serverUrl(url),
      ca: caBundleText(spec['caBundle']),
      skipVerification: spec['insecureSkipTLSVerify'] === true,
    }
  } catch (error) {
    return { problem: errorMessage(error) }
  }
}

/** The status of the condition Available; empty if it is unknown. */
function availabilityOf({ status }: JsonObject): string {
  const conditions = isJsonObject(status) ? status['conditions'] : undefined
  const available = (Array.isArray(conditions) ? conditions : [])
    .filter((condition) => isJsonObject(condition))
    .find(({ type }) => type === 'Available')
  return textOf(available?.['status'])
}
