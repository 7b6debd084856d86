import { describe, expect, it } from 'vitest'
import { removalAdapters } from './deletion-plan.ts'

const KIND = { required_adapters: ['validator', 'dns'] }
const REPORTS = [{ adapter: 'dns' }, { adapter: 'janitor' }]

describe('the adapters that a removal waits for', () => {
  it('are those of the kind', () => {
    expect(removalAdapters({}, KIND, REPORTS)).toEqual(['validator', 'dns'])
  })

  it('are none if the resource requires none and no adapter has reported', () => {
    expect(removalAdapters({ required_adapters: [] }, KIND, [])).toEqual([])
  })

  it('are those that the resource declares, and those that have reported', () => {
    const resource = { required_adapters: ['dns'] }
    expect(removalAdapters(resource, KIND, REPORTS)).toEqual(['dns', 'janitor'])
  })
})
