import type { SearchedFields } from '../../../store/objects/model/object-write.ts'
import type { ApiObject } from '../../model/api-object.ts'
import type { ResourceVersion } from '../../model/resource-type.ts'
import { fieldText } from '../../../store/objects/selection/field-text.ts'

/** The labels and selectable fields of an object, which filtered watches compare. */
export function searchedFields(
  object: ApiObject,
  { selectableFields }: Pick<ResourceVersion, 'selectableFields'>,
): SearchedFields {
  return {
    labels: object.metadata.labels ?? {},
    fields: Object.fromEntries(selectableFields.map((path) => [path, fieldText(object, path)])),
  }
}
