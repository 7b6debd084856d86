import type { ComparisonOperator } from '../expression.ts'
import type { Span } from '../span.ts'

export type Keyword =
  | 'and'
  | 'or'
  | 'not'
  | 'in'
  | 'like'
  | 'ilike'
  | 'between'
  | 'is'
  | 'null'
  | 'true'
  | 'false'
export type Mark = '(' | ')' | '[' | ']' | ','

/** A token of a search. */
export type Token = Span &
  (
    | { readonly type: 'name'; readonly name: string }
    | { readonly type: 'label'; readonly key: string }
    | { readonly type: 'spec'; readonly path: readonly string[] }
    | { readonly type: 'keyword'; readonly keyword: Keyword }
    | { readonly type: 'string'; readonly value: string; readonly written?: string }
    | { readonly type: 'number'; readonly text: string; readonly decimal: string }
    | { readonly type: 'operator'; readonly operator: ComparisonOperator }
    | { readonly type: 'mark'; readonly mark: Mark }
    | InvalidToken
    | { readonly type: 'end' }
  )

/** A text that is invalid in any position. The parser reports it with its expectation. */
interface InvalidToken {
  readonly type: 'invalid'
  /** A description for the message; null to show the text itself. */
  readonly what: string | null
  readonly hint: string | null
}
