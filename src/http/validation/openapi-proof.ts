import type { Request, RequestHandler, Response } from 'express'
import { error as openapiError } from 'express-openapi-validator'
import { AjvOptions } from 'express-openapi-validator/dist/framework/ajv/options.js'
import { ResponseValidator } from 'express-openapi-validator/dist/middlewares/openapi.response.validator.js'
import { OpenApiValidator } from 'express-openapi-validator/dist/openapi.validator.js'
import { assert } from '../../lib/assert.ts'
import { BoundedMap } from '../../lib/bounded-map.ts'
import type { Violation } from '../../lib/errors.ts'
import { valueAt } from '../../lib/json/json-pointer.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../../lib/json/json.ts'
import { bodyViolationsOf, withBodyViolations } from './body-stage.ts'
import { describeViolations, type SchemaError } from './describe-violation.ts'
import { bodySchemaOf, type OperationAddress } from './operation-address.ts'
import { operationDocument } from './operation-document.ts'

interface Outcome {
  readonly violations: readonly Violation[]
  readonly address: OperationAddress
}

/**
 * A second validation with express-openapi-validator. It validates responses too: a response that
 * the document does not allow becomes a 500.
 */
export interface Proof {
  /** Validates the requests of an operation and leaves them as they were. */
  stageOf(address: OperationAddress): RequestHandler
  /** Throws if the stage found other violations of the document's rules. */
  expectSame(request: Request, response: Response, outcome: Outcome): void
}

type CompiledResponses = ReturnType<ResponseValidator['_getOrBuildValidator']>
type ApiDoc = ConstructorParameters<typeof ResponseValidator>[0]
type Spec = Awaited<Parameters<OpenApiValidator['installMiddleware']>[0]>

const ERRORS = 'proofErrors'
/** Handlers by the text of the document of their operation. */
const HANDLERS = new BoundedMap<readonly RequestHandler[]>(200)
/** Compiled schemas by the text of the responses that they describe. */
const RESPONSES = new BoundedMap<CompiledResponses>(200)

/** Makes the proof of a document's validation: for tests, and for servers that verify themselves. */
export function createProof(document: JsonObject): Proof {
  return {
    stageOf: (address) => {
      let handlers: readonly RequestHandler[] | null = null
      return (request, response, next) => {
        handlers ??= handlersOf(document, address)
        const restore = asDescribed(request, response)
        runAll(handlers, request, response, (error) => {
          restore()
          const isRejected = error instanceof openapiError.BadRequest
          response.locals[ERRORS] = isRejected ? error.errors : []
          next(isRejected ? undefined : error)
        })
      }
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

/**
 * Each operation has its own validator. A validator of the whole document takes 0.3 seconds to create
 * and traverses the document for each schema. Errors are not sent through `response.json`, so their
 * schemas would be compiled and not used. Servers share operations with the same description.
 */
function handlersOf(document: JsonObject, address: OperationAddress): readonly RequestHandler[] {
  const part = operationDocument(document, address)
  const text = JSON.stringify([address, part])
  const handlers = HANDLERS.get(text) ?? createHandlers(part, address)
  HANDLERS.set(text, handlers)
  return handlers
}

/** Unlike the exported `middleware`, this does not compile the schema of OpenAPI for each document. */
function createHandlers(part: JsonObject, address: OperationAddress): readonly RequestHandler[] {
  const apiDoc = documentToValidate(part)
  const { template, method } = address
  const basePath = apiDoc.servers?.[0]?.url ?? ''
  const openApiRoute = basePath + template
  const route = {
    basePath,
    openApiRoute,
    expressRoute: openApiRoute.replaceAll(/\{(\w+)\}/g, ':$1'),
    method: method.toUpperCase(),
    pathParams: [],
  }
  const validator = new OpenApiValidator({
    apiSpec: apiDoc,
    validateSecurity: false,
    validateRequests: { allErrors: true, allowUnknownQueryParameters: true },
    validateResponses: true,
    ajvFormats: { mode: 'full' },
    fileUploader: false,
  })
  // The package has no options for these.
  const ajv = new PlainOptions(Reflect.get(validator, 'options'))
  Reflect.set(validator, 'ajvOpts', ajv)
  const described = [valueAt(part, ['paths', template, method, 'responses']), part['components']]
  const text = JSON.stringify(described)
  Reflect.set(validator, 'responseValidationMiddleware', (document: ApiDoc, serial: number) =>
    new SharedResponses(text, document, ajv.response, {}, serial).validate(),
  )
  return validator.installMiddleware(
    Promise.resolve({ apiDoc, basePaths: [basePath], routes: [route], serial: 1 }),
  )
}

/** Optimizing the code takes a third of the compilation, and most validators run only a few times. */
class PlainOptions extends AjvOptions {
  override get request() {
    return { ...super.request, code: { optimize: false } }
  }

  override get response() {
    return { ...super.response, code: { optimize: false } }
  }
}

/** Responses with the same description are compiled once, for all operations and types of requests. */
class SharedResponses extends ResponseValidator {
  readonly #text: string

  constructor(text: string, ...rest: ConstructorParameters<typeof ResponseValidator>) {
    super(...rest)
    this.#text = text
  }

  override _getOrBuildValidator(
    ...request: Parameters<ResponseValidator['_getOrBuildValidator']>
  ): CompiledResponses {
    const compiled = RESPONSES.get(this.#text) ?? super._getOrBuildValidator(...request)
    RESPONSES.set(this.#text, compiled)
    return compiled
  }
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
function documentToValidate(document: JsonObject): Spec['apiDoc'] {
  const copy: Spec['apiDoc'] = JSON.parse(
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
      // The handler of responses reports its errors when the response is sent.
      if (isDone && error !== undefined) next(error)
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
