import { expect, it } from 'vitest'
import { createApiError } from '../../../../typescript/src/errors/create-api-error.ts'
import { searchProblem } from './search-problem.ts'

function rejection(status: number, errors: readonly object[]) {
  return createApiError({
    status,
    code: 'HYPERFLEET-VAL-005',
    message: 'search: wrong',
    requestId: null,
    errors: errors.map((error) => ({ field: 'search', message: '', ...error })),
    retryAfter: null,
  })
}

it('marks the text that the server names', () => {
  const message = "expected a value after '=' at 12, found 'blue'; quote text with '"
  const error = rejection(400, [{ message, position: 12, length: 4 }])
  expect(searchProblem(error, 'labels.team=blue')).toEqual({
    message: "Expected a value after '=', found 'blue'; quote text with '",
    start: 12,
    end: 16,
  })
})

it('stays within the search', () => {
  const error = rejection(400, [{ message: 'x', position: 30, length: 9 }])
  expect(searchProblem(error, 'name=')).toMatchObject({ start: 5, end: 5 })
})

it('ignores errors that are not about the search', () => {
  expect(searchProblem(rejection(503, [{}]), 'name')).toBeNull()
  expect(searchProblem(new Error('x'), 'name')).toBeNull()
})
