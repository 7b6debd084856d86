// A process of its own, which sends requests as its parent says: see generator/load-generator.ts.
import { unreachable } from '../src/lib/assert.ts'
import { errorMessage } from '../src/lib/error-message.ts'
import type { FromGenerator, ToGenerator } from './generator/messages.ts'
import { mixedSource } from './generator/mixed-source.ts'
import type { Target } from './generator/messages.ts'
import type { RequestSource } from './generator/request-source.ts'
import { runLoad } from './generator/run-load.ts'

/** A target and what is sent to it: what is made for one measurement is not made again. */
interface Session {
  readonly target: Target
  readonly nextSource: () => RequestSource
}

const sessions = new Map<number, Session>()

function answer(message: FromGenerator): void {
  process.send?.(message)
}

async function obey(message: ToGenerator): Promise<void> {
  switch (message.type) {
    case 'open': {
      const { session, target, mix } = message
      sessions.set(session, { target, nextSource: mixedSource(target, mix) })
      return
    }
    case 'run': {
      const session = sessions.get(message.session)
      if (session === undefined) throw new Error(`no session ${message.session}`)
      const result = await runLoad(session.target, message.load, session.nextSource)
      answer({ type: 'measured', result })
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
  obey(message).catch((error: unknown) => answer({ type: 'failed', message: errorMessage(error) }))
})
process.on('disconnect', () => process.exit())
answer({ type: 'listening' })
