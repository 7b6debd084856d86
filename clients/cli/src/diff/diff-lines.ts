import { structuredPatch } from 'diff'
import { visibleText } from '../output/visible-text.ts'
import { toYaml } from './to-yaml.ts'

const CONTEXT_LINES = 3

/** Functions that add the colours of a diff. */
type DiffColors = Readonly<Record<'red' | 'green' | 'cyan', (text: string) => string>>

interface Difference {
  readonly before: unknown
  readonly after: unknown
}

/**
 * The differences of two values as lines of YAML, with unchanged lines around each. Null is a value
 * that does not exist.
 */
export function diffLines(
  { before, after }: Difference,
  colors: DiffColors,
  context = CONTEXT_LINES,
): readonly string[] {
  const texts = [before, after].map((value) =>
    value === null ? '' : toYaml(value, { sorted: true }),
  )
  const { hunks } = structuredPatch('', '', texts[0] ?? '', texts[1] ?? '', '', '', {
    context,
  })
  return hunks.flatMap(({ lines }, index) => {
    const separator = index === 0 ? [] : [colors.cyan('...')]
    return [...separator, ...lines.map((line) => painted(visibleText(line), colors))]
  })
}

function painted(line: string, { red, green }: DiffColors): string {
  if (line.startsWith('+')) return green(line)
  return line.startsWith('-') ? red(line) : line
}
