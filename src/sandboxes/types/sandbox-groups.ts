/** The group of sandboxes and of what their snapshots need. */
export const AGENTS_GROUP = 'agents.x-k8s.io'
export const AGENTS_VERSION = 'v1beta1'
export const AGENTS_API_VERSION = `${AGENTS_GROUP}/${AGENTS_VERSION}`
/** Prefix of the definitions in OpenAPI documents. */
export const AGENTS_DEFINITIONS = 'io.x-k8s.agents.v1beta1'

/** The group of templates, warm pools and claims of sandboxes. */
export const EXTENSIONS_GROUP = 'extensions.agents.x-k8s.io'
export const EXTENSIONS_VERSION = 'v1beta1'
export const EXTENSIONS_DEFINITIONS = 'io.x-k8s.agents.extensions.v1beta1'

/** The version of older clients of both groups, which planes convert. */
export const OLD_VERSION = 'v1alpha1'
export const OLD_AGENTS_DEFINITIONS = 'io.x-k8s.agents.v1alpha1'
export const OLD_EXTENSIONS_DEFINITIONS = 'io.x-k8s.agents.extensions.v1alpha1'

/** The group of the kinds that only Flotilla has. */
export const RUNTIME_GROUP = 'sandbox.flotilla.dev'
export const RUNTIME_VERSION = 'v1alpha1'
export const RUNTIME_DEFINITIONS = 'dev.flotilla.sandbox.v1alpha1'

/** The annotation that requests a boot without the snapshot. */
export const COLD_BOOT_ANNOTATION = 'agents.x-k8s.io/cold-boot'
/** The finalizer that keeps a Snapshot until its data is deleted. */
export const SNAPSHOT_DATA_FINALIZER = 'agents.x-k8s.io/snapshot-data'
