import { type Construct, CONSTRUCTS } from './constructs.ts'
import { readRecording, type Recording, upstreamOf, verdictOf } from './verdict.ts'

/** Generates docs/search-compatibility.md. A test runs every search of the page. */
export function searchCompatibilityPage(): string {
  const recording = readRecording()
  const all = CONSTRUCTS.flatMap(({ constructs }) => constructs)
  const recorded = all.filter((construct) => upstreamOf(construct, recording).isRecorded)
  const sections = CONSTRUCTS.map(({ title, constructs }) => {
    const rows = constructs.map((construct) => rowOf(construct, recording))
    return `## ${title}

| Construct | Search | main | 0.1 | Reason |
|---|---|---|---|---|
${rows.join('\n')}
`
  })
  return `# Search compatibility

<!-- Generated from src/tools/search-compatibility by \`npm run openapi\`. -->

Move saved searches from HyperFleet to Flotilla. This page lists every construct of [TSL](https://github.com/yaacov/tree-search-language) and of HyperFleet's searches. Each row compares the result of its search here with HyperFleet's current main and with 0.1.1, which use TSL 6 and TSL 3:

- **same**: the same resources, or an error in both.
- **more**: HyperFleet rejects the search, or fails. It works here.
- **different**: HyperFleet accepts the search with another result, for the reason given.
- An empty cell: the result is unknown. It was not recorded, and does not follow from the source.

The results of ${recorded.length} searches were recorded on running servers of HyperFleet. The results of the other ${all.length - recorded.length}, with \`*\`, follow from its source. A test runs each search on Flotilla.

${sections.join('\n')}
## Limits

| Limit | main | Here |
|---|---|---|
| characters | 4096 | 8192 |
| levels, comparisons, list items, patterns | none | [limits](search.md#limits) |
| digits of numbers | those of a double | all |
| numbers in paths of the spec | keys of objects | keys of objects, and places in lists |
| order of text | the collation of the database | by code point |
| a time that is compared with text | in a normal form | as written |

Next: [Search](search.md) describes the language.
`
}

function rowOf(construct: Construct, recording: Recording): string {
  const { main, v01, isRecorded } = upstreamOf(construct, recording)
  const mark = (result: string | undefined): string => {
    const verdict = verdictOf(construct.here, result)
    if (verdict === 'unknown') return ''
    return isRecorded ? verdict : `${verdict}*`
  }
  const cells = [
    construct.construct,
    codeOf(construct.search),
    mark(main),
    mark(v01),
    construct.reason ?? '',
  ]
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`
}

/** Text as code, which may contain backticks. */
function codeOf(text: string): string {
  return text.includes('`') ? `\`\` ${text} \`\`` : `\`${text}\``
}
