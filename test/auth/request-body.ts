import { fullReport } from '../support/lifecycle.ts'
import type { Operation } from './documented-operations.ts'

/** The receiver of webhooks: nothing listens at the port. */
export const UNREACHABLE = 'http://127.0.0.1:1/hooks'

/** The name of the cluster of one of the tenants. */
export const NAME = 'umbrella-cluster'

/** The name of the view of the same tenant. */
export const VIEW_NAME = 'umbrella-view'

/** A body that the operation takes. */
export function bodyOf({ method, template }: Operation): unknown {
  if (template.endsWith('/statuses') && method !== 'get') {
    return fullReport('dns', 1)
  }
  if (template.endsWith('/force-delete')) return { reason: 'a test' }
  if (template.startsWith('/webhooks')) return webhookBodyOf({ method, template })
  if (template.startsWith('/adapters')) return method === 'post' ? {} : undefined
  if (method === 'patch' && !template.startsWith('/views')) return { spec: { changed: true } }
  if (template === '/snapshots') return { search: "name != 'x'" }
  if (template.startsWith('/views')) return viewBodyOf({ method, template })
  const kind = template.includes('/nodepools') ? 'NodePool' : 'Cluster'
  if (method === 'put') return { kind, spec: {} }
  if (method !== 'post') return undefined
  const item = { kind, name: kind === 'Cluster' ? NAME : 'secret-pool', spec: {} }
  return template.endsWith('/bulk') ? { items: [item] } : item
}

function viewBodyOf({ method, template }: Pick<Operation, 'method' | 'template'>): unknown {
  const spec = { kind: 'NodePool' }
  if (method === 'patch') return { spec }
  if (method === 'put') return { kind: 'View', spec }
  if (method !== 'post') return undefined
  const item = { kind: 'View', name: VIEW_NAME, spec }
  return template.endsWith('/bulk') ? { items: [item] } : item
}

function webhookBodyOf({ method, template }: Pick<Operation, 'method' | 'template'>): unknown {
  if (method === 'patch') return { description: 'changed' }
  if (template.endsWith('/rotate-secret')) return {}
  return method === 'post' && template === '/webhooks' ? { url: UNREACHABLE } : undefined
}
