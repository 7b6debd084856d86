/** A type of the API, independent of the language of an SDK. */
export type TypeNode =
  | { readonly kind: 'string' | 'integer' | 'number' | 'boolean' | 'null' | 'unknown' }
  | { readonly kind: 'literal'; readonly value: string | number | boolean }
  | { readonly kind: 'array'; readonly items: TypeNode }
  | { readonly kind: 'map'; readonly values: TypeNode }
  | { readonly kind: 'union'; readonly members: readonly TypeNode[] }
  | { readonly kind: 'intersection'; readonly members: readonly TypeNode[] }
  | { readonly kind: 'reference'; readonly name: string }
  | ObjectNode

export interface ObjectNode {
  readonly kind: 'object'
  readonly properties: readonly Property[]
  /** Whether objects may have further properties of any type. */
  readonly isOpen: boolean
}

export interface Property {
  readonly name: string
  readonly type: TypeNode
  readonly isRequired: boolean
  readonly description: string | null
}

/** A schema among the components of a document. */
export interface Declaration {
  readonly name: string
  readonly description: string | null
  readonly type: TypeNode
}

/** A document whose schemas the SDKs have as types. */
export interface SdkDocument {
  /** The name of the module, such as `hyperfleet`. */
  readonly name: string
  /** The title of the document. */
  readonly title: string
  /** Sorted by name. */
  readonly declarations: readonly Declaration[]
}
