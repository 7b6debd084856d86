import { describe, expect, it } from 'vitest'
import { negotiate } from './negotiate.ts'

const json = { encoding: 'json', shape: 'object', metaVersion: 'v1' }

describe('R14: the Accept header', () => {
  it.each([
    [undefined, json],
    ['', json],
    ['*/*', json],
    ['application/*', json],
    ['application/json', json],
    ['text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', json],
    ['application/vnd.kubernetes.protobuf', json],
    ['application/vnd.kubernetes.protobuf,application/json', json],
    ['application/cbor,application/json;q=0.9', json],
    ['application/json;q=0.5,application/yaml', { ...json, encoding: 'yaml' }],
    ['application/yaml', { ...json, encoding: 'yaml' }],
    [
      'application/json;as=Table;v=v1;g=meta.k8s.io,application/json;as=Table;v=v1beta1;g=meta.k8s.io,application/json',
      { ...json, shape: 'table' },
    ],
    [
      'application/json;as=Table;g=meta.k8s.io;v=v1beta1, application/json',
      { ...json, shape: 'table', metaVersion: 'v1beta1' },
    ],
    [
      'application/vnd.kubernetes.protobuf;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1',
      { ...json, shape: 'metadata-list', omitsItemKinds: true },
    ],
    [
      'application/json;as=PartialObjectMetadata;g="meta.k8s.io";v=v1',
      { ...json, shape: 'metadata' },
    ],
    ['application/json;as=Unknown;g=meta.k8s.io;v=v1,application/json', json],
    ['application/json;as=Table;g=meta.k8s.io;v=v2,application/json', json],
    ['application/json;as=constructor;g=meta.k8s.io;v=v1,application/json', json],
    ['application/vnd.kubernetes.protobuf;as=Table;g=meta.k8s.io;v=v1,application/json', json],
    ['application/json;stream=watch', json],
  ])('R14: selects a representation for %j', (header, expected) => {
    expect(negotiate(header)).toEqual(expected)
  })

  it.each([
    'text/html',
    'application/xml',
    'application/json;q=0',
    'application/json;as=Table;g=meta.k8s.io;v=v2',
    'application/json;as=Table',
    'application/json;stream=other',
    ',;=,',
  ])('R14: rejects %j with a 406', (header) => {
    expect(() => negotiate(header)).toThrow(
      expect.objectContaining({
        code: 406,
        statusReason: 'NotAcceptable',
        message:
          'only the following media types are accepted: application/json, application/yaml, application/vnd.kubernetes.protobuf',
      }),
    )
  })

  it('R14: streams have no YAML form', () => {
    expect(negotiate('application/yaml,application/json;q=0.1', { isStream: true })).toEqual(json)
    expect(() => negotiate('application/yaml', { isStream: true })).toThrow(
      'application/json;stream=watch',
    )
  })
})
