import { ClaimProblem } from './claim-problem.ts'
import { CLAIM_LABEL, TEMPLATE_REF_LABEL } from './pool-resources.ts'
import { nameHash } from './name-hash.ts'
import type { SandboxClaim } from './sandbox-claim.ts'
import type { PodMetadata, SandboxTemplate } from './sandbox-template.ts'

/** Labels of claims need this domain or one below it, so that they cannot match other policies. */
const LABEL_DOMAIN = 'sandbox.users.io'
const RESERVED_DOMAINS = ['kubernetes.io', 'k8s.io', 'agents.x-k8s.io'] as const
const ALLOWED_KEYS: ReadonlySet<string> = new Set([
  'cluster-autoscaler.kubernetes.io/safe-to-evict',
])
const LABEL_VALUE = /^(?:[A-Za-z0-9](?:[-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?)?$/
const KEY_NAME = /^[A-Za-z0-9](?:[-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?$/

/**
 * The labels and annotations of a claimed pod: those of the template and of the claim. Throws
 * ClaimProblem if the claim has a reserved key or another value than the template.
 */
export function mergePodMetadata(
  template: Pick<SandboxTemplate, 'name' | 'podMetadata'>,
  { uid, podMetadata }: Pick<SandboxClaim, 'uid' | 'podMetadata'>,
): PodMetadata {
  for (const [key, value] of Object.entries(podMetadata.labels)) checkLabel(key, value)
  for (const key of Object.keys(podMetadata.annotations)) checkAnnotation(key)
  const system = { [CLAIM_LABEL]: uid, [TEMPLATE_REF_LABEL]: nameHash(template.name) }
  return {
    labels: { ...merged('label', template.podMetadata.labels, podMetadata.labels), ...system },
    annotations: merged('annotation', template.podMetadata.annotations, podMetadata.annotations),
  }
}

function checkLabel(key: string, value: string): void {
  const domain = domainOf('label', key)
  if (!isWithin(domain, LABEL_DOMAIN)) {
    throw invalid(`label "${key}" must have the domain ${LABEL_DOMAIN} or one below it`)
  }
  if (!LABEL_VALUE.test(value)) throw invalid(`label "${key}" has the invalid value "${value}"`)
}

function checkAnnotation(key: string): void {
  const domain = domainOf('annotation', key)
  if (ALLOWED_KEYS.has(key)) return
  const reserved = RESERVED_DOMAINS.find((each) => isWithin(domain, each))
  if (reserved !== undefined)
    throw invalid(`annotation "${key}" has the reserved domain ${reserved}`)
}

/** The part before the slash, in lower case. */
function domainOf(kind: string, key: string): string {
  const slash = key.indexOf('/')
  if (!KEY_NAME.test(key.slice(slash + 1))) throw invalid(`${kind} "${key}" has an invalid key`)
  return key.slice(0, Math.max(0, slash)).toLowerCase()
}

function isWithin(domain: string, parent: string): boolean {
  return domain === parent || domain.endsWith(`.${parent}`)
}

function merged(
  kind: string,
  template: Readonly<Record<string, string>>,
  claim: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  for (const [key, value] of Object.entries(claim)) {
    const fixed = template[key]
    if (fixed === undefined || fixed === value) continue
    throw invalid(`the template sets the ${kind} "${key}" to "${fixed}", not to "${value}"`)
  }
  return { ...template, ...claim }
}

function invalid(message: string): ClaimProblem {
  return new ClaimProblem('InvalidMetadata', message)
}
