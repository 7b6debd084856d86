import { isDeepStrictEqual } from 'node:util'
import type { Request } from 'express'
import { WEBHOOK_EVENTS, type WebhookFields } from '../../store/model/webhook.ts'
import { applyJsonPatch } from '../../http/patching/json-patch.ts'
import type { PatchOperation } from '../../http/patching/patch-step.ts'
import { patchTypeOf } from '../../http/patching/patch-types.ts'
import { patchFormats } from '../../http/validation/body-format.ts'
import { describeViolations } from '../../http/validation/describe-violation.ts'
import { type SchemaCompiler, schemaErrorsOf } from '../../http/validation/schema-compiler.ts'
import { invalid } from '../../lib/errors.ts'
import type { JsonObject } from '../../lib/json/json.ts'
import { lazy } from '../../lib/lazy.ts'

const FIELDS = ['url', 'description', 'kinds', 'search', 'events', 'state'] as const
const PATH = ['components', 'schemas', 'WebhookPatchRequest'] as const

/** The formats of a PATCH of a webhook. */
export const WEBHOOK_PATCH_FORMATS = patchFormats(FIELDS, () => [])

/** The fields that a patch changes. */
export type WebhookPatch = (current: WebhookFields) => Partial<WebhookFields>

interface Options {
  readonly compiler: SchemaCompiler
  /** Bytes. */
  readonly bodyLimit: number
}

/** Reads the validated body of a PATCH. The result of a JSON Patch obeys the schema of a merge patch. */
export function createWebhookPatches({
  compiler,
  bodyLimit,
}: Options): (request: Request) => WebhookPatch {
  const validator = lazy(() => compiler.compileAt(PATH))
  const requireValid = (body: JsonObject): void => {
    const validate = validator()
    if (validate(body)) return
    const errors = schemaErrorsOf(validate, 'body')
    const { document } = compiler
    throw invalid(
      describeViolations(errors, { document, bodySchema: { $ref: `#/${PATH.join('/')}` }, body }),
    )
  }
  return ({ headers, body }) => {
    if (patchTypeOf(headers['content-type']) !== 'application/json-patch+json') {
      const changed = changedFieldsOf(body)
      return () => changed
    }
    const operations: readonly PatchOperation[] = body
    return (current) => {
      const changed = changesOf(current, operations, bodyLimit)
      if (Object.keys(changed).length > 0) requireValid(changed)
      return changedFieldsOf(changed)
    }
  }
}

/** The merge patch with the same effect as a JSON Patch: null for removed fields. */
function changesOf(
  current: WebhookFields,
  operations: readonly PatchOperation[],
  bodyLimit: number,
): JsonObject {
  const { kinds, events } = current
  const before: JsonObject = {
    ...Object.fromEntries(FIELDS.map((name) => [name, current[name]])),
    kinds: [...kinds],
    events: [...events],
  }
  const after = applyJsonPatch(before, operations, { bodyLimit })
  const changed = FIELDS.filter((name) => !isDeepStrictEqual(before[name], after[name]))
  return Object.fromEntries(changed.map((name) => [name, after[name] ?? null]))
}

/** The fields that a validated merge patch changes. Null restores the default. */
function changedFieldsOf(body: Partial<WebhookFields> | JsonObject): Partial<WebhookFields> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the schema is validated
  const { url, description, kinds, search, events, state } = body as Partial<WebhookFields>
  return {
    ...(url !== undefined && { url }),
    ...(description !== undefined && { description: description ?? '' }),
    ...(kinds !== undefined && { kinds: kinds ?? [] }),
    ...(search !== undefined && { search: search ?? '' }),
    ...(events !== undefined && { events: events ?? WEBHOOK_EVENTS }),
    ...(state !== undefined && { state }),
  }
}
