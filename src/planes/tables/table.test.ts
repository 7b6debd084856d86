import { describe, expect, it } from 'vitest'
import type { PrinterColumn, ResourceVersion } from '../model/resource-type.ts'
import { partialMetadataList } from './partial-metadata.ts'
import { parseIncludeObject, tableOf } from './table.ts'

const NOW = new Date('2026-01-01T00:05:30Z')
const OBJECT = {
  apiVersion: 'example.com/v1',
  kind: 'Site',
  metadata: {
    name: 'web',
    resourceVersion: '7',
    creationTimestamp: '2026-01-01T00:00:00Z',
    managedFields: [],
  },
  spec: { replicas: 3.5, host: 'a', isOpen: true, tags: ['x'] },
}

function version(printerColumns: readonly PrinterColumn[]): ResourceVersion {
  return {
    name: 'v1',
    served: true,
    schema: {},
    printerColumns,
    selectableFields: [],
    hasStatus: false,
    scale: null,
  }
}

const options = { includeObject: 'Metadata', metaVersion: 'v1', now: NOW } as const

describe('R14: tables', () => {
  it('R14: the default columns are Name and Age', () => {
    expect(tableOf([OBJECT], version([]), options)).toEqual({
      kind: 'Table',
      apiVersion: 'meta.k8s.io/v1',
      metadata: { resourceVersion: '7' },
      columnDefinitions: [
        expect.objectContaining({ name: 'Name', type: 'string', format: 'name', priority: 0 }),
        expect.objectContaining({ name: 'Age', type: 'date', format: '', priority: 0 }),
      ],
      rows: [
        {
          cells: ['web', '5m30s'],
          object: {
            kind: 'PartialObjectMetadata',
            apiVersion: 'meta.k8s.io/v1',
            metadata: {
              name: 'web',
              resourceVersion: '7',
              creationTimestamp: '2026-01-01T00:00:00Z',
            },
          },
        },
      ],
    })
  })

  it('R14: cells have the type of their column', () => {
    const columns: readonly PrinterColumn[] = [
      { name: 'Host', type: 'string', jsonPath: '.spec.host' },
      { name: 'Tags', type: 'string', jsonPath: '.spec.tags', priority: 1 },
      { name: 'Integer', type: 'integer', jsonPath: '.spec.replicas' },
      { name: 'Number', type: 'number', jsonPath: '.spec.replicas' },
      { name: 'Open', type: 'boolean', jsonPath: '.spec.isOpen' },
      { name: 'Wrong', type: 'boolean', jsonPath: '.spec.host' },
      { name: 'Missing', type: 'string', jsonPath: '.spec.missing' },
      { name: 'Broken', type: 'string', jsonPath: '[' },
      { name: 'Computed', type: 'string', jsonPath: '', cell: ({ kind }) => kind },
    ]
    const table = tableOf([OBJECT], version(columns), options)
    expect(table['rows']).toEqual([
      expect.objectContaining({
        cells: ['web', 'a', '["x"]', 3, 3.5, true, null, null, null, 'Site'],
      }),
    ])
  })

  it('R14: a native type may place the name itself', () => {
    const columns: readonly PrinterColumn[] = [
      { name: 'Host', type: 'string', jsonPath: '.spec.host' },
      { name: 'Name', type: 'string', format: 'name', priority: 1, jsonPath: '.metadata.name' },
    ]
    expect(tableOf([OBJECT], version(columns), options)['rows']).toEqual([
      expect.objectContaining({ cells: ['a', 'web'] }),
    ])
  })

  it('R14: rows include nothing, metadata or the object', () => {
    const partOf = (includeObject: 'None' | 'Metadata' | 'Object', object = OBJECT) =>
      tableOf([object], version([]), { ...options, includeObject })['rows']
    const { managedFields: _, ...metadata } = OBJECT.metadata
    expect(partOf('None')).toEqual([expect.objectContaining({ object: null })])
    expect(partOf('Object')).toEqual([expect.objectContaining({ object: { ...OBJECT, metadata } })])
    const annotations = { 'k8s.io/initial-events-end': 'true' }
    const bookmark = { ...OBJECT, metadata: { ...OBJECT.metadata, annotations } }
    expect(partOf('None', bookmark)).toEqual([
      expect.objectContaining({
        object: expect.objectContaining({ kind: 'PartialObjectMetadata' }),
      }),
    ])
  })

  it('R14: later events of a watch have no column definitions', () => {
    const table = tableOf([OBJECT], version([]), { ...options, noHeaders: true })
    expect(table['columnDefinitions']).toBeNull()
  })

  it('R14: includeObject is None, Metadata or Object', () => {
    expect(parseIncludeObject(undefined)).toBe('Metadata')
    expect(parseIncludeObject('Object')).toBe('Object')
    expect(() => parseIncludeObject('All')).toThrow(expect.objectContaining({ code: 400 }))
  })

  it('R14: a PartialObjectMetadataList keeps the metadata of the list', () => {
    const list = {
      apiVersion: 'example.com/v1',
      kind: 'SiteList',
      metadata: { resourceVersion: '9', continue: 'x' },
      items: [OBJECT],
    }
    expect(partialMetadataList(list, 'v1')).toEqual({
      kind: 'PartialObjectMetadataList',
      apiVersion: 'meta.k8s.io/v1',
      metadata: list.metadata,
      items: [
        { kind: 'PartialObjectMetadata', apiVersion: 'meta.k8s.io/v1', metadata: OBJECT.metadata },
      ],
    })
  })
})
