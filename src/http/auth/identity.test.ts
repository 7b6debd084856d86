import { describe, expect, it } from 'vitest'
import { groupsOf } from './identity.ts'

const ALL = { prefix: '', all: [''] }
const RULE = { groupsClaim: 'groups', groups: ALL }

describe('the groups of a token', () => {
  it.each([
    [{ groups: ['sre', 'dev'] }, ['sre', 'dev']],
    [{ groups: 'sre' }, ['sre']],
    [{}, []],
    [{ groups: null }, []],
    [{ groups: [7, '', ' ', 'a\u0000b', 'sre'] }, ['sre']],
    [{ roles: ['sre'] }, []],
  ])('of the claims %j are %j', (claims, groups) => {
    expect(groupsOf(claims, RULE)).toEqual(groups)
  })

  it('come from the configured claim', () => {
    expect(
      groupsOf({ roles: ['sre'], groups: ['dev'] }, { ...RULE, groupsClaim: 'roles' }),
    ).toEqual(['sre'])
  })

  it('never include a name that is reserved for the server', () => {
    expect(groupsOf({ groups: ['system:masters', 'sre'] }, RULE)).toEqual(['sre'])
  })
})
