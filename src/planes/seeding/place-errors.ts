import { duplicateValue, invalidValue } from '../errors/field-errors.ts'
import type { FieldError } from '../model/field-error.ts'
import { type Place, placeText } from './seed-context.ts'

/** The place of a manifest's object. */
export interface PlacedObject {
  /** The path of the manifest. */
  readonly field: string
  readonly place: Place
}

/**
 * The objects that have the same place as another one or as an initial object of planes, or whose
 * namespace is missing.
 */
export function placeErrors(
  objects: readonly PlacedObject[],
  initial: ReadonlySet<string>,
): readonly FieldError[] {
  const seen = new Set<string>()
  const namespaces = new Set(
    objects
      .map(({ place }) => place)
      .filter(({ resource }) => resource === 'namespaces')
      .map(placeText),
  )
  return objects.flatMap(({ field, place }) => {
    const { name, namespace } = place
    const text = placeText(place)
    const isRepeated = seen.has(text)
    seen.add(text)
    if (isRepeated) return [duplicateValue(`${field}.metadata.name`, name)]
    if (initial.has(text)) {
      const detail = 'every plane has this object from the start'
      return [invalidValue(`${field}.metadata.name`, name, detail)]
    }
    const space = placeText({ resource: 'namespaces', namespace: '', name: namespace })
    if (namespace === '' || namespaces.has(space) || initial.has(space)) return []
    const detail = 'the list has no such namespace, and planes have none from the start'
    return [invalidValue(`${field}.metadata.namespace`, namespace, detail)]
  })
}
