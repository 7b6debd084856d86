import { describe, expect, it } from 'vitest'
import { completeReport } from './validate-report.ts'
import { at, reportOf, reports } from '../conditions/fixtures.ts'

const sent = reportOf(reports('a', 'True', 3), 5)

describe('a report with omitted fields', () => {
  it('gets the generation of the resource', () => {
    expect(completeReport({ ...sent, observedGeneration: null }, 7, at(9))).toEqual({
      ...sent,
      observedGeneration: 7,
    })
  })

  it("gets the server's time", () => {
    expect(completeReport({ ...sent, observedTime: null }, 7, at(9))).toEqual({
      ...sent,
      observedTime: at(9).toISOString(),
    })
  })

  it('keeps the sent values, including 0', () => {
    const zero = { ...sent, observedGeneration: 0 }
    expect(completeReport(zero, 7, at(9))).toEqual(zero)
  })
})
