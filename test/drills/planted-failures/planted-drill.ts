// A drill with defects, which drill.ts runs as CI runs drills.
import { spawn } from 'node:child_process'
import { type DrillCase, runDrill } from '../../drills/drill.ts'

/** Waits for a promise that only its own next step resolves. */
async function deadlock(): Promise<void> {
  let release = (): void => undefined
  const first = new Promise<void>((resolve) => {
    release = resolve
  })
  await first.then(() => release())
}

const cases: readonly DrillCase[] = [
  { name: 'sound', run: () => Promise.resolve() },
  { name: 'deadlock', run: deadlock },
  {
    name: 'hang',
    run: () => {
      setInterval(() => undefined, 1000)
      return deadlock()
    },
  },
  {
    name: 'leak',
    run: () => {
      spawn('sleep', ['986'], { detached: true, stdio: 'ignore' }).unref()
      return Promise.resolve()
    },
  },
  {
    name: 'kill',
    run: () => {
      process.kill(process.pid, 'SIGKILL')
      return deadlock()
    },
  },
  { name: 'after', run: () => Promise.resolve() },
]

if (!(await runDrill('planted', { summary: '', cases }, process.argv.slice(2)))) {
  process.exitCode = 1
}
