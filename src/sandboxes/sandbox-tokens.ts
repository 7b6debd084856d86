import type { Clock } from 'flotilla'
import type { ObjectKey, ServiceAccountTokens, StoredObject } from 'flotilla/planes'
import type { ApiTokens } from './controllers/sandboxes/api-tokens.ts'

/** Kubernetes gives pods tokens of an hour too. */
const SECONDS = 3600
/** The share of its validity after which a token is replaced, as in Kubernetes. */
const RENEW_AFTER = 0.8

interface Options {
  readonly tokens: Pick<ServiceAccountTokens, 'issue' | 'issuerOf'>
  readonly readObject: (key: ObjectKey) => Promise<StoredObject | null>
  readonly clock: Clock
  readonly maxTokenAge: number
  readonly problem: string | null
}

/** Creates the tokens of sandboxes: those of service accounts, bound to a run of a sandbox. */
export function createSandboxTokens(options: Options): ApiTokens {
  const { tokens, readObject, clock, maxTokenAge, problem } = options
  const seconds = Math.min(SECONDS, maxTokenAge)
  return {
    problem,
    issue: async ({ sandbox, instance, account: accountName }) => {
      const { plane, namespace, name, uid } = sandbox
      const key = { plane, resource: 'serviceaccounts', namespace, name: accountName }
      const found = await readObject(key)
      if (found === null) return null
      const account = { name: accountName, uid: found.uid }
      const claims = { plane, namespace, account, secret: null, sandbox: { name, uid, instance } }
      const renewTime = new Date(clock().getTime() + seconds * RENEW_AFTER * 1000)
      return { token: await tokens.issue(claims, [tokens.issuerOf(plane)], seconds), renewTime }
    },
  }
}
