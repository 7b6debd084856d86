import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Definition } from './read-definitions.ts'

/** A server of the Kubernetes API. */
export interface Target {
  readonly url: string
  readonly headers?: Readonly<Record<string, string>>
}

const SERVING_TIMEOUT_MS = 60_000

/** Stores definitions. Returns the errors of those that the server does not accept, by name. */
export async function storeDefinitions(
  target: Target,
  definitions: readonly Definition[],
): Promise<ReadonlyMap<string, string>> {
  const failures = new Map<string, string>()
  for (const definition of definitions) {
    const failure = await create(definition, target)
    if (failure !== null) failures.set(definition.metadata.name, failure)
  }
  return failures
}

/** The error of a creation; null if the definition is stored. */
async function create(definition: Definition, { url, headers }: Target): Promise<string | null> {
  const response = await fetch(
    `${url}/apis/apiextensions.k8s.io/v1/customresourcedefinitions?fieldValidation=Strict`,
    {
      method: 'POST',
      headers: { ...headers, 'Content-Type': 'application/json' },
      body: JSON.stringify(definition),
    },
  )
  const text = await response.text()
  return response.status === 201 ? null : text.slice(0, 1000)
}

/** The paths of the served versions of a definition. */
export function servedPaths({ spec: { group, names, versions } }: Definition): readonly string[] {
  return versions
    .filter(({ served }) => served)
    .map(({ name }) => `/apis/${group}/${name}/${names.plural}`)
}

/** Waits until the server lists the objects of a path. */
export async function untilServed({ url, headers = {} }: Target, path: string): Promise<void> {
  const end = Date.now() + SERVING_TIMEOUT_MS
  for (;;) {
    const response = await fetch(url + path, { headers })
    const text = await response.text()
    if (response.ok) return
    assert(Date.now() < end, `${path}: ${text}`)
    await sleep(200)
  }
}
