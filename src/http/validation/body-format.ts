import type { Violation } from '../../lib/errors.ts'
import type { JsonObject, JsonValue } from '../../lib/json/json.ts'
import { jsonPatchRules } from '../patching/json-patch-rules.ts'
import { PATCH_TYPES } from '../patching/patch-types.ts'
import { endLongTurn, stepsInTurns } from '../../lib/async/steps.ts'
import { MAX_DEPTH, jsonViolationsInSteps } from '../json/check-json.ts'
import { parseJson, parseJsonObjectInTurns } from '../json/parse-json-object.ts'

/** A body, and its violations of rules that a schema cannot express. */
interface CheckedBody {
  readonly body: JsonValue
  readonly violations: readonly Violation[]
}

/** A content type that a route accepts. */
export interface BodyFormat {
  readonly type: string
  /** Throws `malformed` if the text is not in this format. Handles other events between its stages. */
  readonly check: (text: string) => Promise<CheckedBody>
}

/** Rules that the schema of a route's body cannot express. They must tolerate any JSON object. */
export type BodyRules = (body: JsonObject) => readonly Violation[]

/** A patch nests values one level deeper than a resource: `[{"value": ...}]`. */
const DEEPEST_OF_PATCH = MAX_DEPTH + 1

/** A JSON object. */
export function jsonFormat(rules: BodyRules = () => [], maxDepth = MAX_DEPTH): BodyFormat {
  return {
    type: 'application/json',
    check: async (text) => {
      const body = await parseJsonObjectInTurns(text)
      await endLongTurn()
      const violations = await stepsInTurns(jsonViolationsInSteps(text, { maxDepth }))
      return { body, violations: [...violations, ...rules(body)] }
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
async function checkJsonPatch(text: string, members: readonly string[]): Promise<CheckedBody> {
  const body = parseJson(text)
  await endLongTurn()
  const violations = await stepsInTurns(jsonViolationsInSteps(text, { maxDepth: DEEPEST_OF_PATCH }))
  return { body, violations: [...violations, ...jsonPatchRules(body, members)] }
}
