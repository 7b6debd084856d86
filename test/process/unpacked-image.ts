import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { chown, cp, mkdir, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { essentialPackages } from './essential-packages.ts'

const run = promisify(execFile)

/** The user that the image starts as. */
const USER = 'node'
const USER_ID = 1000
const NPM_CACHE = '/npm-cache'

/** The configuration of an image, as OCI and Docker define it. */
interface ImageConfig {
  readonly Env: readonly string[]
  readonly Cmd: readonly string[]
  readonly User: string
  readonly WorkingDir: string
  readonly Healthcheck?: { readonly Test: readonly string[] }
}

/** An image that was built from the Dockerfile and unpacked into a folder. */
export interface UnpackedImage extends AsyncDisposable {
  /** The root of its file system. */
  readonly root: string
  readonly config: ImageConfig
  /** Starts a program in the image, without isolation of the network and of processes. */
  start(command: readonly string[], env: Readonly<Record<string, string>>): ChildProcess
  /** Does the same with a root that cannot be written. `/tmp` and the data directory are in memory. */
  startReadOnly(command: readonly string[], env: Readonly<Record<string, string>>): ChildProcess
}

export type Buildah = (...args: readonly string[]) => Promise<string>

/** Runs buildah, which keeps its images and containers in a folder. */
export function buildahIn(folder: string): Buildah {
  const storage = ['--root', path.join(folder, 'storage'), '--runroot', path.join(folder, 'run')]
  return async (...args) => {
    const options = { env: { ...process.env, BUILDAH_ISOLATION: 'chroot' }, maxBuffer: 2 ** 26 }
    return (await run('buildah', [...storage, ...args], options)).stdout.trim()
  }
}

/** The reason why this machine cannot build images, or null. */
export async function missingForImages(): Promise<string | null> {
  if (process.getuid?.() !== 0) return 'building an image needs root'
  for (const program of ['buildah', 'dpkg-query']) {
    const found = await run('which', [program]).then(
      () => true,
      () => false,
    )
    if (!found) return `${program} is not installed`
  }
  return null
}

/**
 * Builds the Dockerfile of a project with buildah, without a container engine. The registry of the
 * base image may be out of reach, so this machine's Node and essential packages take its place. npm
 * uses the cache of this machine.
 */
export async function unpackImage(project: string, folder: string): Promise<UnpackedImage> {
  const buildah = buildahIn(folder)
  await buildBase(buildah)
  const cache = (await run('npm', ['config', 'get', 'cache'])).stdout.trim()
  // A mount needs the folder, which npm creates when it first downloads a package.
  await mkdir(cache, { recursive: true })
  const volumes = ['--volume', `${cache}:${NPM_CACHE}`]
  const options = ['--pull-never', '--format', 'docker', ...volumes, '--tag', 'flotilla']
  await downloading(() => buildah('bud', ...options, project))
  return mountImage(buildah, 'flotilla')
}

/** Unpacks an image of the storage. */
export async function mountImage(buildah: Buildah, name: string): Promise<UnpackedImage> {
  const { Docker } = JSON.parse(await buildah('inspect', '--type', 'image', name))
  const config: ImageConfig = Docker.config
  const container = await buildah('from', '--pull-never', name)
  const root = await buildah('mount', container)
  return {
    root,
    config,
    start: (command, env) => startIn({ root, config }, command, env),
    startReadOnly: (command, env) => startIn({ root, config, mounts: READ_ONLY }, command, env),
    [Symbol.asyncDispose]: async () => {
      await buildah('rm', '--all')
    },
  }
}

/** Tries an action that downloads packages up to three times. */
async function downloading(action: () => Promise<unknown>, attempts = 3): Promise<void> {
  try {
    await action()
  } catch (error) {
    if (attempts === 1) throw error
    await downloading(action, attempts - 1)
  }
}

/** Commits an image under the name of the base in the Dockerfile to a local storage. */
export async function buildBase(buildah: Buildah): Promise<void> {
  const base = await buildah('from', 'scratch')
  const root = await buildah('mount', base)
  await copyEssentialPackages(root)
  await addNode(root)
  await addUser(root)
  // Without a registry in the name, buildah uses the local image.
  await buildah('commit', '--quiet', base, 'node:22-bookworm-slim')
  await buildah('rm', base)
}

/** Copies the files of a minimal Debian without documentation, with the library of Node. */
async function copyEssentialPackages(root: string): Promise<void> {
  // `/bin` and others may be links to them.
  for (const name of ['bin', 'lib', 'lib64', 'sbin']) {
    await mkdir(path.join(root, 'usr', name), { recursive: true })
  }
  const list = path.join(root, 'list')
  const { files, records } = await essentialPackages(['libstdc++6'])
  await writeFile(list, files.join('\n'))
  const copy = 'tar -c --no-recursion --ignore-failed-read -PT "$1/list" | tar -xp -C "$1"'
  await run('sh', ['-c', copy, 'sh', root])
  await rm(list)
  await mkdir(path.join(root, 'var/lib/dpkg'), { recursive: true })
  await writeFile(path.join(root, 'var/lib/dpkg/status'), records)
}

async function addUser(root: string): Promise<void> {
  const home = path.join(root, 'home', USER)
  const entry = `${USER}:x:${USER_ID}:${USER_ID}::/home/${USER}:/bin/sh`
  await writeFile(path.join(root, 'etc/passwd'), `root:x:0:0::/root:/bin/sh\n${entry}\n`)
  await writeFile(path.join(root, 'etc/group'), `root:x:0:\n${USER}:x:${USER_ID}:\n`)
  await mkdir(home, { recursive: true })
  await chown(home, USER_ID, USER_ID)
}

/** Copies Node and npm, with the certificates and the registry that npm uses on this machine. */
async function addNode(root: string): Promise<void> {
  const local = path.join(root, 'usr/local')
  const { stdout: modules } = await run('npm', ['root', '--global'])
  const { stdout: registry } = await run('npm', ['config', 'get', 'registry'])
  await mkdir(path.join(local, 'etc'), { recursive: true })
  await cp(process.execPath, path.join(local, 'bin/node'))
  await cp(path.join(modules.trim(), 'npm'), path.join(local, 'lib/node_modules/npm'), {
    recursive: true,
    dereference: true,
  })
  await run('ln', ['-sf', '../lib/node_modules/npm/bin/npm-cli.js', path.join(local, 'bin/npm')])
  const certificates = '/etc/ssl/certs/ca-certificates.crt'
  await mkdir(path.join(root, path.dirname(certificates)), { recursive: true })
  await cp(certificates, path.join(root, certificates), { dereference: true })
  const settings = [
    `registry=${registry.trim()}`,
    `cafile=${certificates}`,
    `cache=${NPM_CACHE}`,
    'prefer-offline=true',
    '',
  ]
  await writeFile(path.join(local, 'etc/npmrc'), settings.join('\n'))
}

const READ_ONLY = `
  mount --bind "$1" "$1" && mount -t tmpfs -o mode=1777 tmpfs "$1/tmp" &&
  mount -t tmpfs -o mode=700,uid=${USER_ID},gid=${USER_ID} tmpfs "$1/home/${USER}/flotilla" &&
  mount -o remount,bind,ro "$1" &&`

/** The program replaces the shell, so that it receives signals itself. */
const IN_IMAGE = `
  mount --rbind /dev "$1/dev" && mount -t proc proc "$1/proc" && cd "$1" &&
  root=$1 directory=$2 user=$3 && shift 3 &&
  exec chroot --userspec="$user" "$root" sh -c 'cd "$0" && exec "$@"' "$directory" "$@"`

function startIn(
  {
    root,
    config,
    mounts = '',
  }: Pick<UnpackedImage, 'root' | 'config'> & { readonly mounts?: string },
  command: readonly string[],
  env: Readonly<Record<string, string>>,
): ChildProcess {
  const { WorkingDir, User, Env } = config
  const inImage = ['sh', '-c', mounts + IN_IMAGE, 'sh', root, WorkingDir, User, ...command]
  const environment = Object.fromEntries(
    Env.map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
  )
  return spawn('unshare', ['--mount', ...inImage], {
    env: { HOME: `/home/${User}`, ...environment, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
}
