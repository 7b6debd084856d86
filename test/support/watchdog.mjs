// Cleans up after a test run: node watchdog.mjs <process id of the runner> <directory> [directory ...]
// Standard input ends with the runner, also if it is killed. Then this program kills the processes that
// descend from the runner or have its temporary directory in their environment, and removes the files.
// In CI it first waits for them, and lists those that stay, because a test has forgotten them.
import { appendFileSync, existsSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

const [runnerAtStart = '', directory = '', ...more] = process.argv.slice(2)
const POLL_MS = 2000
const ROUNDS = 100
/** PostgreSQL removes its shared memory if it may end by itself. */
const GENTLE_ROUNDS = 30
/** Workers of the runner and their programs end after it, on a busy machine within seconds. */
const PATIENT_ROUNDS = 100
const LIST = process.env['LEFT_PROCESSES_FILE'] ?? ''

let runner = runnerAtStart
/** The start time of each descendant that was seen, by process id. @type {Map<string, string>} */
const descendants = new Map()
const timer = setInterval(recordDescendants, POLL_MS)

for await (const _ of process.stdin);
clearInterval(timer)
// Another process may get the id of the runner, which has ended.
runner = ''
if (runnerAtStart !== '' && LIST !== '') await listForgotten()
await cleanUp()

async function listForgotten() {
  /** @type {string[]} */
  let left = []
  for (let round = 0; round < PATIENT_ROUNDS; round += 1) {
    recordDescendants()
    left = processes().filter(isOfRun).flatMap(describe)
    if (left.length === 0) return
    await sleep(100)
  }
  appendFileSync(LIST, left.join(''))
}

/**
 * Nothing for a process that is ending, and for the self-test of criu, which stays if its server ends
 * during it.
 *
 * @param {Process} process_
 */
function describe({ pid, parent }) {
  const command = commandOf(pid)
  const texts = [command, commandOf(parent), read(`/proc/${pid}/cgroup`)]
  const isSelfTest = texts.some((text) => text.includes('probe-criu-'))
  return command === '' || isSelfTest ? [] : [`process ${pid} of a test: ${command}\n`]
}

/** @param {string} pid */
function commandOf(pid) {
  return read(`/proc/${pid}/cmdline`).replaceAll('\0', ' ')
}

async function cleanUp() {
  for (let round = 0; round < ROUNDS; round += 1) {
    recordDescendants()
    const left = processes().filter(isOfRun)
    if (left.length === 0) break
    for (const { pid, name } of left) {
      kill(pid, name === 'postgres' && round < GENTLE_ROUNDS ? 'SIGQUIT' : 'SIGKILL')
    }
    await sleep(100)
  }
  for (const folder of [directory, ...more]) remove(folder)
  if (!existsSync('/dev/shm')) return
  const id = path.basename(directory)
  for (const name of readdirSync('/dev/shm')) {
    if (name.startsWith(`${id}-`)) remove(path.join('/dev/shm', name))
  }
}

/** @typedef {{ pid: string, parent: string, name: string, started: string }} Process */

/** @param {Process} process_ */
function isOfRun({ pid, started }) {
  if (pid === String(process.pid)) return false
  if (descendants.get(pid) === started) return true
  const variables = read(`/proc/${pid}/environ`).split('\0')
  // A shell that was in the directory is not a program of the run.
  return variables.some((text) => text.includes(directory) && !/^(OLD)?PWD=/.test(text))
}

function recordDescendants() {
  const all = processes()
  const known = new Set([runner, ...all.filter(isRecorded).map(({ pid }) => pid)])
  for (let size = 0; size !== known.size;) {
    size = known.size
    for (const { pid, parent, started } of all) {
      if (pid === String(process.pid) || pid === runner || !known.has(parent)) continue
      known.add(pid)
      descendants.set(pid, started)
    }
  }
}

/** @param {Process} process_ */
function isRecorded({ pid, started }) {
  return descendants.get(pid) === started
}

/** All processes that have not ended. @returns {Process[]} */
function processes() {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  return pids.flatMap((pid) => {
    const [, name = '', rest = ''] = /\((.*)\) (.*)/s.exec(read(`/proc/${pid}/stat`)) ?? []
    const [state = 'X', parent = '', ...more] = rest.split(' ')
    return 'XZ'.includes(state) ? [] : [{ pid, parent, name, started: more[17] ?? '' }]
  })
}

/** @param {string} file */
function read(file) {
  try {
    return readFileSync(file, 'latin1')
  } catch {
    return ''
  }
}

/**
 * @param {string} pid
 * @param {'SIGQUIT' | 'SIGKILL'} signal
 */
function kill(pid, signal) {
  try {
    process.kill(Number(pid), signal)
  } catch {
    // It has ended, or belongs to another account.
  }
}

/** @param {string} folder */
function remove(folder) {
  // A mount below the folder shows files of other folders.
  if (read('/proc/self/mountinfo').includes(` ${folder}/`)) return
  rmSync(folder, { recursive: true, force: true })
}
