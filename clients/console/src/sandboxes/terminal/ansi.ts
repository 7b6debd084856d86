/** A piece of output with the same look. */
export interface StyledText {
  readonly text: string
  /** An index of the 8 colours of terminals; null for the default. */
  readonly color: number | null
  readonly isBold: boolean
}

interface Look {
  color: number | null
  isBold: boolean
}

/** Sequences that start with ESC: colours, cursor movements and titles. */
// oxlint-disable-next-line no-control-regex -- terminals use control characters
const SEQUENCE = /\u001B(?:\[([0-9;:?]*)([@-~])|\][^\u0007\u001B]*(?:\u0007|\u001B\\)|[@-Z\\^_])/g
// oxlint-disable-next-line no-control-regex -- everything but tab and line feed
const CONTROLS = /[\u0000-\u0008\u000B-\u001F\u007F]/g

/** Splits output into pieces by its colours. Other control sequences are removed. */
export function parseAnsi(output: string): readonly StyledText[] {
  const pieces: StyledText[] = []
  const look: Look = { color: null, isBold: false }
  const push = (raw: string): void => {
    const text = raw.replaceAll(/\r+\n/g, '\n').replaceAll(CONTROLS, '')
    if (text !== '') pieces.push({ text, ...look })
  }
  let end = 0
  for (const match of output.matchAll(SEQUENCE)) {
    push(output.slice(end, match.index))
    end = match.index + match[0].length
    if (match[2] === 'm') change(look, match[1] ?? '')
  }
  push(output.slice(end))
  return pieces
}

function change(look: Look, parameters: string): void {
  const codes = parameters.split(/[;:]/).map(Number)
  for (let index = 0; index < codes.length; index += 1) {
    const code = codes[index] ?? 0
    if (code === 0) Object.assign(look, { color: null, isBold: false })
    else if (code === 1) look.isBold = true
    else if (code === 22) look.isBold = false
    else if (code >= 30 && code <= 37) look.color = code - 30
    else if (code >= 90 && code <= 97) look.color = code - 90
    else if (code === 39) look.color = null
    // Colours beyond the first eight have parameters, which are not codes.
    else if (code === 38 || code === 48) index += codes[index + 1] === 5 ? 2 : 4
  }
}
