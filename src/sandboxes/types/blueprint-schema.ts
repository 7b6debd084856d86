import type { Schema } from 'flotilla/planes'
import {
  atomicList,
  choice,
  definition,
  flag,
  mapOf,
  TEXT,
  text,
  textList,
} from 'flotilla/planes/native'
import { POD_TEMPLATE_SCHEMA } from './pod-template-schema.ts'
import { flotilla } from './maturity.ts'
import { AGENTS_DEFINITIONS } from './sandbox-groups.ts'

const CLAIM_METADATA = definition(`${AGENTS_DEFINITIONS}.EmbeddedObjectMetadata`, {
  description: 'Name, labels and annotations.',
  properties: {
    name: text('Name, unique in the sandbox.'),
    labels: mapOf(TEXT, 'Labels.'),
    annotations: mapOf(TEXT, 'Annotations.'),
  },
})

const CLAIM_SPEC: Schema = {
  ...definition(`${AGENTS_DEFINITIONS}.PersistentVolumeClaimSpec`, {
    description: 'Spec of the claim. Fields that the runtime does not use are kept.',
    properties: {
      accessModes: textList('Kept. The sandbox is the only user of the volume.'),
      storageClassName: text('Kept.'),
      resources: {
        type: 'object',
        description: 'Kept.',
        'x-kubernetes-preserve-unknown-fields': true,
      },
    },
  }),
  'x-kubernetes-preserve-unknown-fields': true,
}

/** A volume of a sandbox. */
export const VOLUME_CLAIM_TEMPLATE_SCHEMA = definition(
  `${AGENTS_DEFINITIONS}.PersistentVolumeClaimTemplate`,
  {
    description: 'A volume that survives the process and that snapshots include.',
    properties: { metadata: CLAIM_METADATA, spec: CLAIM_SPEC },
    required: ['spec'],
  },
)

/** A rule of a NetworkPolicy. */
const RULE: Schema = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true }

const NETWORK_POLICY = definition(`${AGENTS_DEFINITIONS}.NetworkPolicySpec`, {
  description: 'The networks that the program may connect to. Nothing connects to a sandbox.',
  properties: {
    mode: flotilla(
      choice(
        ['None', 'Internet'],
        'None: only the sandbox itself. Internet: public addresses. Without mode and egress, it is Internet if the runtime offers it.',
      ),
    ),
    egress: atomicList(
      RULE,
      'Rules of a NetworkPolicy: to (ipBlock, domainNames) and ports. An empty list permits nothing.',
    ),
    ingress: atomicList(RULE, 'Kept: nothing connects to a sandbox.'),
  },
})

/** The fields that sandboxes and their templates share. */
export const BLUEPRINT_PROPERTIES: Readonly<Record<string, Schema>> = {
  podTemplate: POD_TEMPLATE_SCHEMA,
  volumeClaimTemplates: atomicList(VOLUME_CLAIM_TEMPLATE_SCHEMA, 'Volumes of the sandbox.'),
  networkPolicy: NETWORK_POLICY,
  service: flag('Whether the sandbox has a headless Service. Kept: planes have no Services.'),
}
