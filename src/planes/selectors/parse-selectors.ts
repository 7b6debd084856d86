import type { FieldRequirement, ObjectSelector } from '../../store/objects/model/object-query.ts'
import { badRequest } from '../errors/failures.ts'
import type { ResourceType, ResourceVersion } from '../model/resource-type.ts'
import { parseFieldSelector } from './parse-field-selector.ts'
import { parseLabelSelector } from './parse-label-selector.ts'

/** The selector of a list or watch. Absent and empty parameters select everything. Throws a 400. */
export function parseSelectors(
  parameters: { readonly labelSelector?: string; readonly fieldSelector?: string },
  type: ResourceType,
  version: ResourceVersion,
): ObjectSelector {
  const { fieldAliases = {} } = version
  const named = parseFieldSelector(parameters.fieldSelector ?? '')
  const fields = named.map((requirement) => ({
    ...requirement,
    field: Object.hasOwn(fieldAliases, requirement.field)
      ? (fieldAliases[requirement.field] ?? '')
      : requirement.field,
  }))
  checkFields(fields, type, version)
  return { labels: parseLabelSelector(parameters.labelSelector ?? ''), fields }
}

function checkFields(
  requirements: readonly FieldRequirement[],
  type: ResourceType,
  { selectableFields, fieldAliases = {} }: ResourceVersion,
): void {
  const hasOnlyDefaults = selectableFields.length === 0 && !type.isCustom
  const hasNamespace = type.namespaced || hasOnlyDefaults
  for (const { field } of requirements) {
    if (field === 'metadata.name' || selectableFields.includes(field)) continue
    if (Object.values(fieldAliases).includes(field)) continue
    if (field === 'metadata.namespace' && hasNamespace) continue
    const message = `${JSON.stringify(field)} is not a known field selector: only "metadata.name", "metadata.namespace"`
    throw badRequest(hasOnlyDefaults ? message : `field label not supported: ${field}`)
  }
}
