import type { JsonValue } from '../../lib/json/json.ts'

export type Comparison = '==' | '!=' | '<' | '<=' | '>' | '>='

/** A step of a JSONPath. */
export type PathStep =
  | { readonly type: 'field'; readonly name: string }
  /** Elements from `start` to before `end`; negative numbers count from the end. */
  | { readonly type: 'slice'; readonly start: number | null; readonly end: number | null }
  | { readonly type: 'index'; readonly index: number }
  | { readonly type: 'wildcard' }
  /** All values below, the value itself included. */
  | { readonly type: 'descent' }
  /** Elements that have a value at a path. */
  | { readonly type: 'exists'; readonly path: JsonPath }
  | {
      readonly type: 'compare'
      readonly path: JsonPath
      readonly comparison: Comparison
      readonly value: JsonValue
    }

/** A parsed JSONPath. */
export type JsonPath = readonly PathStep[]
