import { useEffect, useState } from 'react'
import { Button } from '../../design/button.tsx'
import { logTurns } from '../../live/browser-turns.ts'
import { client } from '../../session/connection.ts'
import { RequestError } from '../../design/states/request-error.tsx'
import { appendText, EMPTY_LINES } from './line-buffer.ts'
import { Output } from './output.tsx'
import { sandboxPath, type SandboxTarget } from '../sandbox-requests.ts'
import css from './output.module.css'
import { TextCollector } from './text-collector.ts'

const TAIL_LINES = 1000

/** The output of the workload, which follows new output. */
export function Logs({ target }: { readonly target: SandboxTarget }) {
  const [isPrevious, setPrevious] = useState(false)
  const [attempt, setAttempt] = useState(0)
  const key = `${isPrevious} ${attempt}`
  return (
    <div className={css['frame']}>
      <div className={css['bar']}>
        <label>
          <input
            type="checkbox"
            checked={isPrevious}
            onChange={(event) => setPrevious(event.target.checked)}
          />{' '}
          The run before
        </label>
        <Button size="small" onClick={() => setAttempt(attempt + 1)}>
          Load again
        </Button>
      </div>
      <LogStream key={key} target={target} isPrevious={isPrevious} />
    </div>
  )
}

/** Why the output is no longer followed. */
interface LogEnd {
  readonly error?: unknown
  /** Whether another window follows its log, because the browser has too few connections for both. */
  readonly isTaken?: boolean
}

function endText({ error, isTaken = false }: LogEnd): string {
  if (isTaken) return 'Another window follows a log now. Load again to follow this one.'
  return error === undefined ? 'The output ended. Load it again to follow the next run.' : ''
}

interface LogStreamProps {
  readonly target: SandboxTarget
  readonly isPrevious: boolean
}

function LogStream({ target, isPrevious }: LogStreamProps) {
  const [buffer, setBuffer] = useState(EMPTY_LINES)
  const [end, setEnd] = useState<LogEnd | null>(null)
  const { plane, namespace, name } = target
  useEffect(() => {
    const controller = new AbortController()
    const turn = new AbortController()
    const signal = AbortSignal.any([controller.signal, turn.signal])
    const collector = new TextCollector((text) => setBuffer((now) => appendText(now, text)))
    const path = sandboxPath({ plane, namespace, name }, 'logs')
    const read = async () => {
      logTurns.endWhenWanted(turn)
      const follow = isPrevious ? {} : { follow: true }
      const query = { tailLines: TAIL_LINES, ...follow, ...(isPrevious && { previous: true }) }
      const request = { method: 'GET', path, query, signal, retry: 'always' } as const
      for await (const bytes of client.bytes(request)) collector.add(bytes)
    }
    logTurns.take(controller.signal, read).then(
      () => setEnd({}),
      (error: unknown) => {
        if (!controller.signal.aborted) setEnd(turn.signal.aborted ? { isTaken: true } : { error })
      },
    )
    return () => {
      controller.abort()
      turn.abort()
      collector.stop()
    }
  }, [plane, namespace, name, isPrevious])
  return (
    <>
      <Output label="Logs" buffer={buffer} placeholder="No output yet." />
      <div role="status" className={css['note']}>
        {end === null && 'Following the output'}
        {end !== null && endText(end)}
      </div>
      {end?.error !== undefined && <RequestError error={end.error} />}
    </>
  )
}
