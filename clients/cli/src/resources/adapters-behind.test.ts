import { expect, test } from 'vitest'
import { adaptersBehind } from './adapters-behind.ts'

const TIMES = { created_time: '', last_updated_time: '', last_transition_time: '' }

function reported(type: string, generation: number, status: 'True' | 'False' = 'True') {
  return { type, status, observed_generation: generation, ...TIMES }
}

test('names adapters without success at exactly the current generation', () => {
  const conditions = [
    reported('Ready', 2, 'False'),
    reported('DoneSuccessful', 2),
    reported('FailedSuccessful', 2, 'False'),
    reported('LateSuccessful', 1),
    reported('AheadSuccessful', 3),
  ]
  const required = ['done', 'failed', 'late', 'ahead', 'missing']
  expect(adaptersBehind({ generation: 2, status: { conditions } }, required)).toEqual([
    'failed',
    'late',
    'ahead',
    'missing',
  ])
})
