import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { withProgress } from './install-progress.mjs'
import { packagesMatch, placesFor } from './packages-match.mjs'
import { runProgram } from './run-program.mjs'
import { isSupportedNode, isTooOld } from './supported-node.mjs'

const root = new URL('../../', import.meta.url)

/** Settings of the caller's own `npm` call that would change the result of this one. */
const FOREIGN_SETTINGS =
  /^npm_config_(omit|include|only|also|production|dev|global|location|dry_run|package_lock|package_lock_only|workspace|workspaces|install_links|install_strategy|legacy_peer_deps|strict_peer_deps|ignore_scripts)$/i

/** Installs the packages of package-lock.json unless they are installed already. */
export async function installPackages() {
  checkNode()
  const lock = readJson('package-lock.json')
  const installed = readInstalled()
  if (installed !== null && packagesMatch(lock.packages, installed.packages, process)) return
  const reason = installed === null ? 'first start only' : 'package-lock.json has changed'
  console.log(`Installing packages (${reason}) ...`)
  const { command, args } = npm()
  const folder = fileURLToPath(root)
  const places = placesFor(lock.packages, process)
  await withProgress({ root: folder, places }, () =>
    runProgram(command, [...args, 'ci', '--include=dev', '--no-progress'], {
      cwd: folder,
      env: ownSettings(process.env),
    }),
  )
}

/** Exits if Node is too old. Other unsupported versions probably work, so they only warn. */
function checkNode() {
  const range = readJson('package.json').engines.node
  const own = process.versions.node
  if (isSupportedNode(own, range)) return
  const supported = range.replaceAll('||', 'or')
  if (isTooOld(own, range)) {
    console.error(`Flotilla needs Node ${supported}; this is ${own}.`)
    process.exit(1)
  }
  console.warn(`Flotilla is tested with Node ${supported}; this is ${own}.`)
}

/** The npm that runs this script, or the one on the PATH. */
function npm() {
  const own = process.env['npm_execpath']
  if (own === undefined || !/npm-cli\.c?js$/.test(own)) return { command: 'npm', args: [] }
  return { command: process.execPath, args: [own] }
}

/** @param {NodeJS.ProcessEnv} env */
function ownSettings(env) {
  const kept = Object.entries(env).filter(([name]) => !FOREIGN_SETTINGS.test(name))
  return Object.fromEntries(kept)
}

/** npm's record of its last completed installation, or null. */
function readInstalled() {
  try {
    return readJson('node_modules/.package-lock.json')
  } catch {
    return null
  }
}

/** @param {string} file */
function readJson(file) {
  return JSON.parse(readFileSync(new URL(file, root), 'utf8'))
}
