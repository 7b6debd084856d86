import type { Schema } from 'flotilla/planes'
import {
  AGE_COLUMN,
  choice,
  definition,
  integer,
  mapList,
  NAME_COLUMN,
  nativeType,
  text,
  withDefault,
} from 'flotilla/planes/native'
import { BLUEPRINT_PROPERTIES } from './blueprint-schema.ts'
import { stable } from './maturity.ts'
import { oldSameKind } from './old-same-kind.ts'
import { EXTENSIONS_DEFINITIONS, EXTENSIONS_GROUP, EXTENSIONS_VERSION } from './sandbox-groups.ts'

const POLICIES = ['Allowed', 'Overrides', 'Disallowed'] as const

const GENERATED_SECRET = definition(`${EXTENSIONS_DEFINITIONS}.GeneratedSecretSpec`, {
  description: 'A Secret with random values that each sandbox gets.',
  properties: {
    name: {
      ...text('Name that the pod template uses for the Secret.'),
      maxLength: 63,
      pattern: '^[a-z0-9]([-a-z0-9]*[a-z0-9])?$',
    },
    data: {
      ...mapList(
        definition(`${EXTENSIONS_DEFINITIONS}.GeneratedSecretDataSpec`, {
          description: 'A random value.',
          properties: {
            key: text('Key in the Secret.'),
            lengthBytes: withDefault(
              { ...integer('Number of random bytes.'), minimum: 32, maximum: 128 },
              32,
            ),
          },
          required: ['key'],
        }),
        ['key'],
        'Keys of the Secret.',
      ),
      minItems: 1,
    },
  },
  required: ['name', 'data'],
})

const SPEC: Schema = stable(
  definition(`${EXTENSIONS_DEFINITIONS}.SandboxTemplateSpec`, {
    description: 'The sandboxes that pools and claims create.',
    properties: {
      ...BLUEPRINT_PROPERTIES,
      networkPolicyManagement: withDefault(
        choice(['Managed', 'Unmanaged'], 'Unmanaged: networkPolicy has no effect.'),
        'Managed',
      ),
      envVarsInjectionPolicy: withDefault(
        choice(POLICIES, 'Whether claims may add or replace environment variables.'),
        'Disallowed',
      ),
      volumeClaimTemplatesPolicy: withDefault(
        choice(POLICIES, 'Whether claims may add or replace volume claim templates.'),
        'Disallowed',
      ),
      generatedSecrets: mapList(GENERATED_SECRET, ['name'], 'Secrets of each sandbox.'),
    },
    required: ['podTemplate'],
  }),
)

const SHAPE = {
  properties: { spec: SPEC },
  required: ['spec'],
  printerColumns: [NAME_COLUMN, AGE_COLUMN],
}

/** The type of templates of sandboxes. */
export const SANDBOX_TEMPLATE_TYPE = nativeType({
  group: EXTENSIONS_GROUP,
  version: EXTENSIONS_VERSION,
  kind: 'SandboxTemplate',
  plural: 'sandboxtemplates',
  definitions: EXTENSIONS_DEFINITIONS,
  shortNames: ['sandboxtemplate'],
  categories: ['sandboxes'],
  namespaced: true,
  description: 'A workload for warm pools and claims.',
  ...SHAPE,
  oldVersion: oldSameKind(SHAPE),
  hasGeneration: true,
  mergesStrategically: false,
})
