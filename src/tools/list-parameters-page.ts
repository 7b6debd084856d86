import {
  LIST_PARAMETERS,
  type ListParameter,
  type ListSubject,
} from '../hyperfleet/query/list-parameters.ts'

const LISTS: Readonly<Record<ListSubject, string>> = {
  kind: 'one kind',
  'all-kinds': '`/resources`',
  statuses: '`/statuses`',
}

/** The parameters of references appear in lists of kinds that declare some. */
const SAMPLE = [
  { kind: 'Channel', references: [{ type: 'network', kind: 'Network', min: 0, max: null }] },
]

/** Generates docs/list-parameters.md, the table of list parameters. */
export function listParametersPage(): string {
  return `# List parameters

<!-- Generated from src/hyperfleet/query/list-parameters.ts by \`npm run openapi\`. -->

The lists of a kind, of all kinds (\`/resources\`) and of the reports on a resource (\`/statuses\`)
take these parameters. \`ref_type\` and \`ref_target_id\` exist for kinds that declare
[references](references.md). A [watch](watch.md) rejects parameters that the third column excludes.

| Parameter | Lists | With \`watch=true\` | Description |
|---|---|---|---|
${LIST_PARAMETERS.map(rowOf).join('\n')}
`
}

function rowOf({ name, watch, describe }: ListParameter): string {
  const described = (['kind', 'all-kinds', 'statuses'] as const).flatMap((subject) => {
    const description = describe(subject, SAMPLE)?.description
    return description === undefined ? [] : [{ subject, description }]
  })
  const lists =
    described.length === 3 ? 'all' : described.map(({ subject }) => LISTS[subject]).join(', ')
  const texts = [...new Set(described.map(({ description }) => description))]
  const [common = '', ...others] = texts
  const special = others.map((text) => ` In ${LISTS.statuses}: ${text}`)
  const cell = (common + special.join('')).replaceAll('|', '\\|')
  return `| \`${name}\` | ${lists} | ${watch ? 'yes' : 'rejected'} | ${cell} |`
}
