import type { Request, RequestHandler, Response } from 'express'
import type { ValidateFunction } from 'ajv/dist/2020.js'
import { invalid, type Violation } from '../../lib/errors.ts'
import type { JsonValue } from '../../lib/json/json.ts'
import { bodyViolationsOf, withBodyViolations } from './body-stage.ts'
import { describeViolations } from './describe-violation.ts'
import type { Proof } from './openapi-proof.ts'
import { bodySchemaOf, bodySchemaPath, type OperationAddress } from './operation-address.ts'
import { createQueryCheck } from './query-check.ts'
import { type SchemaCompiler, schemaErrorsOf } from './schema-compiler.ts'

/** The validation of requests against one document. */
export interface RequestValidation {
  /** The stages that validate a request of this operation: its query, and the body if it has one. */
  stages(address: OperationAddress): readonly RequestHandler[]
  /** Null if express-openapi-validator does not run as well. */
  readonly proof: Proof | null
}

/** Validates requests with the compiled document, and with the proof if there is one. */
export function createRequestValidation(
  compiler: SchemaCompiler,
  proof: Proof | null,
): RequestValidation {
  return {
    proof,
    stages: (address) => {
      const violationsOf = createViolations(compiler, address)
      const stage: RequestHandler = (request, response, next) => {
        const violations = violationsOf(request, response)
        proof?.expectSame(request, response, { violations, address })
        if (violations.length > 0) throw invalid(violations)
        next()
      }
      return proof ? [proof.stageOf(address), stage] : [stage]
    },
  }
}

/** Finds everything that is wrong with a request: rules of the schemas first, then those in code. */
function createViolations(
  compiler: SchemaCompiler,
  address: OperationAddress,
): (request: Request, response: Response) => readonly Violation[] {
  const { document } = compiler
  const queryErrors = createQueryCheck(compiler, address)
  const bodies = new Map<string, ValidateFunction | null>()

  function bodyValidator(type: string): ValidateFunction | null {
    const known = bodies.get(type)
    if (known !== undefined) return known
    const isDescribed = bodySchemaOf(document, address, type) !== null
    const compiled = isDescribed ? compiler.compileAt(bodySchemaPath(address, type)) : null
    bodies.set(type, compiled)
    return compiled
  }

  return (request, response) => {
    const body: JsonValue | undefined = request.body
    const type = request.headers['content-type'] ?? ''
    const validate = body === undefined ? null : bodyValidator(type)
    const isValid = validate === null || validate(body)
    const errors = [...queryErrors(request), ...(isValid ? [] : schemaErrorsOf(validate, 'body'))]
    if (errors.length === 0) return bodyViolationsOf(response)
    const bodySchema = bodySchemaOf(document, address, type)
    const bySchema = describeViolations(errors, { document, bodySchema, body: body ?? null })
    return withBodyViolations(bySchema, response)
  }
}
