import type { ResourceName } from 'flotilla/controllers'

export const POOLS = named('sandboxwarmpools')
export const TEMPLATES = named('sandboxtemplates')
export const SANDBOX_CLAIMS = named('sandboxclaims')

/** The apiVersion of the owners of sandboxes. */
export const OWNER_API_VERSION = 'extensions.agents.x-k8s.io/v1beta1'

/** Hash of the pool's name, on sandboxes that wait for claims. */
export const POOL_LABEL = 'agents.x-k8s.io/warm-pool-sandbox'
/** Hash of the content of the template that a waiting sandbox was created from. */
export const TEMPLATE_HASH_LABEL = 'agents.x-k8s.io/sandbox-template-hash'
/** Hash of the template's name. */
export const TEMPLATE_REF_LABEL = 'agents.x-k8s.io/sandbox-template-ref-hash'
/** `warm` or `cold`. */
export const LAUNCH_LABEL = 'agents.x-k8s.io/launch-type'
/** The uid of the claim that has the sandbox. */
export const CLAIM_LABEL = 'agents.x-k8s.io/claim-uid'
/** Name of the template, on sandboxes. */
export const TEMPLATE_ANNOTATION = 'agents.x-k8s.io/sandbox-template-ref'
/** Name of the sandbox, on claims. */
export const ASSIGNED_ANNOTATION = 'agents.x-k8s.io/sandbox-name'

function named(plural: string): ResourceName {
  return { group: 'extensions.agents.x-k8s.io', version: 'v1beta1', plural }
}
