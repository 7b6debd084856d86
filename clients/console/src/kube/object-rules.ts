import type { KubeMetadata } from './kube-object.ts'

interface WithMetadata {
  readonly metadata: KubeMetadata
}

/** Identifies objects in lists: their namespace and name. */
export const OBJECT_RULES = {
  keyOf: ({ metadata: { namespace = '', name } }: WithMetadata) => `${namespace}/${name}`,
  versionOf: ({ metadata: { resourceVersion = '' } }: WithMetadata) => resourceVersion,
} as const
