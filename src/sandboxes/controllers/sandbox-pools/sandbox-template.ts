import { isJsonObject, type JsonObject, type JsonValue } from 'flotilla'
import type { ApiObject } from 'flotilla/planes'
import { nameHash } from './name-hash.ts'

/** Labels and annotations of a pod. */
export interface PodMetadata {
  readonly labels: Readonly<Record<string, string>>
  readonly annotations: Readonly<Record<string, string>>
}

/** A SandboxTemplate. */
export interface SandboxTemplate {
  readonly name: string
  /** The fields of a sandbox's spec. */
  readonly blueprint: JsonObject
  readonly podMetadata: PodMetadata
  /** Changes with the blueprint, except for labels and annotations. */
  readonly hash: string
  readonly envPolicy: InjectionPolicy
  readonly volumePolicy: InjectionPolicy
}

/** Whether claims may add values to a template, and replace those that it has. */
export type InjectionPolicy = 'Allowed' | 'Overrides' | 'Disallowed'

const SHARED = ['podTemplate', 'volumeClaimTemplates', 'networkPolicy', 'service'] as const

export function sandboxTemplateOf({ metadata, spec }: ApiObject): SandboxTemplate {
  const fields = isJsonObject(spec) ? spec : {}
  const isUnmanaged = fields['networkPolicyManagement'] === 'Unmanaged'
  const blueprint = Object.fromEntries(
    SHARED.flatMap((name): [string, JsonValue][] => {
      const value = name === 'networkPolicy' && isUnmanaged ? undefined : fields[name]
      return value === undefined ? [] : [[name, value]]
    }),
  )
  const { podTemplate } = blueprint
  const { spec: podSpec = {}, metadata: pod } = isJsonObject(podTemplate) ? podTemplate : {}
  return {
    name: metadata.name ?? '',
    blueprint,
    podMetadata: podMetadataOf(pod),
    hash: nameHash(JSON.stringify(sorted({ ...blueprint, podTemplate: { spec: podSpec } }))),
    envPolicy: policyOf(fields['envVarsInjectionPolicy']),
    volumePolicy: policyOf(fields['volumeClaimTemplatesPolicy']),
  }
}

function policyOf(value: JsonValue | undefined): InjectionPolicy {
  return value === 'Allowed' || value === 'Overrides' ? value : 'Disallowed'
}

export function podMetadataOf(value: JsonValue | undefined): PodMetadata {
  const { labels, annotations } = isJsonObject(value) ? value : {}
  return { labels: textsOf(labels), annotations: textsOf(annotations) }
}

function textsOf(value: JsonValue | undefined): Readonly<Record<string, string>> {
  const entries = Object.entries(isJsonObject(value) ? value : {})
  return Object.fromEntries(
    entries.flatMap(([key, text]) => (typeof text === 'string' ? [[key, text]] : [])),
  )
}

/** The value with the members of objects in order, so that equal values have the same text. */
function sorted(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map((each: JsonValue) => sorted(each))
  if (!isJsonObject(value)) return value
  const entries = Object.entries(value).flatMap(([key, each]): [string, JsonValue][] =>
    each === undefined ? [] : [[key, sorted(each)]],
  )
  return Object.fromEntries(entries.toSorted(([one], [other]) => (one < other ? -1 : 1)))
}
