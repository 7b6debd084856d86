import type { BackendTarget } from './backend.ts'
import { type Unresolved, unresolved } from './backend-resolution.ts'
import type { SecretReference } from './secret-reference.ts'
import type { SnapshotClaim } from './snapshot-claim.ts'
import type { SnapshotClass } from './snapshot-class.ts'

/** The parameter that names the Secret with credentials: `namespace/name`, or `name` in a claim. */
const CREDENTIALS = 'credentialsSecret'
/** Parameters that decide which server receives requests with the credentials. */
const SERVER_PARAMETERS = ['endpoint', 'store']

/**
 * The parameters of a claim together with those of its class. A claim cannot set locked
 * parameters, name Secrets of other namespaces, or send credentials of the class to another server.
 */
export function mergeParameters(
  snapshotClass: SnapshotClass,
  claim: SnapshotClaim,
): BackendTarget | Unresolved {
  const problem = claimProblem(snapshotClass, claim)
  if (problem !== null) return unresolved('ParametersInvalid', problem)
  const { [CREDENTIALS]: secret, ...parameters } = {
    ...snapshotClass.parameters,
    ...claim.parameters,
  }
  const credentialsRef = secret === undefined ? null : referenceOf(secret, claim.namespace)
  const store = parameters['store'] ?? impliedStore(parameters)
  return {
    driver: snapshotClass.driver,
    store,
    parameters: { ...parameters, ...(store !== '' && { store }) },
    credentialsRef,
    reclaimPolicy: snapshotClass.reclaimPolicy,
  }
}

function claimProblem(
  { name, parameters, lockedParameters }: SnapshotClass,
  claim: SnapshotClaim,
): string | null {
  const set = Object.keys(claim.parameters)
  const locked = set.filter((key) => lockedParameters.includes(key))
  const of = `the SnapshotClaim ${JSON.stringify(claim.name)}`
  if (locked.length > 0) {
    return `${of} sets ${locked.toSorted().join(', ')}, which the SnapshotClass ${JSON.stringify(name)} locks`
  }
  const own = claim.parameters[CREDENTIALS]
  if (own !== undefined && referenceOf(own, claim.namespace).namespace !== claim.namespace) {
    return `${of} names the Secret ${JSON.stringify(own)}, which must be in its own namespace`
  }
  const redirected = SERVER_PARAMETERS.filter((key) => set.includes(key))
  if (own === undefined && parameters[CREDENTIALS] !== undefined && redirected.length > 0) {
    return `${of} sets ${redirected.join(', ')} and would use the credentials of the SnapshotClass ${JSON.stringify(name)}; set ${CREDENTIALS} in the claim, too`
  }
  const shared = parameters[CREDENTIALS]
  return own === undefined && shared !== undefined && !shared.includes('/')
    ? `the SnapshotClass ${JSON.stringify(name)} must name the namespace of the Secret: ${CREDENTIALS}: <namespace>/${shared}`
    : null
}

function referenceOf(text: string, namespace: string): SecretReference {
  const slash = text.indexOf('/')
  return slash < 0
    ? { namespace, name: text }
    : { namespace: text.slice(0, slash), name: text.slice(slash + 1) }
}

/** The store of parameters as in the examples of the proposal, which name a bucket only. */
function impliedStore(parameters: Readonly<Record<string, string>>): string {
  if (parameters['bucket'] !== undefined) return 's3'
  return parameters['path'] === undefined ? '' : 'local'
}
