import { createHash } from 'node:crypto'
import { lstat, readdir, readFile, readlink } from 'node:fs/promises'

/** Every property of a tree's entries that a restore preserves. Paths are Latin-1, for any bytes. */
export async function describeTree(root: string): Promise<Record<string, string>> {
  const described: Record<string, string> = {}
  const firstByInode = new Map<bigint, string>()
  const visit = async (relative: string): Promise<void> => {
    const file = Buffer.concat([Buffer.from(`${root}/`), Buffer.from(relative, 'latin1')])
    const stat = await lstat(file, { bigint: true })
    const mode = (stat.mode & 0o7777n).toString(8)
    if (stat.isSymbolicLink()) {
      described[relative] = `link ${await readlink(file, 'latin1')} ${stat.mtimeNs}`
    } else if (stat.isDirectory()) {
      described[relative] = `folder ${mode} ${stat.mtimeNs}`
      const names = await readdir(file, 'latin1')
      for (const name of names.toSorted())
        await visit(relative === '' ? name : `${relative}/${name}`)
    } else if (stat.isFile()) {
      const first = firstByInode.get(stat.ino) ?? relative
      firstByInode.set(stat.ino, first)
      const digest = createHash('sha256')
        .update(await readFile(file))
        .digest('hex')
      described[relative] = `file ${mode} ${stat.mtimeNs} ${stat.size} ${digest} ${first}`
    }
  }
  await visit('')
  // Staging changes the time of the directory itself.
  delete described['']
  return described
}
