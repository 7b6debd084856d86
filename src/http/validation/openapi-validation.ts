import type { ErrorRequestHandler, RequestHandler, Response } from 'express'
import { error as openapiError, middleware } from 'express-openapi-validator'
import { FlotillaError, invalid, type Violation } from '../../lib/errors.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../../lib/json/json.ts'
import type { KindRoute } from '../../core/registry/kind-routes.ts'
import { bodySchemaOf } from '../../apis/hyperfleet/validation/body-schema.ts'
import { bodyViolationsOf } from './body-stage.ts'
import { describeViolations, type SchemaError } from './describe-violation.ts'

interface Options {
  readonly document: JsonObject
  /** Answers are checked too; a wrong one fails the request. For tests. */
  readonly validateResponses: boolean
}

type Spec = Parameters<typeof middleware>[0]['apiSpec']

/** Checks requests against the document, all rules at once. */
export function openapiValidation(options: Options): RequestHandler[] {
  const handlers = middleware({
    apiSpec: documentToValidate(options.document),
    validateApiSpec: false,
    validateSecurity: false,
    validateRequests: { allErrors: true, allowUnknownQueryParameters: true },
    validateResponses: options.validateResponses,
    // The validator's default takes the 30th of February for a date.
    ajvFormats: { mode: 'full' },
    fileUploader: false,
  })
  return [originForm, headAsGet, ...handlers]
}

/**
 * A copy, as the validator resolves references in place. Header parameters lose their rules: the
 * handlers check headers themselves, also of requests that need no validator.
 */
function documentToValidate(document: JsonObject): Spec {
  const copy: Spec = JSON.parse(
    JSON.stringify(document, (_key, value: JsonValue) => {
      const isHeader = isJsonObject(value) && value['in'] === 'header'
      return isHeader ? { ...value, schema: { type: 'string' } } : value
    }),
  )
  return copy
}

/** The validator finds the path by `originalUrl`, which may be an absolute URI or have a fragment. */
const originForm: RequestHandler = (request, _response, next) => {
  const { originalUrl } = request
  if (!originalUrl.startsWith('/') || originalUrl.includes('#')) {
    const [target = ''] = originalUrl.split('#')
    const query = target.indexOf('?')
    request.originalUrl = request.path + (query < 0 ? '' : target.slice(query))
  }
  next()
}

const HEAD = 'head'

/** Whether the answer has no body, whatever its method is taken for. */
export function isHead(response: Response): boolean {
  return response.locals[HEAD] === true
}

/** The document describes HEAD by GET. Node leaves the body out; the log still sees the method. */
const headAsGet: RequestHandler = (request, response, next) => {
  if (request.method === 'HEAD') {
    request.method = 'GET'
    response.locals[HEAD] = true
    response.prependOnceListener('close', () => {
      request.method = 'HEAD'
    })
  }
  next()
}

/** Refuses a body that the schema lets pass and the rules beyond it do not. */
export const rejectBodyViolations: RequestHandler = (_request, response, next) => {
  const violations = bodyViolationsOf(response)
  next(violations.length > 0 ? invalid(violations) : undefined)
}

/** Turns the validator's failures on one route into ours, with what only code can check. */
export function translateValidationErrors(
  document: JsonObject,
  route: Pick<KindRoute, 'template' | 'method'>,
): ErrorRequestHandler {
  return (error: unknown, request, response, next) => {
    if (!(error instanceof openapiError.BadRequest)) {
      next(error)
      return
    }
    const schemaErrors: readonly SchemaError[] = error.errors
    const body: JsonValue = request.body ?? null
    const bodySchema = bodySchemaOf(document, route, request.headers['content-type'] ?? '')
    const bySchema = describeViolations(schemaErrors, { document, bodySchema, body })
    const beyond = bodyViolationsOf(response).filter((rule) => !bySchema.some(sameRule(rule)))
    const violations = [...bySchema, ...beyond]
    next(
      violations.length > 0
        ? invalid(violations)
        : new FlotillaError('invalid', error.message, { cause: error }),
    )
  }
}

/** The schema may have refused a member for what a rule beyond it refuses too. */
function sameRule({ field, constraint }: Violation): (other: Violation) => boolean {
  return (other) => other.field === field && other.constraint === constraint
}
