import { formatFigure } from './format-figure.ts'
import { box, COLOURS, line, svg, text } from './svg.ts'

/** A group of bars, one per part. */
export interface Group {
  readonly name: string
  readonly bars: readonly { readonly part: string; readonly value: number }[]
}

const WIDTH = 760
const LEFT = 150
const RIGHT = 640
const TOP = 66
const BAR = 16
const GAP = 14

/**
 * Groups of horizontal bars with figures. Each group has a separate scale; a part has the same colour
 * in all groups.
 */
export function barPlot(title: string, groups: readonly Group[]): string {
  const drawn = groups.filter(({ bars }) => bars.length > 0)
  const parts = [...new Set(drawn.flatMap(({ bars }) => bars.map(({ part }) => part)))]
  const colourOf = (part: string): string => COLOURS[parts.indexOf(part) % COLOURS.length] ?? ''
  let y = TOP
  const drawings = drawn.flatMap(({ name, bars }) => {
    const max = Math.max(...bars.map(({ value }) => value))
    const middle = y + (bars.length * BAR) / 2 + 4
    const drawing = bars.flatMap(({ part, value }, index) => {
      const width = ((RIGHT - LEFT) * value) / max
      const top = y + index * BAR
      return [
        box({ x: LEFT, y: top, width, height: BAR - 2 }, colourOf(part)),
        text([LEFT + width + 6, top + 11], formatFigure(value)),
      ]
    })
    y += bars.length * BAR + GAP
    return [text([LEFT - 10, middle], name, 'end'), ...drawing]
  })
  const legend = parts.flatMap((part, index) => [
    box({ x: LEFT + index * 170, y: 38, width: 12, height: 12 }, colourOf(part)),
    text([LEFT + index * 170 + 18, 48], part),
  ])
  const axis = line([LEFT, TOP - 6], [LEFT, y - GAP + 6], '#222222')
  const heading = text([LEFT, 24], title)
  return svg({ width: WIDTH, height: y + 10, title }, [heading, ...legend, ...drawings, axis])
}
