import { expect, it } from 'vitest'
import { operationDocument } from './operation-document.ts'

const DOCUMENT = {
  openapi: '3.1.0',
  info: { title: 'pets' },
  tags: [{ name: 'pets' }],
  servers: [{ url: '/base' }],
  paths: {
    '/pets/{pet}': {
      parameters: [{ $ref: '#/components/parameters/pet' }],
      get: {
        responses: {
          200: { $ref: '#/components/responses/Pet' },
          404: { $ref: '#/components/responses/Missing' },
        },
      },
      delete: { responses: { 204: { description: 'gone' } } },
    },
    '/shops': { get: { responses: { default: { $ref: '#/components/responses/Shop' } } } },
  },
  components: {
    parameters: { pet: { name: 'pet', in: 'path' } },
    responses: {
      Pet: { content: { 'application/json': { schema: { $ref: '#/components/schemas/Pet' } } } },
      Shop: { description: 'a shop' },
      Missing: { description: 'no such pet' },
    },
    schemas: {
      Pet: { discriminator: { mapping: { cat: '#/components/schemas/Cat' } } },
      Cat: {
        properties: { name: { type: 'string' }, mother: { $ref: '#/components/schemas/Cat' } },
      },
      Dog: {},
    },
  },
}

it('contains the operation with its references in place, and the components of the others', () => {
  const { parameters, schemas } = DOCUMENT.components
  const pet = { content: { 'application/json': { schema: schemas.Pet } } }
  expect(operationDocument(DOCUMENT, { template: '/pets/{pet}', method: 'get' })).toEqual({
    openapi: '3.1.0',
    servers: [{ url: '/base' }],
    paths: {
      '/pets/{pet}': { parameters: [parameters.pet], get: { responses: { 200: pet } } },
    },
    components: { schemas: { Cat: schemas.Cat } },
  })
})

it('contains no components if the operation refers to none', () => {
  const { paths, components } = operationDocument(
    { ...DOCUMENT, paths: { '/': { get: {} } } },
    { template: '/', method: 'get' },
  )
  expect({ paths, components }).toEqual({
    paths: { '/': { get: {} } },
    components: {},
  })
})
