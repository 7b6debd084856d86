import { stat } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { errorCode } from 'flotilla'
import {
  ConfigError,
  formatTenant,
  programEnvironment,
  readTenant,
  SettingError,
} from 'flotilla/programs'
import { addImage } from '../drivers/images/add-image.ts'
import { IMAGE_LIMITS } from '../drivers/images/image-limits.ts'
import {
  type ImageDirectories,
  imageDirectories,
  listImages,
} from '../drivers/images/image-store.ts'
import { removeImage } from '../drivers/images/remove-image.ts'
import { SandboxDriverError } from '../drivers/protocol/sandbox-driver-error.ts'
import type { ImageUsers } from '../drivers/protocol/image-users.ts'
import { prepareDirectories } from '../drivers/runtime/host/prepare-directories.ts'
import { readSandboxdConfig } from './sandboxd-config.ts'

const HELP = `Usage: flotilla sandbox images add [--tenant TENANT] [--namespace NAME] NAME PATH
       flotilla sandbox images list
       flotilla sandbox images remove NAME...

Registers root file systems for the sandboxes of this machine. PATH is a directory, an OCI image
layout, or an archive of a layout, of 'docker save', or of a root file system. Sandboxes name them
in the field image of their container. Nothing is downloaded.

Options of add. Without them, all sandboxes may use the image:
  --tenant TENANT   Only sandboxes of this tenant may use it, such as org=acme,project=web.
  --namespace NAME  Only sandboxes in namespaces with this name may use it.

Settings:
  SANDBOXD  dir=... is the directory of the runtime. Default: sandboxd in DATA_DIR, as for 'flotilla start'.
`

/** A label of DNS, as Kubernetes requires. */
const NAMESPACE = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/
const MIB = 1_048_576
/** Part of a digest that people compare. */
const SHORT_DIGEST = 19

/** Runs `flotilla sandbox images add|list|remove`, and ends the process. */
export async function runSandboxImages(words: readonly string[]): Promise<void> {
  const { values, positionals } = readWords(words)
  const [images, verb, ...rest] = positionals
  if (values.help === true || (images === 'images' && verb === undefined)) {
    process.stdout.write(HELP)
    process.exit(0)
  }
  if (images !== 'images') failUsage('this program has only sandbox images')
  try {
    await run(verb ?? '', rest, values)
    process.exit(0)
  } catch (error) {
    console.error(`flotilla sandbox images: ${explain(error)}`)
    process.exit(1)
  }
}

type Options = ReturnType<typeof readWords>['values']

async function run(verb: string, words: readonly string[], options: Options): Promise<void> {
  const [name, source, ...others] = words
  if (verb === 'add') {
    if (name === undefined || source === undefined || others.length > 0)
      failUsage('add needs NAME and PATH')
    return add(name, source, usersOf(options))
  }
  if (options.tenant !== undefined || options.namespace !== undefined) {
    failUsage('only add has --tenant and --namespace')
  }
  if (verb === 'remove') {
    if (words.length === 0) failUsage('remove needs NAME')
    return remove(words)
  }
  if (verb === 'list' && words.length === 0) return list()
  failUsage(`there is no command '${[verb, ...words].join(' ')}'`)
}

function usersOf({ tenant, namespace }: Options): ImageUsers {
  // An empty variable of a shell must not register the image for all.
  if (namespace !== undefined && !NAMESPACE.test(namespace)) {
    failUsage(`'${namespace}' is not the name of a namespace`)
  }
  return { tenant: tenant === undefined ? '' : readTenant(tenant), namespace: namespace ?? '' }
}

async function add(name: string, source: string, users: ImageUsers): Promise<void> {
  const { digest, size, omitted } = await addImage(await openDirectories(), {
    name,
    source,
    ...users,
    added: new Date(),
    limits: IMAGE_LIMITS,
    // A signal ends the process, and the runtime removes the unfinished files.
    signal: new AbortController().signal,
  })
  console.log(`${name} ${digest} ${inMib(size)}`)
  if (omitted > 0) console.log(`${omitted} devices, pipes or sockets were left out`)
}

async function list(): Promise<void> {
  const images = await listImages(await openDirectories())
  const rows = images.map(({ name, digest, size, added, tenant, namespace }) => [
    name,
    digest.slice(0, SHORT_DIGEST),
    inMib(size),
    `${added.slice(0, 19)}Z`,
    tenant === '' ? 'all' : formatTenant(tenant),
    namespace === '' ? 'all' : namespace,
  ])
  const table = [['NAME', 'DIGEST', 'SIZE', 'ADDED', 'TENANT', 'NAMESPACE'], ...rows]
  const widths = [0, 1, 2, 3, 4].map((column) =>
    Math.max(...table.map((row) => row[column]?.length ?? 0)),
  )
  for (const row of table) {
    console.log(row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  '))
  }
}

async function remove(names: readonly string[]): Promise<void> {
  const directories = await openDirectories()
  const results = []
  for (const name of names) results.push({ name, existed: await removeImage(directories, name) })
  for (const { name, existed } of results) {
    console.log(existed ? `${name} removed` : `${name} is not registered`)
  }
  console.log('The files stay until no sandbox uses them.')
  if (results.some(({ existed }) => !existed)) process.exit(1)
}

/** Files of root in the directory of an ordinary user's runtime would be useless. */
async function openDirectories(): Promise<ImageDirectories> {
  const { directory } = readSandboxdConfig(programEnvironment())
  const owner = await stat(directory).then(
    ({ uid }) => uid,
    (error: unknown) => {
      if (errorCode(error) === 'ENOENT') return null
      throw error
    },
  )
  if (owner !== null && owner !== process.getuid?.()) {
    throw new SettingError(
      `${directory} belongs to the user ${owner}: run the command as that user, or set dir of SANDBOXD`,
    )
  }
  const { imagesDirectory } = await prepareDirectories(directory)
  return imageDirectories(imagesDirectory)
}

function inMib(bytes: number): string {
  return `${Math.ceil(bytes / MIB)} MiB`
}

function readWords(words: readonly string[]) {
  try {
    return parseArgs({
      args: [...words],
      options: {
        help: { type: 'boolean', short: 'h' },
        tenant: { type: 'string' },
        namespace: { type: 'string' },
      },
      allowPositionals: true,
    })
  } catch (error) {
    return failUsage(explain(error))
  }
}

function failUsage(problem: string): never {
  console.error(`flotilla sandbox images: ${problem}. See flotilla sandbox images --help`)
  process.exit(2)
}

function explain(error: unknown): string {
  const isExplained =
    error instanceof ConfigError ||
    error instanceof SettingError ||
    error instanceof SandboxDriverError
  if (!(error instanceof Error)) return String(error)
  // System errors name the operation and the file.
  return isExplained || errorCode(error) !== null ? error.message : (error.stack ?? error.message)
}
