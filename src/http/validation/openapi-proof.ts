import type { Request, RequestHandler, Response } from 'express'
import { error as openapiError, middleware } from 'express-openapi-validator'
import { assert } from '../../lib/assert.ts'
import type { Violation } from '../../lib/errors.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../../lib/json/json.ts'
import { bodyViolationsOf, withBodyViolations } from './body-stage.ts'
import { describeViolations, type SchemaError } from './describe-violation.ts'
import { bodySchemaOf, type OperationAddress } from './operation-address.ts'

interface Outcome {
  readonly violations: readonly Violation[]
  readonly address: OperationAddress
}

/**
 * A second validation with express-openapi-validator. It validates responses too: a response that
 * the document does not allow becomes a 500.
 */
export interface Proof {
  /** Validates the request and leaves it as it was. */
  readonly stage: RequestHandler
  /** Throws if the stage found other violations of the document's rules. */
  expectSame(request: Request, response: Response, outcome: Outcome): void
}

type Spec = Parameters<typeof middleware>[0]['apiSpec']

const ERRORS = 'proofErrors'
const MAX_DOCUMENTS = 4
/** Handlers by the text of their document, the last used one last. */
const HANDLERS = new Map<string, readonly RequestHandler[]>()

/** Makes the proof of a document's validation: for tests, and for servers that verify themselves. */
export function createProof(document: JsonObject): Proof {
  const handlers = handlersOf(document)
  return {
    stage: (request, response, next) => {
      const restore = asDescribed(request, response)
      runAll(handlers, request, response, (error) => {
        restore()
        const isRejected = error instanceof openapiError.BadRequest
        response.locals[ERRORS] = isRejected ? error.errors : []
        next(isRejected ? undefined : error)
      })
    },
    expectSame: (request, response, { violations, address }) => {
      const errors: readonly SchemaError[] = response.locals[ERRORS]
      const body: JsonValue = request.body ?? null
      const bodySchema = bodySchemaOf(document, address, request.headers['content-type'] ?? '')
      const expected = describeViolations(errors, { document, bodySchema, body })
      const [mine, theirs] = [violations, withBodyViolations(expected, response)].map(rulesOf)
      assert(
        mine === theirs,
        `express-openapi-validator disagrees: ${theirs}, and the validation found ${mine}`,
      )
    },
  }
}

/** Servers with the same document share its handlers, which take most of the time of a start. */
function handlersOf(document: JsonObject): readonly RequestHandler[] {
  const text = JSON.stringify(document)
  const handlers = HANDLERS.get(text) ?? createHandlers(document)
  HANDLERS.delete(text)
  HANDLERS.set(text, handlers)
  const [oldest] = HANDLERS.keys()
  if (HANDLERS.size > MAX_DOCUMENTS && oldest !== undefined) HANDLERS.delete(oldest)
  return handlers
}

function createHandlers(document: JsonObject): readonly RequestHandler[] {
  return middleware({
    apiSpec: documentToValidate(document),
    validateApiSpec: false,
    validateSecurity: false,
    validateRequests: { allErrors: true, allowUnknownQueryParameters: true },
    validateResponses: true,
    ajvFormats: { mode: 'full' },
    fileUploader: false,
  })
}

function rulesOf(violations: readonly Violation[]): string {
  const rules = violations.map(({ field, constraint, message }) => {
    return `${field} (${constraint ?? ''}): ${message}`
  })
  return rules.length === 0 ? 'nothing' : [...new Set(rules)].toSorted().join('; ')
}

/**
 * A copy, because the validator resolves references in place. The handlers check headers and the
 * reserved characters of parameters themselves, so these lose their rules.
 */
function documentToValidate(document: JsonObject): Spec {
  const copy: Spec = JSON.parse(
    JSON.stringify(document, (_key, value: JsonValue) => {
      if (!isJsonObject(value)) return value
      if (value['in'] === 'header') return { ...value, schema: { type: 'string' } }
      return value['in'] === 'query' ? { ...value, allowReserved: true } : value
    }),
  )
  return copy
}

/**
 * Gives a request the form that the validator needs; the result undoes this and the validator's
 * conversions. The validator finds the path by `originalUrl`, which may be an absolute URI or have a
 * fragment, and knows HEAD as GET.
 */
function asDescribed(request: Request, response: Response): () => void {
  const { method, originalUrl, params, query } = request
  // A rejected body is not used any more, and may be too deep to copy.
  const isRejected = bodyViolationsOf(response).length > 0
  const body: unknown = isRejected ? request.body : structuredClone(request.body)
  if (method === 'HEAD') request.method = 'GET'
  if (!originalUrl.startsWith('/') || originalUrl.includes('#')) {
    const [target = ''] = originalUrl.split('#')
    const start = target.indexOf('?')
    request.originalUrl = request.path + (start < 0 ? '' : target.slice(start))
  }
  return () => {
    Object.assign(request, { method, originalUrl, params, body })
    Object.defineProperty(request, 'query', { value: query, writable: true })
  }
}

function runAll(
  handlers: readonly RequestHandler[],
  ...[request, response, next]: Parameters<RequestHandler>
): void {
  const step = (index: number): void => {
    const handler = handlers[index]
    if (!handler) {
      next()
      return
    }
    let isDone = false
    const finish = (error?: unknown): void => {
      if (isDone) return
      isDone = true
      if (error === undefined) step(index + 1)
      else next(error)
    }
    try {
      void handler(request, response, finish)
    } catch (error) {
      finish(error)
    }
  }
  step(0)
}
