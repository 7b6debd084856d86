import {
  cpSync,
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { runProgram } from './run-program.mjs'
import { sourceDigest } from './source-digest.mjs'

const root = fileURLToPath(new URL('../../', import.meta.url))
const dist = path.join(root, 'dist')
const STAMP = '.source-digest'

/** Compiles src/ to dist/ unless dist/ is up to date. */
export async function buildIfStale() {
  if (isFresh()) return
  console.log('Compiling ...')
  await buildDist()
}

/** Compiles src/ to a new folder and replaces dist/ by it when the build is complete. */
export async function buildDist() {
  removeAbandoned()
  const digest = sourceDigest(root)
  const made = path.join(root, `dist.${process.pid}.new`)
  const compiler = path.join(root, 'node_modules/typescript/bin/tsc')
  await runProgram(process.execPath, [compiler, '-p', 'tsconfig.build.json', '--outDir', made], {
    cwd: root,
  })
  copyYaml(path.join(root, 'src'), made)
  writeFileSync(path.join(made, STAMP), digest)
  const replaced = path.join(root, `dist.${process.pid}.old`)
  if (existsSync(dist)) renameSync(dist, replaced)
  renameSync(made, dist)
  rmSync(replaced, { recursive: true, force: true })
}

function isFresh() {
  const stamp = path.join(dist, STAMP)
  return existsSync(stamp) && readFileSync(stamp, 'utf8') === sourceDigest(root)
}

/**
 * @param {string} from
 * @param {string} to
 */
function copyYaml(from, to) {
  for (const file of readdirSync(from, { recursive: true, encoding: 'utf8' })) {
    if (file.endsWith('.yaml')) cpSync(path.join(from, file), path.join(to, file))
  }
}

/** Removes the folders of builds that failed or were killed. */
function removeAbandoned() {
  for (const name of readdirSync(root)) {
    const match = /^dist\.(\d+)\.(new|old)$/.exec(name)
    if (match === null) continue
    const pid = Number(match[1])
    if (pid !== process.pid && isRunning(pid)) continue
    rmSync(path.join(root, name), { recursive: true, force: true })
  }
}

/** @param {number} pid */
function isRunning(pid) {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}
