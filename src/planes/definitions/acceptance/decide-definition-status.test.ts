import { describe, expect, it } from 'vitest'
import type { ApiObject } from '../../model/api-object.ts'
import type { JsonObject } from '../../../lib/json/json.ts'
import { decideDefinitionStatus } from './decide-definition-status.ts'

const NOW = new Date('2026-01-01T00:00:00Z')

function definition(names: JsonObject, status: JsonObject = {}, group = 'example.com'): ApiObject {
  const all = {
    plural: 'fleets',
    singular: 'fleet',
    kind: 'Fleet',
    listKind: 'FleetList',
    ...names,
  }
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${all.plural}.${group}` },
    spec: { group, names: all },
    status,
  }
}

function accepted(names: JsonObject, group?: string): ApiObject {
  const object = definition(names, {}, group)
  return { ...object, status: decideDefinitionStatus(object, [], NOW) ?? {} }
}

describe('decideDefinitionStatus', () => {
  it('R36: accepts free names and establishes the definition', () => {
    expect(decideDefinitionStatus(definition({ shortNames: ['fl'] }), [], NOW)).toEqual({
      acceptedNames: {
        plural: 'fleets',
        kind: 'Fleet',
        singular: 'fleet',
        listKind: 'FleetList',
        shortNames: ['fl'],
      },
      conditions: [
        {
          type: 'NamesAccepted',
          status: 'True',
          reason: 'NoConflicts',
          message: 'no conflicts found',
          lastTransitionTime: '2026-01-01T00:00:00Z',
        },
        {
          type: 'Established',
          status: 'True',
          reason: 'InitialNamesAccepted',
          message: 'the initial names have been accepted',
          lastTransitionTime: '2026-01-01T00:00:00Z',
        },
      ],
    })
  })

  it('R36: changes nothing if the status is current', () => {
    expect(decideDefinitionStatus(accepted({}), [], new Date())).toBeNull()
  })

  it('R36: reports a name that another definition of the group uses', () => {
    const names = { plural: 'boats', singular: 'boat', kind: 'Fleet', listKind: 'BoatList' }
    const status = decideDefinitionStatus(definition(names), [accepted({})], NOW)
    expect(status).toMatchObject({
      acceptedNames: { plural: 'boats', kind: '' },
      conditions: [
        {
          type: 'NamesAccepted',
          status: 'False',
          reason: 'KindConflict',
          message: '"Fleet" is already in use',
        },
        { type: 'Established', status: 'False', reason: 'NotAccepted' },
      ],
    })
  })

  it('R36: ignores the names of other groups', () => {
    const status = decideDefinitionStatus(definition({}), [accepted({}, 'other.com')], NOW)
    expect(status).toMatchObject({ conditions: [{ status: 'True' }, { status: 'True' }] })
  })

  it('R36: keeps an established definition and its names when a new short name is in use', () => {
    const established = accepted({})
    const changed = {
      ...definition({ shortNames: ['bt'] }),
      status: established['status'] ?? null,
    }
    const other = accepted({ plural: 'boats', singular: 'bt', kind: 'Boat', listKind: 'BoatList' })
    expect(decideDefinitionStatus(changed, [changed, other], NOW)).toMatchObject({
      acceptedNames: { plural: 'fleets', kind: 'Fleet' },
      conditions: [
        { type: 'NamesAccepted', status: 'False', reason: 'ShortNamesConflict' },
        { type: 'Established', status: 'True' },
      ],
    })
  })
})
