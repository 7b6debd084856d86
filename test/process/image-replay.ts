import { execFile } from 'node:child_process'
import { access, cp, mkdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { must } from '../../src/lib/assert.ts'

interface Step {
  readonly instruction: string
  readonly rest: string
}

interface Stage {
  readonly root: string
  directory: string
  environment: Record<string, string>
  command: readonly string[]
  healthcheck: readonly string[]
}

/** The last stage of a Dockerfile, built on this machine. */
export type Image = Readonly<Stage>

/**
 * Replays the COPY and RUN steps of a project's Dockerfile in an empty folder per stage. A step fails
 * if it needs a file that no earlier step has created, as it would in a container.
 */
export async function replayDockerfile(project: string, folder: string): Promise<Image> {
  const stages = new Map<string, Stage>()
  const ignored = await ignoreRule(project)
  for (const { instruction, rest } of steps(
    await readFile(path.join(project, 'Dockerfile'), 'utf8'),
  )) {
    if (instruction === 'FROM') {
      const name = /^\S+ AS (\S+)$/i.exec(rest)?.[1] ?? 'last'
      const root = path.join(folder, name)
      stages.set(name, { root, directory: root, environment: {}, command: [], healthcheck: [] })
    } else {
      const stage = must([...stages.values()].at(-1), 'FROM before other steps')
      await replay({ instruction, rest }, { stage, stages, project, ignored })
    }
  }
  return must([...stages.values()].at(-1), 'a stage')
}

function steps(dockerfile: string): readonly Step[] {
  const lines = dockerfile.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
  return lines.map((line) => {
    const [instruction = '', ...rest] = line.split(' ')
    return { instruction, rest: rest.join(' ') }
  })
}

interface Context {
  readonly stage: Stage
  readonly stages: ReadonlyMap<string, Stage>
  readonly project: string
  readonly ignored: (file: string) => boolean
}

async function replay({ instruction, rest }: Step, context: Context): Promise<void> {
  const { stage } = context
  switch (instruction) {
    case 'WORKDIR':
      stage.directory = path.join(stage.root, rest)
      await mkdir(stage.directory, { recursive: true })
      return
    case 'ARG':
      // Every argument has an empty default.
      return
    case 'ENV':
      for (const [, name = '', value = ''] of rest.matchAll(/(\w+)=(\S+)/g)) {
        stage.environment[name] = value.replaceAll(/\$\w+/g, '')
      }
      return
    case 'COPY':
      return copy(rest.split(' '), context)
    case 'RUN':
      await promisify(execFile)('sh', ['-c', rest], {
        cwd: stage.directory,
        env: { ...process.env, npm_config_prefer_offline: 'true', ...stage.environment },
      })
      return
    case 'HEALTHCHECK':
      stage.healthcheck = JSON.parse(rest.slice(rest.indexOf('CMD ') + 'CMD '.length))
      return
    case 'CMD':
      stage.command = JSON.parse(rest)
      return
    case 'USER':
    case 'EXPOSE':
      return
    default:
      throw new Error(`the replay does not support ${instruction}`)
  }
}

async function copy(words: readonly string[], context: Context): Promise<void> {
  const { stage, stages, project, ignored } = context
  const from = words.find((word) => word.startsWith('--from='))?.slice('--from='.length)
  const paths = words.filter((word) => !word.startsWith('--'))
  const target = must(paths.at(-1), 'a target of COPY')
  const base = from === undefined ? project : must(stages.get(from), `stage ${from}`).root
  for (const source of paths.slice(0, -1)) {
    const into = path.join(
      stage.directory,
      target,
      target.endsWith('/') ? path.basename(source) : '',
    )
    await cp(path.join(base, source), into, {
      recursive: true,
      verbatimSymlinks: true,
      filter: (file) => from !== undefined || !ignored(path.relative(project, file)),
    })
    await access(into)
  }
}

/** Whether .dockerignore excludes a path. Its last matching line decides. */
async function ignoreRule(project: string): Promise<(file: string) => boolean> {
  const text = await readFile(path.join(project, '.dockerignore'), 'utf8')
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
  const rules = lines.map((line) => ({
    keeps: line.startsWith('!'),
    matches: new RegExp(`^${patternOf(line.replace(/^!/, ''))}(/|$)`),
  }))
  return (file) => {
    const rule = rules.findLast(({ matches }) => matches.test(file))
    return rule !== undefined && !rule.keeps
  }
}

function patternOf(glob: string): string {
  const literal = glob.replace(/[.+^${}()|[\]\\]/g, '\\$&')
  return literal.replaceAll('**/', '(.*/)?').replaceAll(/(?<!\.)\*/g, '[^/]*')
}
