import { describe, expect, it } from 'vitest'
import { allSteps } from '../../lib/async/steps.ts'
import type { ApiObject } from '../model/api-object.ts'
import { decodeInput } from '../schemas/decode-input.ts'
import { objectErrors } from '../schemas/object-errors.ts'
import { CUSTOM_RESOURCE_DEFINITIONS } from './custom-resource-definitions.ts'
import { CONTEXT, definitionOf, establishedDefinition, versionOf } from './fixtures.ts'
import { definitionErrors } from './validate-definition.ts'

function texts(object: ApiObject, old: ApiObject | null = null): readonly string[] {
  return allSteps(definitionErrors(object, old)).map(({ field, message }) => `${field}: ${message}`)
}

describe('custom resource definitions', () => {
  it('R36: sets names, conversion and the stored version', () => {
    expect(definitionOf()).toMatchObject({
      spec: {
        names: { plural: 'fleets', singular: 'fleet', kind: 'Fleet', listKind: 'FleetList' },
        conversion: { strategy: 'None' },
      },
      status: { storedVersions: ['v1'] },
    })
    expect(texts(definitionOf())).toEqual([])
  })

  it('R36: accepts a definition through its own schema without dropping the nested schema', async () => {
    const object = definitionOf()
    const schema = CUSTOM_RESOURCE_DEFINITIONS.type.versions[0]?.schema ?? {}
    const warnings: string[] = []
    const decoded = await decodeInput(object, {
      schema,
      fieldValidation: 'Warn',
      warn: (text) => warnings.push(text),
    })
    expect(warnings).toEqual([])
    expect(decoded).toMatchObject(object)
    expect(await objectErrors(decoded, null, schema)).toEqual([])
  })

  it("R36: rejects invalid names with Kubernetes' words", () => {
    const names = { plural: 'Fleets', kind: 'Fleet', listKind: 'Fleet' }
    expect(texts(definitionOf({ group: 'example', names, scope: 'Planet' }))).toEqual([
      'metadata.name: Invalid value: "fleets.example.com": must be spec.names.plural+"."+spec.group',
      'spec.group: Invalid value: "example": should be a domain with at least one dot',
      'spec.scope: Unsupported value: "Planet": supported values: "Cluster", "Namespaced"',
      expect.stringContaining('spec.names.plural: Invalid value: "Fleets": a DNS-1035 label'),
      'spec.names.listKind: Invalid value: "Fleet": kind and listKind may not be the same',
    ])
  })

  it('R36: requires exactly one storage version, unique names and schemas', () => {
    const versions = [
      versionOf('v1', { storage: false, schema: {} }),
      versionOf('v1', { storage: false }),
    ]
    expect(texts(definitionOf({ versions }))).toEqual([
      'spec.versions: Invalid value: ["v1","v1"]: must contain unique version names',
      'spec.versions: Invalid value: ["v1","v1"]: must have exactly one version marked as storage version',
      'spec.versions[0].schema.openAPIV3Schema: Required value',
      'status.storedVersions: Invalid value: []: must have at least one stored version',
    ])
  })

  it('R36: rejects schemas that are not structural, but not unchanged ones', () => {
    const schema = { openAPIV3Schema: { type: 'object', properties: { spec: {} } } }
    const object = definitionOf({ versions: [versionOf('v1', { schema })] })
    expect(texts(object)).toEqual([
      'spec.versions[0].schema.openAPIV3Schema.properties[spec].type: Required value: must not be empty for specified object fields',
    ])
    expect(texts(object, object)).toEqual([])
  })

  it('R36: checks subresources, columns and selectable fields', () => {
    const version = versionOf('v1', {
      subresources: { scale: { specReplicasPath: '.status.a', statusReplicasPath: '.status.b' } },
      additionalPrinterColumns: [{ name: 'A', type: 'text', jsonPath: 'spec.a' }],
      selectableFields: [{ jsonPath: '.spec.replicas' }, { jsonPath: '.spec' }, { jsonPath: '.x' }],
    })
    expect(texts(definitionOf({ versions: [version] }))).toEqual([
      'spec.versions[0].subresources.scale.specReplicasPath: Invalid value: ".status.a": should be a json path under .spec',
      'spec.versions[0].additionalPrinterColumns[0].type: Invalid value: "text": must be one of boolean,date,integer,number,string',
      'spec.versions[0].additionalPrinterColumns[0].jsonPath: Invalid value: "spec.a": must be a simple json path starting with .',
      'spec.versions[0].selectableFields[1].jsonPath: Invalid value: ".spec": must point to a field of type string, boolean or integer. Enum string fields and strings with formats are allowed.',
      'spec.versions[0].selectableFields[2].jsonPath: Invalid value: ".x": is an invalid path: does not refer to a valid field',
    ])
  })

  it('R36: checks the conversion', () => {
    const url = 'https://user@example.com/convert'
    const webhook = { clientConfig: { url }, conversionReviewVersions: ['v1beta1'] }
    expect(texts(definitionOf({ conversion: { strategy: 'Webhook', webhook } }))).toEqual([
      `spec.conversion.webhook.clientConfig.url: Invalid value: "${url}": user information is not permitted in the URL`,
      'spec.conversion.webhook.conversionReviewVersions: Invalid value: ["v1beta1"]: must include at least one of v1',
    ])
    expect(texts(definitionOf({ conversion: { strategy: 'Webhook' } }))).toEqual([
      'spec.conversion.webhook.clientConfig: Required value: required when strategy is set to Webhook',
    ])
  })

  it('R36: keeps scope and kind once the names are accepted, and group and plural always', () => {
    const old = establishedDefinition()
    const names = { plural: 'fleets', kind: 'Other' }
    expect(
      texts({ ...old, spec: definitionOf({ names, scope: 'Cluster' })['spec'] ?? null }, old),
    ).toEqual([
      'spec.scope: Invalid value: "Cluster": field is immutable',
      'spec.names.kind: Invalid value: "Other": field is immutable',
    ])
  })

  it('R36: keeps stored versions until they are migrated', () => {
    const old = definitionOf({ versions: [versionOf('v1'), versionOf('v2')] })
    const versions = [versionOf('v2', { storage: true })]
    const changed = CUSTOM_RESOURCE_DEFINITIONS.strategy?.prepareUpdate?.(
      { ...old, spec: definitionOf({ versions })['spec'] ?? null },
      old,
      CONTEXT,
    )
    expect(changed).toMatchObject({ status: { storedVersions: ['v1', 'v2'] } })
    expect(changed && texts(changed, old)[0]).toContain(
      'status.storedVersions[0]: Invalid value: "v1": missing from spec.versions; v1 was previously a storage version',
    )
  })

  it('R36: requires an approval for protected groups', () => {
    const object = definitionOf({ group: 'apps.k8s.io' })
    const metadata = { name: 'fleets.apps.k8s.io' }
    expect(texts({ ...object, metadata })[0]).toContain('protected groups must have approval')
    const annotations = { 'api-approved.kubernetes.io': 'https://example.com' }
    expect(texts({ ...object, metadata: { ...metadata, annotations } })).toEqual([])
  })

  it('R36: marks a deleted definition and delays its removal', () => {
    expect(
      CUSTOM_RESOURCE_DEFINITIONS.strategy?.prepareDelete?.(establishedDefinition(), CONTEXT),
    ).toMatchObject({
      metadata: { finalizers: ['customresourcecleanup.apiextensions.k8s.io'] },
      status: {
        conditions: [
          { type: 'NamesAccepted' },
          { type: 'Established' },
          { type: 'Terminating', status: 'True', lastTransitionTime: '2026-01-01T00:00:00Z' },
        ],
      },
    })
  })
})
