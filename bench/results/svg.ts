/** SVG elements. All text is escaped. */

export interface Frame {
  readonly width: number
  readonly height: number
  readonly title: string
}

/** A colour-blind-safe palette that works on white and on black. */
export const COLOURS = [
  '#0072b2',
  '#d55e00',
  '#009e73',
  '#cc79a7',
  '#e69f00',
  '#56b4e9',
  '#999933',
  '#882255',
] as const

export function svg({ width, height, title }: Frame, parts: readonly string[]): string {
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" ` +
      `width="${width}" height="${height}" role="img" font-family="sans-serif" font-size="12">`,
    `<title>${escape(title)}</title>`,
    `<rect width="${width}" height="${height}" fill="#ffffff"/>`,
    ...parts,
    '</svg>',
    '',
  ].join('\n')
}

export function text(
  at: readonly [x: number, y: number],
  content: string,
  anchor: 'start' | 'middle' | 'end' = 'start',
): string {
  return `<text x="${round(at[0])}" y="${round(at[1])}" text-anchor="${anchor}" fill="#222222">${escape(content)}</text>`
}

export function line(
  from: readonly [number, number],
  to: readonly [number, number],
  colour = '#dddddd',
): string {
  return `<line x1="${round(from[0])}" y1="${round(from[1])}" x2="${round(to[0])}" y2="${round(to[1])}" stroke="${colour}"/>`
}

export function path(points: readonly (readonly [number, number])[], colour: string): string {
  const shown = points.map(([x, y]) => `${round(x)},${round(y)}`).join(' ')
  const dots = points.map(
    ([x, y]) => `<circle cx="${round(x)}" cy="${round(y)}" r="3" fill="${colour}"/>`,
  )
  return `<polyline points="${shown}" fill="none" stroke="${colour}" stroke-width="2"/>${dots.join('')}`
}

export interface Box {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

export function box({ x, y, width, height }: Box, colour: string): string {
  return `<rect x="${round(x)}" y="${round(y)}" width="${round(width)}" height="${round(height)}" fill="${colour}"/>`
}

function round(value: number): number {
  return Math.round(value * 10) / 10
}

function escape(content: string): string {
  return content.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
