import { describe, expect, it } from 'vitest'
import { completeReport } from './validate-report.ts'
import { at, reportOf, reports } from '../conditions/fixtures.ts'

const sent = reportOf(reports('a', 'True', 3), 5)

describe('a report that leaves something out', () => {
  it('is about the generation of the resource', () => {
    expect(completeReport({ ...sent, observedGeneration: null }, 7, at(9))).toEqual({
      ...sent,
      observedGeneration: 7,
    })
  })

  it("is of the server's clock", () => {
    expect(completeReport({ ...sent, observedTime: null }, 7, at(9))).toEqual({
      ...sent,
      observedTime: at(9).toISOString(),
    })
  })

  it('keeps what was sent, 0 included', () => {
    const zero = { ...sent, observedGeneration: 0 }
    expect(completeReport(zero, 7, at(9))).toEqual(zero)
  })
})
