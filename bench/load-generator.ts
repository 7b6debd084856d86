// The load generator process: receives commands from its parent; see generator/generator.ts.
import { unreachable } from '../src/lib/assert.ts'
import { errorMessage } from '../src/lib/error-message.ts'
import type { FromGenerator, Target, ToGenerator } from './generator/messages.ts'
import { mixedSource } from './generator/mixed-source.ts'
import type { RequestSource } from './generator/request-source.ts'
import { runLoad } from './generator/run-load.ts'

/** A target and its request source, which continues from one load to the next. */
interface Session {
  readonly target: Target
  readonly nextSource: () => RequestSource
}

const sessions = new Map<number, Session>()

function send(message: FromGenerator): void {
  process.send?.(message)
}

async function handle(message: ToGenerator): Promise<void> {
  switch (message.type) {
    case 'open': {
      const { session, target, mix } = message
      sessions.set(session, { target, nextSource: mixedSource(target, mix) })
      return
    }
    case 'run': {
      const session = sessions.get(message.session)
      if (session === undefined) throw new Error(`unknown session ${message.session}`)
      const result = await runLoad(session.target, message.load, session.nextSource)
      send({ type: 'measured', result })
      return
    }
    case 'close':
      sessions.delete(message.session)
      return
    default:
      unreachable(message)
  }
}

process.on('message', (message: ToGenerator) => {
  handle(message).catch((error: unknown) => send({ type: 'failed', message: errorMessage(error) }))
})
process.on('disconnect', () => process.exit())
send({ type: 'ready' })
