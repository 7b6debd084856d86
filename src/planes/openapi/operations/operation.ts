import type { DeclaredParameter } from '../../model/resource-type.ts'
import type { PathParameter, QueryParameter } from './parameters.ts'

/** An operation in a form from which both versions of OpenAPI are written. */
export interface Operation {
  readonly path: string
  readonly method: 'get' | 'put' | 'post' | 'delete' | 'patch'
  /** Value of `x-kubernetes-action`. */
  readonly action: 'get' | 'list' | 'post' | 'put' | 'patch' | 'delete' | 'deletecollection'
  readonly id: string
  readonly tag: string
  readonly description: string
  readonly kind: { readonly group: string; readonly version: string; readonly kind: string }
  readonly pathParameters: readonly PathParameter[]
  readonly queryParameters: readonly QueryParameter[]
  /** Query parameters that only this operation has. */
  readonly ownParameters?: readonly DeclaredParameter[]
  /** Definition of the body; null without a body. */
  readonly body: { readonly definition: string; readonly required: boolean } | null
  /** Content types of the body. */
  readonly consumes: readonly string[]
  readonly produces: readonly string[]
  /** Definition of the response. */
  readonly response: string
  readonly codes: readonly number[]
}

const JSON_TYPES = ['application/json', 'application/yaml']

/** Content types of responses. */
export const PRODUCES: readonly string[] = JSON_TYPES
/** Content types of lists and watches. */
export const PRODUCES_WATCH: readonly string[] = [...JSON_TYPES, 'application/json;stream=watch']
