import picocolors from 'picocolors'
import type { Terminal } from './terminal.ts'

const DEFAULT_COLUMNS = 80
const DEFAULT_ROWS = 24

/** An output of the process, which may be a terminal. */
type Output = NodeJS.WritableStream & {
  readonly isTTY?: boolean
  readonly columns?: number
  readonly rows?: number
}

/** Wraps an output of the process. Colours need a terminal, and NO_COLOR turns them off. */
export function openTerminal(stream: Output, env: NodeJS.ProcessEnv): Terminal {
  const isTty = stream.isTTY === true
  return {
    write: (text) => void stream.write(text),
    isTty,
    get columns() {
      return isTty ? stream.columns || DEFAULT_COLUMNS : Infinity
    },
    get rows() {
      return isTty ? stream.rows || DEFAULT_ROWS : Infinity
    },
    colors: picocolors.createColors(isTty && wantsColors(env)),
    onResize: (changed) => {
      stream.on('resize', changed)
      return () => void stream.off('resize', changed)
    },
  }
}

/** https://no-color.org: any value except an empty one turns colours off. */
function wantsColors({ NO_COLOR, TERM }: NodeJS.ProcessEnv): boolean {
  return (NO_COLOR ?? '') === '' && TERM !== 'dumb'
}
