import { COLOURS, line, path, svg, text } from './svg.ts'

export interface Series {
  readonly name: string
  readonly points: readonly (readonly [x: number, y: number])[]
}

interface Labels {
  readonly title: string
  readonly x: string
  readonly y: string
}

const WIDTH = 760
const HEIGHT = 440
const LEFT = 70
const RIGHT = 540
const TOP = 50
const BOTTOM = 380

/** A line plot with two logarithmic axes. Leaves out series without points. */
export function linePlot(labels: Labels, series: readonly Series[]): string {
  const drawn = series.filter(({ points }) => points.length > 0)
  const all = drawn.flatMap(({ points }) => points)
  const x = axis(
    all.map(([value]) => value),
    [LEFT, RIGHT],
  )
  const y = axis(
    all.map(([, value]) => value),
    [BOTTOM, TOP],
  )
  const parts = [
    text([LEFT, 24], labels.title),
    text([(LEFT + RIGHT) / 2, HEIGHT - 16], labels.x, 'middle'),
    text([LEFT, 42], labels.y),
    ...x.ticks.flatMap((tick) => [
      line([x.at(tick), TOP], [x.at(tick), BOTTOM]),
      text([x.at(tick), BOTTOM + 18], formatTick(tick), 'middle'),
    ]),
    ...y.ticks.flatMap((tick) => [
      line([LEFT, y.at(tick)], [RIGHT, y.at(tick)]),
      text([LEFT - 8, y.at(tick) + 4], formatTick(tick), 'end'),
    ]),
    ...drawn.flatMap(({ name, points }, index) => {
      const colour = COLOURS[index % COLOURS.length] ?? '#000000'
      const placed = points.map(([across, up]) => [x.at(across), y.at(up)] as const)
      const legend = TOP + 14 + index * 20
      return [
        path(placed, colour),
        line([RIGHT + 16, legend - 4], [RIGHT + 36, legend - 4], colour),
        text([RIGHT + 42, legend], name),
      ]
    }),
  ]
  return svg({ width: WIDTH, height: HEIGHT, title: labels.title }, parts)
}

interface Axis {
  readonly ticks: readonly number[]
  at(value: number): number
}

/** From the power of ten below the minimum to the one above the maximum. */
function axis(values: readonly number[], [from, to]: readonly [number, number]): Axis {
  const min = Math.floor(Math.log10(Math.min(...values)))
  const max = Math.max(min + 1, Math.ceil(Math.log10(Math.max(...values))))
  return {
    ticks: Array.from({ length: max - min + 1 }, (_, index) => 10 ** (min + index)),
    at: (value) => from + ((Math.log10(value) - min) / (max - min)) * (to - from),
  }
}

function formatTick(value: number): string {
  return value >= 1000 ? String(value).replace(/\B(?=(\d{3})+$)/g, ' ') : String(value)
}
