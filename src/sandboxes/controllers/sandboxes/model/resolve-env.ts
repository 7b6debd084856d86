import { isJsonObject } from 'flotilla'
import type { PlaneClient } from 'flotilla/controllers'
import type { EnvEntry, EnvSource } from '../../../model/env-entry.ts'
import type { ObservedSandbox } from './observed-sandbox.ts'
import { readSource } from './read-source.ts'

interface Variable {
  readonly name: string
  readonly value: string
}

/** The environment of a workload, or the variable whose value does not exist. */
export type ResolvedEnv =
  | {
      readonly env: readonly Variable[]
      /** Those of the init containers, in their order. */
      readonly initEnvs: readonly (readonly Variable[])[]
    }
  | { readonly missing: string }

/** Reads the values of environment variables from Secrets, ConfigMaps and the sandbox itself. */
export async function resolveEnv(
  client: PlaneClient,
  { spec, ref, object }: ObservedSandbox,
): Promise<ResolvedEnv> {
  const fields: Readonly<Record<string, string>> = {
    'metadata.name': ref.name,
    'metadata.namespace': ref.namespace,
    'metadata.uid': ref.uid,
    'spec.serviceAccountName': spec.workload.serviceAccount,
    ...prefixed('metadata.labels', object.metadata.labels),
    ...prefixed('metadata.annotations', object.metadata.annotations),
  }
  const sources = { client, namespace: ref.namespace, fields }
  const { env, initContainers } = spec.workload
  const resolved: (readonly Variable[])[] = []
  for (const entries of [env, ...initContainers.map((init) => init.env)]) {
    const variables = await resolveEntries(sources, entries)
    if ('missing' in variables) return variables
    resolved.push(variables.env)
  }
  const [own = [], ...initEnvs] = resolved
  return { env: own, initEnvs }
}

async function resolveEntries(
  sources: Sources,
  entries: readonly EnvEntry[],
): Promise<{ readonly env: readonly Variable[] } | { readonly missing: string }> {
  const env: Variable[] = []
  for (const { name, source } of entries) {
    const value = await valueOf(sources, source)
    if (value !== null) env.push({ name, value })
    else if (isRequired(source)) return { missing: `${name} (${source.name}/${source.key})` }
  }
  return { env }
}

interface Sources {
  readonly client: PlaneClient
  readonly namespace: string
  readonly fields: Readonly<Record<string, string>>
}

async function valueOf(sources: Sources, source: EnvSource): Promise<string | null> {
  const { client, namespace, fields } = sources
  switch (source.type) {
    case 'value':
      return source.value
    case 'field':
      return fields[source.path] ?? null
    case 'unsupported':
      return null
    case 'secret':
    case 'configMap': {
      const found = await readSource(client, namespace, { type: source.type, name: source.name })
      const data = isJsonObject(found?.['data']) ? found['data'] : {}
      const value = data[source.key]
      if (typeof value !== 'string') return null
      return source.type === 'secret' ? Buffer.from(value, 'base64').toString('utf8') : value
    }
  }
}

type KeySource = Extract<EnvEntry['source'], { readonly key: string }>

function isRequired(source: EnvSource): source is KeySource {
  return (source.type === 'secret' || source.type === 'configMap') && !source.optional
}

function prefixed(path: string, values: Readonly<Record<string, string>> = {}) {
  const entries = Object.entries(values)
  return Object.fromEntries(entries.map(([key, value]) => [`${path}['${key}']`, value]))
}
