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

/** The smallest piece that the parser sees. */
export type Token = Span &
  (
    | { readonly type: 'name'; readonly name: string }
    | { readonly type: 'label'; readonly key: string }
    | { readonly type: 'spec'; readonly path: readonly string[] }
    | { readonly type: 'keyword'; readonly keyword: Keyword }
    | { readonly type: 'string'; readonly value: string }
    | { readonly type: 'number'; readonly text: string }
    | { readonly type: 'operator'; readonly operator: ComparisonOperator }
    | { readonly type: 'mark'; readonly mark: Mark }
    | InvalidToken
    | { readonly type: 'end' }
  )

/** A piece that is wrong wherever it stands: the parser reports it with what it expected there. */
interface InvalidToken {
  readonly type: 'invalid'
  /** What the piece is, where its text does not say it. */
  readonly what: string | null
  readonly hint: string | null
}
