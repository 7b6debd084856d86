import { expect, it } from 'vitest'
import { operationDocument } from './operation-document.ts'

const DOCUMENT = {
  openapi: '3.1.0',
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
      Cat: { properties: { mother: { $ref: '#/components/schemas/Cat/properties/name' } } },
      Dog: {},
    },
  },
}

it('contains the operation, what its path shares, and the components of its successes', () => {
  const { parameters: shared } = DOCUMENT.paths['/pets/{pet}']
  const { parameters, responses, schemas } = DOCUMENT.components
  expect(operationDocument(DOCUMENT, { template: '/pets/{pet}', method: 'get' })).toEqual({
    ...DOCUMENT,
    paths: {
      '/pets/{pet}': {
        parameters: shared,
        get: { responses: { 200: { $ref: '#/components/responses/Pet' } } },
      },
    },
    components: {
      parameters,
      responses: { Pet: responses.Pet },
      schemas: { Pet: schemas.Pet, Cat: schemas.Cat },
    },
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
