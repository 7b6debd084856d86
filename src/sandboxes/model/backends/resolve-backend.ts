import { type Backend, backendDigest, type BackendTarget } from './backend.ts'
import type { BackendObjects } from './backend-objects.ts'
import { type BackendResolution, type Unresolved, unresolved } from './backend-resolution.ts'
import { checkDriver } from './check-driver.ts'
import { mergeParameters } from './merge-parameters.ts'
import { classNameOf, type SnapshotClaim } from './snapshot-claim.ts'
import { defaultClasses, type SnapshotClass } from './snapshot-class.ts'
import { targetOf } from './snapshot-provider.ts'
import { pathProblem } from './path-problem.ts'

/** Parameters of stores that are paths. */
const PATHS = ['path', 'prefix']
/** Parameters that each store needs. */
const REQUIRED: Readonly<Record<string, string>> = { s3: 'bucket', gcs: 'bucket' }

/** Why parameters cannot be used; null if they can. Parameters of other drivers are theirs. */
function parameterProblem(parameters: Readonly<Record<string, string>>): string | null {
  for (const name of PATHS) {
    const value = parameters[name]
    const problem = value === undefined ? null : pathProblem(value)
    if (problem !== null) return `the parameter ${name} ${problem}: ${JSON.stringify(value)}`
  }
  const store = parameters['store'] ?? ''
  const required = Object.hasOwn(REQUIRED, store) ? REQUIRED[store] : undefined
  if (required === undefined || (parameters[required] ?? '') !== '') return null
  return `the store ${store} needs the parameter ${required}`
}

/**
 * Decides where a snapshot is stored. The result names its credentials; `requireCredentials`
 * decides after they have been read.
 */
export function resolveBackend(objects: BackendObjects): BackendResolution {
  return objects.path === 'A' ? resolveProvider(objects) : resolveClaim(objects)
}

type ObjectsOf<Path extends BackendObjects['path']> = Extract<BackendObjects, { path: Path }>

function resolveProvider(objects: ObjectsOf<'A'>): BackendResolution {
  const { providerName, provider, drivers } = objects
  const name = JSON.stringify(providerName)
  if (provider === null) {
    return unresolved('ProviderNotFound', `the SnapshotProvider ${name} does not exist`)
  }
  if (provider.isDeleting) {
    return unresolved('ProviderNotFound', `the SnapshotProvider ${name} is being deleted`)
  }
  const target = checkedTarget(targetOf(provider), drivers)
  if ('unresolved' in target) return target
  const { uid } = provider
  return { backend: withDigest({ ...target, path: 'A', provider: { name: provider.name, uid } }) }
}

function resolveClaim({ claim, classes, drivers }: ObjectsOf<'B'>): BackendResolution {
  if ('unresolved' in claim) return claim
  const found = findClass(claim, classes)
  if ('unresolved' in found) return found
  const merged = mergeParameters(found, claim)
  if ('unresolved' in merged) return merged
  const target = checkedTarget(merged, drivers)
  if ('unresolved' in target) return target
  return {
    backend: withDigest({
      ...target,
      path: 'B',
      snapshotClass: { name: found.name, uid: found.uid },
      claim: { name: claim.name, uid: claim.uid },
    }),
  }
}

/** The class of a claim. The claim must be bound to it. */
function findClass(
  claim: SnapshotClaim,
  classes: readonly SnapshotClass[],
): SnapshotClass | Unresolved {
  const claimName = JSON.stringify(claim.name)
  if (claim.isDeleting) {
    return unresolved('ClaimNotFound', `the SnapshotClaim ${claimName} is being deleted`)
  }
  const className = classNameOf(claim)
  if (className === '') return findDefaultClass(claim, classes)
  const found = classes.find(({ name }) => name === className)
  if (!found) {
    const message = `the SnapshotClass ${JSON.stringify(className)} of the SnapshotClaim ${claimName} does not exist`
    return unresolved('ClassNotFound', message)
  }
  return isBoundTo(claim, found.name) ? found : notBound(claim)
}

/** A claim without a class is bound by its controller. Two defaults are a separate error. */
function findDefaultClass(claim: SnapshotClaim, classes: readonly SnapshotClass[]): Unresolved {
  const defaults = defaultClasses(classes)
  if (defaults.length < 2) return notBound(claim)
  const names = defaults.map(({ name }) => JSON.stringify(name)).toSorted()
  const message = `the SnapshotClaim ${JSON.stringify(claim.name)} names no class and ${names.length} classes are the default: ${names.join(', ')}`
  return unresolved('AmbiguousDefaultClass', message)
}

function isBoundTo({ binding }: SnapshotClaim, className: string): boolean {
  return binding.isCurrent && binding.isBound && binding.className === className
}

function notBound({ name, binding }: SnapshotClaim): Unresolved {
  const detail =
    binding.isCurrent && binding.message !== '' ? binding.message : 'its class is not known yet'
  return unresolved(
    'ClaimNotBound',
    `the SnapshotClaim ${JSON.stringify(name)} is not bound: ${detail}`,
  )
}

/** The target with the store that its driver uses, if driver and parameters are usable. */
function checkedTarget(
  target: BackendTarget,
  drivers: BackendObjects['drivers'],
): BackendTarget | Unresolved {
  const checked = checkDriver(target, drivers)
  if ('unresolved' in checked) return checked
  const problem = parameterProblem(checked.parameters)
  return problem === null ? checked : unresolved('ParametersInvalid', problem)
}

function withDigest(
  backend: BackendTarget &
    (
      | Pick<Extract<Backend, { path: 'A' }>, 'path' | 'provider'>
      | Pick<Extract<Backend, { path: 'B' }>, 'path' | 'snapshotClass' | 'claim'>
    ),
): Backend {
  return { ...backend, digest: backendDigest(backend.path, backend) }
}
