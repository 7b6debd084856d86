import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../lib/json/json.ts'
import { must } from '../../lib/assert.ts'
import type { ApiObject } from '../model/api-object.ts'
import { compileDefinition } from './compile-definition.ts'
import { type CallWebhook, createConverter } from './converter.ts'
import { establishedDefinition, versionOf } from './fixtures.ts'
import { objectOf, objectsOf, textOf } from '../../lib/json/json-fields.ts'

const VERSIONS = [versionOf('v1'), versionOf('v2')]
const CLIENT = { url: 'https://example.com/convert', caBundle: 'Y2E=' }
const WEBHOOK = {
  strategy: 'Webhook',
  webhook: { clientConfig: CLIENT, conversionReviewVersions: ['v1'] },
}
const OBJECT: ApiObject = {
  apiVersion: 'example.com/v1',
  kind: 'Fleet',
  metadata: { name: 'a', namespace: 'b', uid: 'u', resourceVersion: '5', finalizers: ['f'] },
  spec: { size: 1 },
}

function typeWith(conversion: JsonObject) {
  return must(
    compileDefinition(establishedDefinition({ versions: VERSIONS, conversion })),
    'a type',
  )
}

function reply(change: (object: JsonObject) => JsonObject, calls: JsonObject[] = []): CallWebhook {
  return ({ body }) => {
    calls.push(body)
    const request = objectOf(body['request'])
    const convertedObjects = objectsOf(request['objects']).map((object) => ({
      ...change(object),
      apiVersion: textOf(request['desiredAPIVersion']),
    }))
    const response = {
      uid: textOf(request['uid']),
      result: { status: 'Success' },
      convertedObjects,
    }
    return Promise.resolve({
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'ConversionReview',
      response,
    })
  }
}

const TO_V2 = { type: typeWith(WEBHOOK), version: 'v2' }

describe('createConverter', () => {
  it('R36: changes only the version without a webhook', async () => {
    const convert = createConverter({ callWebhook: () => Promise.reject(new Error('unused')) })
    const to = { type: typeWith({ strategy: 'None' }), version: 'v2' }
    expect(await convert([OBJECT], to)).toEqual([{ ...OBJECT, apiVersion: 'example.com/v2' }])
  })

  it('R36: converts all objects of another version in one call', async () => {
    const calls: JsonObject[] = []
    const convert = createConverter({
      callWebhook: reply((object) => ({ ...object, spec: { count: 1 } }), calls),
    })
    const current = { ...OBJECT, apiVersion: 'example.com/v2' }
    const second = { ...OBJECT, metadata: { ...OBJECT.metadata, name: 'c' } }
    const converted = await convert([OBJECT, current, second], TO_V2)
    expect(converted.map(({ spec }) => spec)).toEqual([{ count: 1 }, { size: 1 }, { count: 1 }])
    expect(converted[0]?.metadata).toEqual(OBJECT.metadata)
    expect(calls).toHaveLength(1)
    expect(calls[0]).toMatchObject({
      kind: 'ConversionReview',
      request: { desiredAPIVersion: 'example.com/v2', objects: [OBJECT, second] },
    })
  })

  it('R36: passes the configuration of the webhook to the client', async () => {
    const seen: unknown[] = []
    const convert = createConverter({
      callWebhook: (call) => {
        seen.push(call.clientConfig, call.name)
        return Promise.reject(new Error('connection refused'))
      },
    })
    await expect(convert([OBJECT], TO_V2)).rejects.toThrow(
      'conversion webhook for example.com/v2, Kind=Fleet failed: connection refused',
    )
    expect(seen).toEqual([CLIENT, 'fleets.example.com'])
  })

  it('R36: ignores changes of metadata other than labels and annotations', async () => {
    const metadata = {
      ...OBJECT.metadata,
      resourceVersion: '9',
      finalizers: [],
      labels: { a: 'b' },
    }
    const convert = createConverter({ callWebhook: reply((object) => ({ ...object, metadata })) })
    expect((await convert([OBJECT], TO_V2))[0]?.metadata).toEqual({
      ...OBJECT.metadata,
      labels: { a: 'b' },
    })
  })

  it.each([
    [
      'a changed name',
      { metadata: { ...OBJECT.metadata, name: 'x' } },
      'metadata.name must not change',
    ],
    ['another kind', { kind: 'Other' }, 'expected kind=Fleet, got Other'],
    [
      'a label that is no text',
      { metadata: { ...OBJECT.metadata, labels: { a: 1 } } },
      'must be texts',
    ],
  ])('R36: rejects %s', async (_name, change, message) => {
    const convert = createConverter({ callWebhook: reply((object) => ({ ...object, ...change })) })
    await expect(convert([OBJECT], TO_V2)).rejects.toThrow(message)
  })

  it.each([
    [{}, 'the response is not a ConversionReview'],
    [{ kind: 'ConversionReview', response: { uid: 'x' } }, 'expected response.uid='],
    [{ kind: 'ConversionReview', response: [] }, 'expected response.uid='],
  ])('R36: rejects the response %j', async (response, message) => {
    const convert = createConverter({ callWebhook: () => Promise.resolve(response) })
    await expect(convert([OBJECT], TO_V2)).rejects.toThrow(message)
  })
})
