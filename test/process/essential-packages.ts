import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

const run = promisify(execFile)
const FORMAT = '${Package}\\t${Priority}\\t${Pre-Depends}, ${Depends}\\n'

export interface EssentialPackages {
  /** Their files without documentation. */
  readonly files: readonly string[]
  /** Their records in the database of dpkg. */
  readonly records: string
}

/** Debian's required packages, and more packages of this machine. */
export async function essentialPackages(more: readonly string[]): Promise<EssentialPackages> {
  const query = (...args: readonly string[]) => run('dpkg-query', args, { maxBuffer: 2 ** 26 })
  const { stdout } = await query('--show', '--showformat', FORMAT)
  const packages = stdout
    .trim()
    .split('\n')
    .map((line) => line.split('\t'))
  const needsOf = new Map(
    packages.map(([name = '', , needs = '']) => [name, needs.match(/[a-z0-9][a-z0-9.+-]+/g) ?? []]),
  )
  const required = packages.filter(([, priority]) => priority === 'required')
  const names = new Set([...required.map(([name = '']) => name), ...more])
  // A set iterates over names that are added meanwhile.
  for (const name of names) {
    for (const need of needsOf.get(name) ?? []) if (needsOf.has(need)) names.add(need)
  }
  const { stdout: files } = await query('--listfiles', ...names)
  const kept = files.split('\n').filter((file) => /^\/(?!\.|usr\/share\/|var\/)/.test(file))
  const { stdout: records } = await query('--status', ...names)
  return { files: [...new Set(kept)].toSorted(), records }
}
