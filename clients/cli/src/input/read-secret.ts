import type { Session } from '../session/session.ts'

const ENTER = ['\r', '\n', '\u0004']
const ERASE = ['\u007f', '\b']
const CTRL_C = '\u0003'

/** Reads a line from the terminal without showing it. */
export async function readSecret(
  { err, signal }: Pick<Session, 'err' | 'signal'>,
  question: string,
): Promise<string> {
  const { stdin } = process
  err.write(question)
  stdin.setRawMode(true)
  stdin.setEncoding('utf8')
  try {
    return await typedLine(stdin, signal)
  } finally {
    stdin.setRawMode(false)
    stdin.pause()
    err.write('\n')
  }
}

function typedLine(stdin: NodeJS.ReadStream, signal: AbortSignal): Promise<string> {
  return new Promise((resolve, reject) => {
    let typed = ''
    const end = (finish: () => void) => {
      stdin.off('data', read)
      signal.removeEventListener('abort', abort)
      finish()
    }
    const abort = () => end(() => reject(new Error('interrupted')))
    const read = (data: Buffer | string) => {
      for (const character of String(data)) {
        if (character === CTRL_C) process.kill(process.pid, 'SIGINT')
        else if (ENTER.includes(character)) {
          end(() => resolve(typed))
          return
        } else typed = ERASE.includes(character) ? typed.slice(0, -1) : typed + character
      }
    }
    signal.addEventListener('abort', abort, { once: true })
    stdin.on('data', read)
    stdin.resume()
  })
}
