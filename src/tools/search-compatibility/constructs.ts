/** A construct of TSL or of HyperFleet's searches, with a search that shows its effect. */
export interface Construct {
  readonly construct: string
  readonly search: string
  /** The result here: the sample clusters that match, or the status. */
  readonly here: string
  /**
   * The results of HyperFleet's current main and of 0.1.1 according to their source. Recorded results
   * take precedence.
   */
  readonly main?: string
  readonly v01?: string
  /** Why a result differs. */
  readonly reason?: string
}

interface Section {
  readonly title: string
  readonly constructs: readonly Construct[]
}

const ALL = 'alpha beta delta gamma'
const SAMPLE = "and name like 'tsm-%'"
const FAMILIES =
  'HyperFleet 0.1 has Available and Ready, main has Reconciled; here all of them exist'
const NO_TEXT = 'objects and lists have no text here'
const TYPED_ORDER =
  'order compares values of the type of the literal; main casts, or compares texts'

/** Every construct of TSL's documentation and of HyperFleet's searches, by topic. */
export const CONSTRUCTS: readonly Section[] = [
  {
    title: 'Values',
    constructs: [
      row("`'text'`", "name = 'tsm-alpha'", 'alpha'),
      row('`"text"`', 'name = "tsm-alpha"', 'alpha'),
      row('`` `text` ``', 'name = `tsm-alpha`', 'alpha', { main: 'alpha', v01: '400' }),
      row("`''` in text", "labels.team = 'it''s'", '', { main: '400', v01: '' }),
      row('escapes in double quotes', String.raw`name = "tsm\-alpha"`, 'alpha', {
        main: 'alpha',
        v01: '400',
      }),
      row('escapes in single quotes', String.raw`name = 'tsm\-alpha'`, '', {
        main: 'alpha',
        v01: '',
        reason: 'a backslash in single quotes is an ordinary character, as in 0.1',
      }),
      row('numbers', `generation = 1.0 ${SAMPLE}`, ALL),
      row('suffixes `Ki`, `Mi`, `k`, `M`, ...', `generation < 1Ki ${SAMPLE}`, ALL),
      row('the suffix `K`', `generation < 5K ${SAMPLE}`, '400', {
        main: ALL,
        v01: '400',
        reason: 'TSL 5 reads 5120, and TSL 6 reads 5000',
      }),
      row('an exponent without digits', `generation >= 1e ${SAMPLE}`, '400', {
        main: ALL,
        v01: '400',
        reason: 'TSL 6 reads 0',
      }),
      row('dates', `created_time > 2026-01-01 ${SAMPLE}`, ALL),
      row('dates in a list', 'created_time in [2026-01-01, 2026-01-02]', '', {
        main: '',
        v01: '400',
      }),
      row(
        'times',
        `status.conditions.Reconciled.last_updated_time > 2026-03-06T00:00:00Z ${SAMPLE}`,
        ALL,
      ),
      row('quoted times', `created_time > '2026-01-01T00:00:00Z' ${SAMPLE}`, ALL),
      row('`true`, `false` alone', "name = 'tsm-alpha' and true", 'alpha'),
      row('`not true`', 'not true', '', { main: '', v01: '400' }),
      row('`null` as a value', 'deleted_time = null', '400'),
      row('lists in `[]`', "name in ['tsm-alpha','tsm-beta']", 'alpha beta'),
      row('lists in `()`', "labels.environment in ('production','staging')", 'alpha beta'),
      row('a comma at the end of a list', "name in ['tsm-alpha',]", 'alpha', {
        main: 'alpha',
        v01: '400',
      }),
      row('empty lists', 'name in []', '', { main: '500', v01: '400' }),
      row('`()` as a list', 'name in ()', '', { main: '400', v01: '400' }),
      row('brackets in a list', "name in [('tsm-alpha')]", '400', {
        main: 'alpha',
        v01: '400',
        reason: 'lists do not nest, so these brackets are most often a mistake',
      }),
    ],
  },
  {
    title: 'Operators',
    constructs: [
      row('`=`', "name = 'tsm-alpha'", 'alpha'),
      row('`==`', "name == 'tsm-alpha'", 'alpha', { main: 'alpha', v01: '400' }),
      row('`!=`', `name != 'tsm-alpha' ${SAMPLE}`, 'beta delta gamma'),
      row('`<>`', `generation <> 1 ${SAMPLE}`, '', { main: '', v01: '' }),
      row('`<`, `<=`, `>`, `>=`', `name >= 'tsm-beta' ${SAMPLE}`, 'beta delta gamma'),
      row('`in`, `not in`', `generation in [1, 2] ${SAMPLE}`, ALL),
      row('`between`', "name between 'tsm-a' and 'tsm-c'", 'alpha beta'),
      row('`like`', "name like 'tsm_alpha'", 'alpha'),
      row('`not like`', `name not like 'tsm-a%' ${SAMPLE}`, 'beta delta gamma'),
      row('`ilike`', "name ilike 'TSM-%'", ALL),
      row('`\\` in a pattern', String.raw`name like 'tsm\_alpha'`, '', {
        main: 'alpha',
        v01: '',
        reason: 'a backslash in single quotes escapes a wildcard, as in 0.1; TSL 6 removes it',
      }),
      row('a field as the pattern', 'name like labels.team', '400', {
        main: '',
        v01: '400',
        reason: 'a pattern is limited to 128 characters, a stored one is not',
      }),
      row('a value on the left of `like`', "'tsm-alpha' like name", '400', {
        main: 'alpha',
        v01: '400',
        reason: 'a pattern is limited to 128 characters, a stored one is not',
      }),
      row('`is null`, `is not null`', `spec.region is not null ${SAMPLE}`, 'alpha beta gamma'),
      row("`is 'text'`", "name is 'tsm-alpha'", 'alpha'),
      row('`is true`', 'spec.flag is true', 'alpha'),
      row('the value on the left', "'tsm-alpha' = name", 'alpha'),
      row('two fields', `name = name ${SAMPLE}`, ALL),
      row('fields in a list', "name in [id, 'tsm-alpha']", 'alpha', { main: 'alpha', v01: '400' }),
      row('fields as bounds', `name between id and 'tsm-b' ${SAMPLE}`, 'alpha', {
        main: 'alpha',
        v01: '400',
      }),
      row('two values', "'1' = '1'", '400', {
        main: ALL,
        v01: '400',
        reason: 'a comparison without a field is a mistake or an injection; write `true`',
      }),
      row('one field alone', 'name', '400'),
      row(
        '`and`, `or`, brackets',
        "(name = 'tsm-alpha' or name = 'x') and generation = 1",
        'alpha',
        {
          main: 'alpha',
          v01: 'alpha',
        },
      ),
      row('brackets around one side', "(name) = ('tsm-alpha')", 'alpha', {
        main: 'alpha',
        v01: '400',
      }),
      row('`not`', `NOT name = 'tsm-alpha' ${SAMPLE}`, 'beta delta gamma'),
      row('`not` with labels', "not labels.environment = 'production'", 'beta gamma'),
      row('`not in`, `not like` with labels', "labels.environment not like 'prod%'", 'beta gamma', {
        main: '400',
        v01: 'beta gamma',
      }),
      row('`is not null` with labels', 'labels.environment is not null', 'alpha beta gamma', {
        main: '400',
        v01: 'alpha beta gamma',
      }),
      row(
        '`not` with conditions',
        "not status.conditions.Reconciled = 'True' and name = 'tsm-beta'",
        'beta',
        { main: '400' },
      ),
      row('`~=`', "name ~= 'tsm'", '400'),
      row('`~!`', "name ~! 'tsm'", '400', { main: '400', v01: '400' }),
      row('`len`, `any`, `all`, `sum`', 'len name > 3', '400'),
      row('`+`, `-`, `*`, `/`, `%`', 'generation + 1 = 2', '400', { main: '400', v01: '400' }),
      row('`&&`', "name = 'tsm-alpha' && name = 'tsm-alpha'", '400'),
      row('comments', "name = 'x' --", '400'),
    ],
  },
  {
    title: 'Fields',
    constructs: [
      row('`id`', "id in ['a','b']", ''),
      row('`kind`', `kind = 'Cluster' ${SAMPLE}`, ALL),
      row('`href`', `href like '/api/%' ${SAMPLE}`, ALL),
      row('`generation`', `generation != 1 ${SAMPLE}`, ''),
      row('`created_by`, `updated_by`', "created_by in ['ooo.openshift']", ''),
      row('`updated_time`', `updated_time > '2026-01-01T00:00:00Z' ${SAMPLE}`, ALL),
      row('`deleted_time`', `deleted_time IS NULL AND name LIKE 'tsm-%'`, ALL),
      row('`deleted_by`', `deleted_by is null ${SAMPLE}`, ALL),
      row('`owner_id`', "owner_id = 'x'", ''),
      row('`owner_kind`', `owner_kind is null ${SAMPLE}`, ALL, { main: ALL, v01: '500' }),
      row('`owner_href`', `owner_href is null ${SAMPLE}`, '400', {
        main: ALL,
        v01: '500',
        reason: 'search by `owner_id`, which has an index',
      }),
      row('`tenancy`', `tenancy is not null ${SAMPLE}`, '400', {
        main: ALL,
        v01: '500',
        reason: 'every request is limited to its tenant',
      }),
      row('names in capitals', "NAME = 'tsm-alpha'", 'alpha', { v01: 'alpha' }),
      row('related fields', "creator.username = 'x'", '400', { main: '400', v01: '400' }),
      row('`labels.<key>`', "labels.environment != 'production'", 'beta gamma'),
      row('keys with `.` and `/`', "labels.app.kubernetes.io/name = 'web'", 'delta', {
        main: 'delta',
      }),
      row('keys with `-`', "labels.x-y = '1'", 'delta'),
      row('keys with other characters', `labels."x-y" = '1'`, 'delta', { main: '400', v01: '400' }),
      row('keys with letters beyond ASCII', "labels.größe = 'x'", '400', {
        main: '',
        v01: '400',
        reason: 'quote the key: `labels."größe"`',
      }),
      row('keys with brackets', "labels.[x] = '1'", '400', {
        main: '',
        reason: 'quote the key: `labels."[x]"`',
      }),
      row('numbers for text', 'labels.tier = 1', 'alpha', { main: '500' }),
    ],
  },
  {
    title: 'Conditions',
    constructs: [
      row('`status.conditions.<Type>`', "status.conditions.Reconciled = 'True'", 'alpha', {
        reason: FAMILIES,
      }),
      row('other families', "status.conditions.Available = 'True'", 'alpha', { reason: FAMILIES }),
      row('`False`', `status.conditions.Reconciled = 'False' ${SAMPLE}`, 'beta delta gamma', {
        reason: FAMILIES,
      }),
      row(
        'combined with labels',
        "status.conditions.Reconciled='True' AND labels.environment='production'",
        'alpha',
        { reason: FAMILIES },
      ),
      row('the family of 0.1', "status.conditions.Ready = 'True'", 'alpha', {
        main: '',
        v01: 'alpha',
        reason: FAMILIES,
      }),
      row('conditions of adapters', "status.conditions.ASuccessful = 'True'", 'alpha', {
        main: '',
        v01: 'alpha',
        reason: 'every adapter has a condition, as in 0.1',
      }),
      row('`is not null`', "status.conditions.Ready is not null and name = 'tsm-beta'", 'beta', {
        main: '400',
      }),
      row('`!=`', `status.conditions.Reconciled != 'True' ${SAMPLE}`, 'beta delta gamma'),
      row('`in`', `status.conditions.Reconciled in ['True','False'] ${SAMPLE}`, ALL),
      row('`is null`', `status.conditions.LastKnownReconciled is null ${SAMPLE}`, ''),
      row('types that nothing reports', "status.conditions.Validated = 'True'", ''),
      row('a boolean', 'status.conditions.Ready = true', '400', {
        main: '',
        v01: '400',
        reason: "a status is text: write `'True'`",
      }),
      row(
        '`.last_transition_time`',
        `status.conditions.Reconciled.last_transition_time > '2026-03-06T00:00:00Z' ${SAMPLE}`,
        ALL,
      ),
      row(
        '`.observed_generation`',
        `status.conditions.Reconciled.observed_generation = 1 ${SAMPLE}`,
        'alpha beta',
        { reason: 'the aggregated conditions of a new resource have 0 until an adapter reports' },
      ),
      row(
        'a quoted generation',
        "status.conditions.Reconciled.observed_generation = '1' and name = 'tsm-alpha'",
        'alpha',
        { main: 'alpha', v01: '400' },
      ),
      row('the reason', "status.conditions.Ready.reason = 'x'", '', { main: '400', v01: '400' }),
      row('other parts', "status.conditions.Ready.message = 'x'", '400', {
        main: '400',
        v01: '400',
      }),
    ],
  },
  {
    title: 'Spec',
    constructs: [
      row('`spec.<path>`', "spec.release.channel = 'dev'", 'alpha'),
      row('keys in capitals', "spec.nodePool = 'x'", '', { main: '400', v01: '400' }),
      row('the whole spec', `spec is not null ${SAMPLE}`, '400', {
        main: ALL,
        v01: '400',
        reason: 'every resource has a spec; name a path in it',
      }),
      row('a number as text', "spec.size = '10'", 'alpha'),
      row('a boolean as text', "spec.flag = 'true'", 'alpha'),
      row('text as a number', 'spec.release.version = 2', 'alpha', { main: 'alpha', v01: '400' }),
      row('`!=`', "spec.release != 'x'", 'alpha beta', { main: 'alpha beta', v01: '400' }),
      row('booleans', 'spec.flag = false', 'beta', { main: '500', v01: '400' }),
      row('numbers for other text', 'spec.region = 10', '', { main: '500', v01: '400' }),
      row('lists of several types', "spec.size in [10, 'x']", 'alpha', { main: '500', v01: '400' }),
      row('order of numbers', 'spec.size >= 1Ki', 'gamma'),
      row('order of text as numbers', 'spec.release.version > 2', '', { reason: TYPED_ORDER }),
      row('order of numbers as text', "spec.size > '1'", '', {
        main: 'alpha beta gamma',
        v01: '400',
        reason: TYPED_ORDER,
      }),
      row('`like`', "spec.region ilike 'US-%'", 'alpha gamma'),
      row('`like` on numbers', "spec.size like '2%'", 'beta gamma', {
        main: 'beta gamma',
        v01: '400',
      }),
      row('`like` on objects', "spec.release like '%dev%'", '', {
        main: 'alpha',
        v01: '400',
        reason: NO_TEXT,
      }),
      row('objects as text', `spec.release = '{"n": 9, "channel": "stable", "version": "3"}'`, '', {
        main: 'beta',
        v01: '400',
        reason: NO_TEXT,
      }),
      row('two paths', 'spec.size = spec.release.n', 'alpha', { main: 'alpha', v01: '400' }),
      row('JSON `null`', `spec.notes is null ${SAMPLE}`, ALL, { main: ALL, v01: '400' }),
    ],
  },
]

// oxlint-disable-next-line max-params -- the columns of a table that people read
function row(
  construct: string,
  search: string,
  here: string,
  others: Pick<Construct, 'main' | 'v01' | 'reason'> = {},
): Construct {
  return { construct, search, here, ...others }
}
