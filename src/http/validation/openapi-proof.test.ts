import express, { type ErrorRequestHandler } from 'express'
import { createServer, type Server } from 'node:http'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { listen } from '../../lib/listen.ts'
import { createProof } from './openapi-proof.ts'

const DOCUMENT = {
  openapi: '3.1.0',
  info: { title: 'pets', version: '1' },
  servers: [{ url: '/base' }],
  paths: {
    '/pets/{pet}': {
      get: {
        parameters: [
          { name: 'pet', in: 'path', required: true, schema: { type: 'string' } },
          { name: 'age', in: 'query', schema: { type: 'integer' } },
        ],
        responses: { 200: { $ref: '#/components/responses/Pet' } },
      },
    },
  },
  components: {
    responses: {
      Pet: {
        description: 'a pet',
        content: { 'application/json': { schema: { $ref: '#/components/schemas/Pet' } } },
      },
    },
    schemas: { Pet: { type: 'object', required: ['name'] } },
  },
}

const address = { template: '/pets/{pet}', method: 'get' }
const proof = createProof(DOCUMENT)
let server: Server
let origin: string

beforeAll(async () => {
  const app = express()
  app.get('/base/pets/:pet', proof.stageOf(address), (request, response) => {
    const body = request.params['pet'] === 'nameless' ? {} : { name: request.params['pet'] }
    proof.expectSame(request, response, { violations: [], address })
    response.json(body)
  })
  const onError: ErrorRequestHandler = (error, _request, response, _next) => {
    response.status(500).end(String(error))
  }
  app.use(onError)
  server = createServer(app)
  origin = `http://127.0.0.1:${await listen(server, 0, '127.0.0.1')}/base`
})
afterAll(() => server.close())

it.each([
  ['/pets/rex', 200, '{"name":"rex"}'],
  ['/pets/rex?age=7', 200, '{"name":"rex"}'],
  ['/pets/rex?age=old', 500, 'express-openapi-validator disagrees: age (type)'],
  ['/pets/nameless', 500, "must have required property 'name'"],
])('answers %s with %i', async (path, status, text) => {
  const response = await fetch(origin + path)
  expect(await response.text()).toContain(text)
  expect(response.status).toBe(status)
})
