// oxlint-disable-next-line no-control-regex -- finds the control characters that terminals obey
const CONTROL = /[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g

/**
 * Text from the server that is safe on a terminal: control characters, which could move the cursor
 * or change colours, become visible escapes.
 */
export function visibleText(text: string, lines: 'keep lines' | 'one line' = 'one line'): string {
  return text.replaceAll(CONTROL, (character) => {
    if (character === '\n') return lines === 'keep lines' ? '\n' : ' '
    if (character === '\t') return ' '
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
  })
}
