import type { Schema } from '../../planes/model/schema.ts'
import {
  atomicList,
  definition,
  mapList,
  mapOf,
  TEXT,
  text,
} from '../../planes/native/schemas/field-schemas.ts'
import { DEFINITIONS } from './kplane-group.ts'

const OPEN_OBJECT: Schema = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true }

const NODE_POOL = definition(`${DEFINITIONS}.TemplateNodePool`, {
  description: 'A node pool that each member has at first.',
  properties: {
    name: text('Name of the node pool, unique in the template.'),
    labels: mapOf(TEXT, 'Labels of the node pool.'),
    spec: { ...OPEN_OBJECT, description: 'Spec of the node pool, as in the HyperFleet API.' },
  },
  required: ['name'],
})

/** The initial content of a member, in templates and scenarios alike. */
export const CONTENT_PROPERTIES: Readonly<Record<string, Schema>> = {
  labels: mapOf(TEXT, 'Labels of the cluster, in addition to kplane.dev/fleet.'),
  spec: { ...OPEN_OBJECT, description: 'Spec of the cluster, as in the HyperFleet API.' },
  nodePools: mapList(NODE_POOL, ['name'], 'Node pools of the cluster.'),
  objects: atomicList(
    { ...OPEN_OBJECT, 'x-kubernetes-embedded-resource': true },
    'Kubernetes manifests that the plane of the cluster has at first, up to 1 MiB.',
  ),
}

/** The content of members in a Fleet. */
export const TEMPLATE_SCHEMA: Schema = definition(`${DEFINITIONS}.FleetTemplate`, {
  description:
    'Initial content of members, written when they are created. In string values, ${name} is the name of the member and ${index} its number.',
  properties: {
    ...CONTENT_PROPERTIES,
    scenarioRef: definition(`${DEFINITIONS}.ScenarioReference`, {
      description: 'A Scenario with the content. It excludes the other fields of the template.',
      properties: { name: text('Name of the Scenario.') },
      required: ['name'],
    }),
  },
})
