/** One pattern that reads badly, with the reason and a better way to write it. */
export interface ProseRule {
  readonly name: string
  /** Matched without case. A space matches any white space, so that phrases may span lines. */
  readonly pattern: string
  readonly reason: string
  readonly suggestion: string
}

const PLACES =
  'addresses|address|at|decides?|document|finds?|folders?|from|knows?|machines?|of|pages?|' +
  'places?|positions?|says?|sections?|sees?|shows?|to'

const WHERE_IS_PLACE = `(?<!\\b(?:${PLACES}) )`

/** The words that a rewrite may have left behind in comments, test titles and documentation. */
export const PROSE_RULES: readonly ProseRule[] = [
  {
    name: 'where',
    pattern: `${WHERE_IS_PLACE}\\bwhere (?!to\\b|clauses?\\b|conditions?\\b|possible\\b|needed\\b)`,
    reason: '"where" is for places and SQL',
    suggestion: 'use if, when or unless',
  },
  {
    name: 'what-is',
    pattern:
      '\\bwhat (?:(?:is|are|was|were|has|have|had|there|comes|came|remains|remained|stands|stood|' +
      'follows|followed|belongs|arrived|arrives|goes|went)\\b|' +
      '(?:it|they|he|she|one) (?!do|does|did|means?|costs?|contains?|returns?)\\w+)',
    reason: 'the clause hides its noun',
    suggestion: 'name the noun: "the stored row", "reports that arrive during the write"',
  },
  {
    name: 'leading-what',
    pattern: '(?<=^|[.] )what (?![^.]*\\?)',
    reason: 'the comment hides its noun',
    suggestion: 'begin with the noun: "The dependencies of ..."',
  },
  {
    name: 'tell',
    pattern: '\\b(?:tells?|told|telling)\\b',
    reason: 'a vague verb',
    suggestion: 'use send, emit, notify, report or distinguish',
  },
  {
    name: 'somebody',
    pattern: '\\b(?:nobody|somebody|whoever|anybody)\\b',
    reason: 'the actor has no name',
    suggestion: 'name the actor: callers, clients, other processes',
  },
  { name: 'anew', pattern: '\\banew\\b', reason: 'archaic', suggestion: 'use again' },
  {
    name: 'at-once',
    pattern: '\\bat once\\b',
    reason: 'ambiguous',
    suggestion: 'use immediately, together or in one statement',
  },
  {
    name: 'so-many',
    pattern: '\\bso many\\b',
    reason: 'the amount has no name',
    suggestion: 'name the amount: N, this number of',
  },
  {
    name: 'of-its-own',
    pattern: '\\bof (?:its|their) own\\b',
    reason: 'wordy',
    suggestion: 'use its own, a separate, a dedicated',
  },
  {
    name: 'but-for',
    pattern: '\\bbut for\\b',
    reason: 'archaic',
    suggestion: 'use except, without or apart from',
  },
  {
    name: 'dear',
    pattern: '\\bdear(?:er|est|ly)?\\b',
    reason: 'archaic',
    suggestion: 'use expensive or slow',
  },
  { name: 'lest', pattern: '\\blest\\b', reason: 'archaic', suggestion: 'use so that ... not' },
  {
    name: 'as-of',
    pattern: '\\bas of\\b',
    reason: 'ambiguous',
    suggestion: 'use at, since, from or "the state at"',
  },
  {
    name: 'settle',
    pattern: '\\bsettle(?:s|d)?\\b|\\bsettling\\b',
    reason: 'a house word',
    suggestion: 'name the event: synced, resolved, decided, finished',
  },
  {
    name: 'judge',
    pattern: '\\bjudg(?:e|es|ed|ing|e?ment)\\b',
    reason: 'a house word',
    suggestion: 'use decide, validate, evaluate or classify',
  },
  {
    name: 'stand',
    pattern: '\\b(?:stands?|stood)(?! for\\b| in for\\b|-| by\\b| out\\b| up\\b)\\b',
    reason: 'a literal translation',
    suggestion: 'use is, remains, appears or applies',
  },
  {
    name: 'go-on',
    pattern: '\\b(?:go|goes|going|went|gone) on\\b(?! to\\b)',
    reason: 'a literal translation',
    suggestion: 'use continue',
  },
  {
    name: 'bear',
    pattern: '\\b(?:bears?|bore|borne)\\b(?! in mind\\b)',
    reason: 'archaic',
    suggestion: 'use have, carry, contain or tolerate',
  },
  { name: 'inbox', pattern: '\\binbox\\b', reason: 'a house word', suggestion: 'use outbox' },
  {
    name: 'doorbell',
    pattern: '\\bdoorbells?\\b',
    reason: 'a house word',
    suggestion: 'use notifier',
  },
  {
    name: 'hub',
    pattern: '(?<!docker )\\bhub\\b',
    reason: 'a house word',
    suggestion: 'use broadcaster',
  },
  {
    name: 'shelf',
    pattern: '\\b(?:shelf|shelves)\\b',
    reason: 'a house word',
    suggestion: 'use tree cache',
  },
  {
    name: 'rehearse',
    pattern: '\\brehears(?:e|es|ed|al|als|ing)\\b',
    reason: 'a house word',
    suggestion: 'use dry run',
  },
  {
    name: 'plumbing',
    pattern: '\\bplumbing\\b',
    reason: 'a house word',
    suggestion: 'use server, or name the part',
  },
  {
    name: 'parcel',
    pattern: '\\bparcels?\\b',
    reason: 'a house word',
    suggestion: 'use chunk',
  },
  {
    name: 'outlet',
    pattern: '\\boutlets?\\b',
    reason: 'a house word',
    suggestion: 'use log destination or sink',
  },
  {
    name: 'shortfall',
    pattern: '\\bshortfalls?\\b',
    reason: 'a house word',
    suggestion: 'use unmet requirement',
  },
  {
    name: 'patience',
    pattern: '\\b(?:patience|patient)\\b',
    reason: 'a house word',
    suggestion: 'use timeout',
  },
]
