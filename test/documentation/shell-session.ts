import { spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'
import { expect } from 'vitest'

const EXPECTATION = '# => '

/** Far longer than any page needs, so that only an example that hangs fails. */
const SESSION_LIMIT_MS = 120_000

/** A bash block of a page. */
export interface Block {
  readonly script: string
  /** Parts of the output in their order. `...` in the page stands for omitted output. */
  readonly expected: readonly string[]
}

/** The bash blocks of a page or of a part of it. */
export function blocksOf(page: string): readonly Block[] {
  return Array.from(page.matchAll(/^```bash\n(.*?)^```$/gms), ([, script = '']) => ({
    script,
    expected: expectedOf(script),
  }))
}

function expectedOf(script: string): readonly string[] {
  return script
    .split('\n')
    .filter((line) => line.startsWith(EXPECTATION))
    .flatMap((line) => line.slice(EXPECTATION.length).split('...'))
    .map((part) => part.trim())
    .filter((part) => part !== '' && part !== ',')
}

/**
 * Runs the scripts in one bash session, up to the first that fails. Resolves with the output of
 * each. Ends the programs that the session leaves running.
 */
export async function runSession(scripts: readonly string[]): Promise<readonly string[]> {
  const session = ['set -eo pipefail', ...scripts].join("\nprintf '\\0'\n")
  const bash = spawn('bash', ['-c', session], {
    stdio: ['ignore', 'pipe', 'inherit'],
    // A process group that contains the background programs too.
    detached: true,
    env: { ...process.env, no_proxy: '127.0.0.1' },
  })
  const limit = setTimeout(() => endGroup(bash.pid), SESSION_LIMIT_MS)
  try {
    const output = await text(bash.stdout)
    return output.split('\0').slice(1)
  } finally {
    clearTimeout(limit)
    endGroup(bash.pid)
  }
}

function endGroup(leader: number | undefined): void {
  if (leader === undefined) return
  try {
    process.kill(-leader, 'SIGKILL')
  } catch {
    // Every process of the group has ended.
  }
}

/** Expects that the output contains the parts in this order. */
export function expectInOrder(output: string, parts: readonly string[]): void {
  let rest = output
  for (const part of parts) {
    expect(rest).toContain(part)
    rest = rest.slice(rest.indexOf(part) + part.length)
  }
}
