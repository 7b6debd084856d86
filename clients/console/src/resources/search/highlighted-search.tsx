import type { SearchProblem } from './search-problem.ts'
import css from './search-field.module.css'
import { searchTokens } from './search-token.ts'

interface HighlightedSearchProps {
  readonly search: string
  readonly problem: SearchProblem | null
}

/** The text of the search in colours, below the transparent text of the input. */
export function HighlightedSearch({ search, problem }: HighlightedSearchProps) {
  const parts = searchTokens(search).map((token, index, tokens) => {
    const gap = search.slice(tokens[index - 1]?.end ?? 0, token.start)
    const isWrong =
      problem !== null &&
      token.start < Math.max(problem.end, problem.start + 1) &&
      token.end > problem.start
    return (
      <span key={token.start}>
        {gap}
        <span className={`${css[`token-${token.kind}`] ?? ''} ${isWrong ? css['wrong'] : ''}`}>
          {token.text}
        </span>
      </span>
    )
  })
  const isAtEnd = problem !== null && problem.start >= search.trimEnd().length
  return (
    <>
      {parts}
      {isAtEnd && <span className={css['wrong']}>{'  '}</span>}
    </>
  )
}
