import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { Button } from '../../design/button.tsx'
import { describeError } from '../../design/states/describe-error.ts'
import { appendText, EMPTY_LINES } from './line-buffer.ts'
import { Output } from './output.tsx'
import css from './output.module.css'
import { runLine } from './run-line.ts'
import type { SandboxTarget } from '../sandbox-requests.ts'
import { TextCollector } from './text-collector.ts'

const GREY = '\u001B[1m'
const RED = '\u001B[31m'
const RESET = '\u001B[0m'

/**
 * Runs lines of a shell beside the workload. Each line is a process, so the directory is kept and
 * variables are not. Ctrl-C ends the running line.
 */
export function Terminal({ target }: { readonly target: SandboxTarget }) {
  const [buffer, setBuffer] = useState(EMPTY_LINES)
  const [line, setLine] = useState('')
  const [directory, setDirectory] = useState('')
  const [history, setHistory] = useState<readonly string[]>([])
  const [recalled, setRecalled] = useState(0)
  const [isRunning, setRunning] = useState(false)
  const controller = useRef<AbortController | null>(null)
  useEffect(() => () => controller.current?.abort(), [])
  const print = (text: string) => setBuffer((now) => appendText(now, text))
  const run = async () => {
    if (line.trim() === '' || isRunning) return
    const current = new AbortController()
    controller.current = current
    const collector = new TextCollector(print)
    setHistory([...history, line].slice(-200))
    setRecalled(0)
    setLine('')
    setRunning(true)
    print(`${GREY}$ ${line}${RESET}\n`)
    try {
      const { signal } = current
      const onText = (text: string) => collector.addText(text)
      const result = await runLine(target, { line, directory, onText, signal })
      collector.flush()
      if (result.directory !== null) setDirectory(result.directory)
      if (result.code !== 0) print(`${RED}exit code ${result.code}${RESET}\n`)
    } catch (error) {
      collector.flush()
      const text = current.signal.aborted ? '^C' : describeError(error).message
      print(`${RED}${text}${RESET}\n`)
    } finally {
      setRunning(false)
    }
  }
  const recall = (step: number) => {
    const next = Math.min(history.length, Math.max(0, recalled + step))
    setRecalled(next)
    setLine(next === 0 ? '' : (history[history.length - next] ?? ''))
  }
  const press = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.nativeEvent.isComposing) return
    if (event.key === 'ArrowUp') recall(1)
    else if (event.key === 'ArrowDown') recall(-1)
    else if (event.key === 'c' && event.ctrlKey && isRunning) controller.current?.abort()
    else if (event.key === 'l' && event.ctrlKey) setBuffer(EMPTY_LINES)
    else return
    event.preventDefault()
  }
  return (
    <div className={css['frame']}>
      <Output label="Terminal" buffer={buffer} placeholder="Run a command in the sandbox." />
      <form
        className={css['prompt']}
        onSubmit={(event) => {
          event.preventDefault()
          void run()
        }}
      >
        <span className={css['directory']} title={directory}>
          {directory.split('/').at(-1)}
        </span>
        <span aria-hidden="true">$</span>
        <input
          aria-label="Command"
          value={line}
          onChange={(event) => setLine(event.target.value)}
          onKeyDown={press}
          placeholder="ls -la"
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
        />
        {isRunning ? (
          <Button size="small" onClick={() => controller.current?.abort()}>
            Stop
          </Button>
        ) : (
          <Button size="small" type="submit" disabled={line.trim() === ''}>
            Run
          </Button>
        )}
      </form>
      <p className={css['note']}>
        Each line runs in /bin/sh with the rights of the workload. The directory is kept from line
        to line, variables are not. Programs get no input.
      </p>
    </div>
  )
}
