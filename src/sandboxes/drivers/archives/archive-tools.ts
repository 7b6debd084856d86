import { errorMessage } from 'flotilla'
import { startTool } from './start-tool.ts'

/** The programs of this machine that archives need. */
export interface ArchiveTools {
  /** Why archives cannot be written here; empty if they can. */
  readonly unavailable: string
  readonly zstd: boolean
}

const SECONDS = 1000

/** Looks for GNU tar, GNU find and zstd. */
export async function findArchiveTools(): Promise<ArchiveTools> {
  const [tar, find, zstd] = await Promise.all(['tar', 'find', 'zstd'].map(versionOf))
  const missing = [
    ...(tar?.includes('GNU tar') ? [] : ['GNU tar']),
    ...(find?.includes('GNU findutils') ? [] : ['GNU find']),
  ]
  return {
    unavailable: missing.length === 0 ? '' : `install ${missing.join(' and ')}`,
    zstd: zstd !== null,
  }
}

/** The output of `<name> --version`; null if the program is missing or fails. */
async function versionOf(name: string): Promise<string | null> {
  const signal = AbortSignal.timeout(10 * SECONDS)
  const { child, exited } = startTool(name, ['--version'], { cwd: '/', account: null, signal })
  try {
    const output = (await child.stdout.setEncoding('utf8').toArray()).join('')
    await exited
    return output
  } catch (error) {
    return errorMessage(error).includes('status') ? '' : null
  }
}
