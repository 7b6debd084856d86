/** The state of a table of objects in the address. */
export interface ObjectsSearch {
  /** Only objects of this namespace. */
  readonly namespace?: string
  /** A label selector of Kubernetes. */
  readonly labels?: string
  /** A part of the name. */
  readonly name?: string
}

/** Reads the address of a table of objects. Unknown parameters are ignored. */
export function readObjectsSearch(search: Readonly<Record<string, unknown>>): ObjectsSearch {
  const { namespace, labels, name } = search
  return {
    ...(isText(namespace) && { namespace }),
    ...(isText(labels) && { labels }),
    ...(isText(name) && { name }),
  }
}

/** Reads the address of a form for a new object: the namespace that was chosen before. */
export function readNewObjectSearch(
  search: Readonly<Record<string, unknown>>,
): Pick<ObjectsSearch, 'namespace'> {
  const { namespace } = search
  return isText(namespace) ? { namespace } : {}
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== ''
}
