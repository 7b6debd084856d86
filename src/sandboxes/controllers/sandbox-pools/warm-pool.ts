import { isJsonObject } from 'flotilla'
import type { ApiObject } from 'flotilla/planes'
import { nameHash } from './name-hash.ts'
import { POOL_LABEL } from './pool-resources.ts'

/** A SandboxWarmPool. */
export interface WarmPool {
  readonly object: ApiObject
  readonly name: string
  readonly namespace: string
  readonly uid: string
  readonly replicas: number
  readonly templateName: string
  readonly recreates: boolean
  /** Selects the sandboxes that wait in the pool. */
  readonly selector: string
}

export function warmPoolOf(object: ApiObject): WarmPool {
  const { name = '', namespace = '', uid = '' } = object.metadata
  const { replicas, sandboxTemplateRef, updateStrategy } = isJsonObject(object['spec'])
    ? object['spec']
    : {}
  const template = isJsonObject(sandboxTemplateRef) ? sandboxTemplateRef['name'] : undefined
  return {
    object,
    name,
    namespace,
    uid,
    replicas: typeof replicas === 'number' ? replicas : 1,
    templateName: typeof template === 'string' ? template : '',
    recreates: isJsonObject(updateStrategy) && updateStrategy['type'] === 'Recreate',
    selector: poolSelector(name),
  }
}

/** The label selector of the sandboxes that wait in a pool. */
export function poolSelector(pool: string): string {
  return `${POOL_LABEL}=${nameHash(pool)}`
}
