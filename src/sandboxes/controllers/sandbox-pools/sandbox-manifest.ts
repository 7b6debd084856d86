import { isJsonObject, type JsonObject } from 'flotilla'
import type { ApiObject, OwnerReference } from 'flotilla/planes'
import { nameHash } from './name-hash.ts'
import { LAUNCH_LABEL, TEMPLATE_ANNOTATION, TEMPLATE_REF_LABEL } from './pool-resources.ts'
import type { PodMetadata, SandboxTemplate } from './sandbox-template.ts'

/** The parts of a new sandbox that its template does not decide. */
interface NewSandbox {
  readonly namespace: string
  readonly name: string
  readonly owner: OwnerReference
  readonly launch: 'warm' | 'cold'
  readonly labels: Readonly<Record<string, string>>
  readonly podMetadata: PodMetadata
}

/** A sandbox with the content of a template. */
export function sandboxFromTemplate(template: SandboxTemplate, sandbox: NewSandbox): ApiObject {
  const { namespace, name, owner, launch, labels, podMetadata } = sandbox
  return {
    apiVersion: 'agents.x-k8s.io/v1beta1',
    kind: 'Sandbox',
    metadata: {
      namespace,
      name,
      labels: {
        ...labels,
        [LAUNCH_LABEL]: launch,
        [TEMPLATE_REF_LABEL]: nameHash(template.name),
      },
      annotations: { [TEMPLATE_ANNOTATION]: template.name },
      ownerReferences: [owner],
    },
    spec: withPodMetadata(template.blueprint, podMetadata),
  }
}

/** A spec with other labels and annotations of its pod. */
export function withPodMetadata(
  spec: JsonObject,
  { labels, annotations }: PodMetadata,
): JsonObject {
  const { podTemplate } = spec
  const others = isJsonObject(podTemplate) ? podTemplate : {}
  return {
    ...spec,
    podTemplate: {
      ...others,
      metadata: { labels: { ...labels }, annotations: { ...annotations } },
    },
  }
}
