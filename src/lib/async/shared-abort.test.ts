import { expect, onTestFinished, test } from 'vitest'
import { sharedAbort } from './shared-abort.ts'

test('many concurrent calls may listen without a warning', async () => {
  const warnings: Error[] = []
  const record = (warning: Error): void => void warnings.push(warning)
  process.on('warning', record)
  onTestFinished(() => void process.off('warning', record))
  const { signal } = sharedAbort()
  for (let call = 0; call < 20; call += 1) {
    signal.addEventListener('abort', () => call)
  }
  // Node emits warnings in the next turn.
  await new Promise((resolve) => setImmediate(resolve))
  expect(warnings.filter(({ name }) => name === 'MaxListenersExceededWarning')).toEqual([])
})
