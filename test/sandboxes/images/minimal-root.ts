import { execFile } from 'node:child_process'
import { cp, mkdir, symlink, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'

const PROGRAMS = ['cat', 'env', 'grep', 'id', 'ls', 'mkdir', 'readlink', 'sh', 'sleep', 'touch']

/** Writes a small root file system: a shell and a few programs of this machine, and `/opt/marker`. */
export async function writeMinimalRoot(root: string, marker = 'image'): Promise<void> {
  for (const directory of ['bin', 'etc', 'opt', 'usr', 'var/lib']) {
    await mkdir(path.join(root, directory), { recursive: true })
  }
  await symlink('../bin', path.join(root, 'usr/bin'))
  for (const program of PROGRAMS) {
    const { stdout } = await promisify(execFile)('/bin/sh', ['-c', 'command -v "$0"', program])
    await addProgram(root, stdout.trim())
  }
  await writeFile(path.join(root, 'etc/passwd'), 'app:x:1000:1000::/home/app:/bin/sh\n')
  await symlink('/proc/mounts', path.join(root, 'etc/mtab'))
  await writeFile(path.join(root, 'opt/marker'), `${marker}\n`, { mode: 0o600 })
}

/** Writes a root file system of a few programs in `/app`, without a shell or any other program. */
export async function writeRootWithoutShell(root: string): Promise<void> {
  await mkdir(path.join(root, 'app'), { recursive: true })
  for (const program of ['cat', 'perl', 'touch']) {
    const { stdout } = await promisify(execFile)('/bin/sh', ['-c', 'command -v "$0"', program])
    await addProgram(root, stdout.trim(), 'app')
  }
}

/** Copies a program of this machine, with its libraries, to a directory of a root file system. */
export async function addProgram(root: string, file: string, directory = 'bin'): Promise<void> {
  await cp(file, path.join(root, directory, path.basename(file)), { dereference: true })
  for (const library of await librariesOf(file)) {
    await cp(library, path.join(root, library), { dereference: true, recursive: true })
  }
}

async function librariesOf(program: string): Promise<readonly string[]> {
  const { stdout } = await promisify(execFile)('ldd', [program])
  return [...stdout.matchAll(/(\/\S+) \(0x/g)].map(([, file = '']) => file)
}
