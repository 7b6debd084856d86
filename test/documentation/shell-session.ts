import { spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'
import { expect } from 'vitest'

const EXPECTATION = '# => '

/** No page takes nearly as long; an example that hangs fails instead of stopping all others. */
const SESSION_LIMIT_MS = 120_000

/** A bash block of a page. */
export interface Block {
  readonly script: string
  /** Pieces that its output has in this order: `...` in the page stands for what is left out. */
  readonly expected: readonly string[]
}

/** The bash blocks of a page, or of a part of one. */
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
    .map((piece) => piece.trim())
    .filter((piece) => piece !== '' && piece !== ',')
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

/** Fails with the first piece that is not found behind the one before it. */
export function expectInOrder(output: string, pieces: readonly string[]): void {
  let rest = output
  for (const piece of pieces) {
    expect(rest).toContain(piece)
    rest = rest.slice(rest.indexOf(piece) + piece.length)
  }
}
