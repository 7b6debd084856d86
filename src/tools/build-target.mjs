import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { sourceDigest } from './source-digest.mjs'

const STAMP = '.source-digest'

/**
 * A folder that is built from sources.
 * @typedef {object} Target
 * @property {string} name A noun for messages.
 * @property {string} root The folder of the project.
 * @property {string} out The folder that the build creates, relative to the project.
 * @property {readonly string[]} sources Files and folders that affect the build, relative to the project.
 * @property {readonly Target[]} [needs] Targets that the build reads.
 * @property {(folder: string) => Promise<void>} build Builds into a folder.
 */

/**
 * Builds a target, and those that it needs, unless they are up to date.
 * @param {Target} target
 */
export async function buildTargetIfStale(target) {
  for (const needed of target.needs ?? []) await buildTargetIfStale(needed)
  if (isFresh(target)) return
  console.error(`Building ${target.name} ...`)
  await buildTarget(target)
}

/**
 * Builds a target to a new folder and replaces the old one when the build is complete.
 * @param {Target} target
 */
export async function buildTarget(target) {
  const { root, out, build } = target
  const folder = path.join(root, out)
  mkdirSync(path.dirname(folder), { recursive: true })
  removeAbandoned(target)
  const digest = digestOf(target)
  const made = `${folder}.${process.pid}.new`
  await build(made)
  writeFileSync(path.join(made, STAMP), digest)
  const replaced = `${folder}.${process.pid}.old`
  try {
    if (existsSync(folder)) renameSync(folder, replaced)
    renameSync(made, folder)
  } catch (error) {
    // Another process has built it meanwhile.
    if (!isFresh(target)) throw error
    rmSync(made, { recursive: true })
  }
  rmSync(replaced, { recursive: true, force: true })
}

/** @param {Target} target */
function isFresh(target) {
  const stamp = path.join(target.root, target.out, STAMP)
  return existsSync(stamp) && readFileSync(stamp, 'utf8') === digestOf(target)
}

/**
 * Reads the sources of needed targets instead of their folders, which other processes may replace.
 * @param {Target} target
 */
function digestOf({ root, sources, needs = [] }) {
  const all = new Set([...sources, ...needs.flatMap((needed) => needed.sources)])
  return sourceDigest(
    root,
    [...all],
    needs.map(({ out }) => out),
  )
}

/**
 * Removes the folders of builds that failed or were killed.
 * @param {Target} target
 */
function removeAbandoned({ root, out }) {
  const parent = path.dirname(path.join(root, out))
  const base = path.basename(out)
  for (const name of readdirSync(parent)) {
    const match = /^\.(\d+)\.(new|old)$/.exec(name.startsWith(base) ? name.slice(base.length) : '')
    if (match === null) continue
    const pid = Number(match[1])
    if (pid !== process.pid && isRunning(pid)) continue
    rmSync(path.join(parent, name), { recursive: true, force: true })
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
