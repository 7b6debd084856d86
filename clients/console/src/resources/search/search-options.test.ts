import { describe, expect, it } from 'vitest'
import { labelField, labelKeyOf, quoted } from './search-option.ts'
import { searchOptions } from './search-options.ts'
import { searchPlace } from './search-place.ts'

const VOCABULARY = {
  labelKeys: ['environment', 'region', 'my key'],
  labelValues: ['production', "it's"],
  conditionTypes: ['Ready', 'DnsSuccessful'],
  hasParent: false,
}

function labelsFor(text: string): readonly string[] {
  return searchOptions(searchPlace(text, text.length), VOCABULARY).map(({ label }) => label)
}

function insertsFor(text: string): readonly string[] {
  return searchOptions(searchPlace(text, text.length), VOCABULARY).map(({ insert }) => insert)
}

describe('completions of a search', () => {
  it('begin with conditions and labels', () => {
    expect(labelsFor('').slice(0, 3)).toEqual([
      'status.conditions.Ready',
      'status.conditions.DnsSuccessful',
      'labels.environment',
    ])
  })

  it('find a label by its key alone', () => {
    expect(labelsFor('env')).toContain('labels.environment')
  })

  it('offer names for a word that is no field', () => {
    expect(insertsFor('paris_1')).toEqual([String.raw`name like 'paris\_1%' `])
  })

  it('offer the operators that a field accepts', () => {
    expect(labelsFor('generation ')).toContain('between')
    expect(labelsFor('generation ')).not.toContain('like')
    expect(labelsFor('status.conditions.Ready ')).toEqual([
      '=',
      '!=',
      'in',
      'is null',
      'is not null',
    ])
    expect(labelsFor('name ')).toContain('like')
  })

  it('offer the values of a label, quoted', () => {
    expect(insertsFor('labels.environment = ')).toEqual(["'production' ", "'it''s' "])
    expect(insertsFor("labels.environment = 'prod")).toEqual(["'production' "])
    expect(insertsFor("labels.environment in ('prod")).toEqual(["'production'"])
  })

  it('offer the statuses of a condition', () => {
    expect(labelsFor('status.conditions.Ready = ')).toEqual(['True', 'False'])
  })

  it('continue with and, or', () => {
    expect(labelsFor("name = 'paris' ")).toEqual(['and', 'or'])
  })
})

describe('fields of labels', () => {
  it.each(['team', 'app.kubernetes.io/name', 'my key', 'a"b'])('name the key %s again', (key) => {
    expect(labelKeyOf(labelField(key))).toBe(key)
  })

  it('quote keys that searches cannot read without', () => {
    const keys = ['team', 'k8s.io/name', 'a,b', 'a..b', '.a', 'a.']
    const fields = ['team', 'k8s.io/name', '"a,b"', '"a..b"', '".a"', '"a."']
    expect(keys.map(labelField)).toEqual(fields.map((key) => `labels.${key}`))
  })

  it('quotes text', () => {
    expect(quoted("it's")).toBe("'it''s'")
  })
})
