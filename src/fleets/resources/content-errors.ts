import { isJsonObject, type JsonObject, type JsonValue } from '../../lib/json/json.ts'
import { type PlaceholderValues, replacePlaceholders } from '../../lib/json/replace-placeholders.ts'
import { forbiddenValue } from '../../planes/errors/field-errors.ts'
import type { FieldError } from '../../planes/model/field-error.ts'
import { FLEET_LABEL } from '../types/kplane-group.ts'
import type { ContentRules } from './content-rules.ts'
import { listOf } from '../../lib/json/json-fields.ts'

/** The first violations are enough to find a mistake. */
const MAX_ERRORS = 100

/** The violations of the content of members, in a template or a Scenario. */
export async function contentErrors(
  rules: ContentRules,
  content: JsonObject,
  { field, sample }: { readonly field: string; readonly sample: PlaceholderValues },
): Promise<readonly FieldError[]> {
  const filled = replacePlaceholders<JsonObject>(content, sample)
  const { labels = {}, spec = {} } = filled
  const body = { name: sample.name, labels, spec }
  const errors = [
    ...labelErrors(labels, field),
    ...rules.clusterErrors(body, field),
    ...listOf(filled['nodePools']).flatMap((pool, index) =>
      isJsonObject(pool)
        ? rules.nodePoolErrors({ spec: {}, ...pool }, `${field}.nodePools[${index}]`)
        : [],
    ),
    ...(await rules.manifestErrors(listOf(content['objects']), `${field}.objects`, sample)),
  ]
  return errors.slice(0, MAX_ERRORS)
}

function labelErrors(labels: JsonValue, field: string): readonly FieldError[] {
  if (!isJsonObject(labels) || !Object.hasOwn(labels, FLEET_LABEL)) return []
  return [forbiddenValue(`${field}.labels[${FLEET_LABEL}]`, 'the server sets this label')]
}
