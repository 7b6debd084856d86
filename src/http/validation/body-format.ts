import type { Violation } from '../../lib/errors.ts'
import type { JsonObject, JsonValue } from '../../lib/json/json.ts'
import { jsonPatchRules } from '../patching/json-patch-rules.ts'
import { PATCH_TYPES } from '../patching/patch-types.ts'
import { MAX_DEPTH, jsonViolations } from '../json/check-json.ts'
import { parseJson, parseJsonObject } from '../json/parse-json-object.ts'

/** A body, and its violations of rules that a schema cannot express. */
interface CheckedBody {
  readonly body: JsonValue
  readonly violations: readonly Violation[]
}

/** A content type that a route accepts. */
export interface BodyFormat {
  readonly type: string
  /** Throws `malformed` if the text is not in this format. */
  readonly check: (text: string) => CheckedBody
}

/** Rules that the schema of a route's body cannot express. They must tolerate any JSON object. */
export type BodyRules = (body: JsonObject) => readonly Violation[]

/** A patch nests values one level deeper than a resource: `[{"value": ...}]`. */
const DEEPEST_OF_PATCH = MAX_DEPTH + 1

/** A JSON object. */
export function jsonFormat(rules: BodyRules = () => [], maxDepth = MAX_DEPTH): BodyFormat {
  return {
    type: 'application/json',
    check: (text) => {
      const body = parseJsonObject(text)
      return { body, violations: [...jsonViolations(text, { maxDepth }), ...rules(body)] }
    },
  }
}

/** The formats of a PATCH that can change these fields. `rules` apply to a JSON body. */
export function patchFormats(members: readonly string[], rules: BodyRules): readonly BodyFormat[] {
  return PATCH_TYPES.map((type) => {
    switch (type) {
      case 'application/json':
        return jsonFormat(rules)
      case 'application/merge-patch+json':
        return { ...jsonFormat(), type }
      case 'application/json-patch+json':
        return { type, check: (text) => checkJsonPatch(text, members) }
    }
  })
}

/** The schema rejects JSON that is not a JSON Patch. */
function checkJsonPatch(text: string, members: readonly string[]): CheckedBody {
  const body = parseJson(text)
  const violations = [
    ...jsonViolations(text, { maxDepth: DEEPEST_OF_PATCH }),
    ...jsonPatchRules(body, members),
  ]
  return { body, violations }
}
