import type { ErrorRequestHandler, RequestHandler } from 'express'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { serveApp, type TestServer } from './fixtures.ts'
import { joinStages } from './stages.ts'

let server: TestServer
let passed: string[] = []

/** Fails as the query says. */
function stage(name: string): RequestHandler {
  return (request, _response, next) => {
    passed.push(name)
    const { at, how } = request.query
    if (at !== name) return next()
    if (how === 'throw') throw new Error(name)
    if (how === 'reject') return Promise.reject(new Error(name))
    // oxlint-disable-next-line typescript/prefer-promise-reject-errors -- what a stage must not do
    if (how === 'reject nothing') return Promise.reject()
    return next(how === 'error' ? new Error(name) : how)
  }
}

function later(name: string): RequestHandler {
  const now = stage(name)
  return async (...exchange) => {
    await Promise.resolve()
    await now(...exchange)
  }
}

function failures(name: string): ErrorRequestHandler {
  return (error: unknown, _request, response, _next) => {
    response.json({ passed, caughtBy: name, error: error instanceof Error ? error.message : error })
  }
}

const end: RequestHandler = (_request, response) => {
  response.json({ passed })
}

const HANDLERS = [stage('a'), later('b'), failures('first'), stage('c'), stage('d'), end]

beforeAll(async () => {
  server = await serveApp((app) => {
    for (const handler of joinStages(HANDLERS)) app.use('/joined', handler)
    app.use('/separate', ...HANDLERS)
    app.get('/route', ...joinStages([stage('a'), stage('b'), end]))
    app.get('/route', (_request, response) => void response.json({ passed, route: 'next' }))
    app.use(failures('last'))
  })
})
afterAll(() => server[Symbol.asyncDispose]())

async function passing(path: string): Promise<unknown> {
  passed = []
  const response = await fetch(server.url + path)
  return await response.json()
}

test('joins handlers between handlers of errors', () => {
  expect(joinStages(HANDLERS)).toHaveLength(3)
  expect(joinStages([])).toEqual([])
})

test('runs all stages in order', async () => {
  expect(await passing('/joined')).toEqual({ passed: ['a', 'b', 'c', 'd'] })
})

test.each(
  ['a', 'b', 'c', 'd'].flatMap((at) => ['throw', 'reject', 'error'].map((how) => ({ at, how }))),
)('passes an error on like Express: $how at $at', async ({ at, how }) => {
  const query = `?at=${at}&how=${how}`
  const result = await passing(`/joined${query}`)
  expect(result).toEqual(await passing(`/separate${query}`))
  expect(result).toMatchObject({ error: at, caughtBy: at < 'c' ? 'first' : 'last' })
})

test('runs no further stage after a rejection without an error', async () => {
  expect(await passing('/joined?at=a&how=reject%20nothing')).toMatchObject({
    passed: ['a'],
    error: 'a stage failed without an error',
  })
})

test('leaves a route whose stage passes on to the next one', async () => {
  expect(await passing('/route?at=a&how=route')).toEqual({ passed: ['a'], route: 'next' })
})
