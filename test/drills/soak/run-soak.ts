import { spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { Skipped } from '../drill.ts'
import { runTool } from '../run-tool.ts'

const MAIN = fileURLToPath(new URL('main.ts', import.meta.url))
const TOOL_MS = 10_000
/** The soak ends with its namespaces, so that no process, mount or rule of the firewall remains. */
const NAMESPACES = ['--net', '--mount', '--pid', '--fork', '--kill-child', '--mount-proc']
const PROGRAMS = [
  ['ip', ['-V']],
  ['nft', ['--version']],
  ['haproxy', ['-v']],
] as const

/** Runs a soak. `SOAK_SEED` repeats the faults of an earlier one. */
export async function runSoak(seconds: number): Promise<void> {
  if (process.getuid?.() !== 0) throw new Skipped('only root can create namespaces')
  for (const [program, args] of PROGRAMS) {
    await runTool(program, args, { cwd: '/', timeoutMs: TOOL_MS }).catch((cause: unknown) => {
      throw new Skipped(`${program} is not installed`, { cause })
    })
  }
  const allowed = { cwd: '/', timeoutMs: TOOL_MS }
  await runTool('unshare', [...NAMESPACES, 'true'], allowed).catch((cause: unknown) => {
    throw new Skipped('this machine does not allow namespaces', { cause })
  })
  const seed = process.env['SOAK_SEED'] ?? String(Math.floor(Math.random() * 2 ** 31))
  console.log(`  SOAK_SEED=${seed} repeats these faults`)
  const folder = await mkdtemp(path.join(os.tmpdir(), 'flotilla-soak-'))
  try {
    const node = [process.execPath, '--import', 'tsx', MAIN, String(seconds), seed, folder]
    // Signals do not reach the soak: it ends with its input, whose end this process holds.
    const child = spawn('unshare', [...NAMESPACES, ...node], {
      stdio: ['pipe', 'inherit', 'inherit'],
    })
    const code = await new Promise((resolve) => child.once('exit', resolve))
    if (code !== 0) throw new Error(`the soak failed with exit code ${String(code)}`)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
