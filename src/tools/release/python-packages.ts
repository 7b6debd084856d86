import path from 'node:path'
import { run } from './run.ts'
import type { Stage } from './source-stage.ts'

/** Tools of the release, in the versions of clients/python/constraints.txt. */
const TOOLS = ['build', 'hatchling', 'cyclonedx-bom']
const PIP = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check']

/** Builds the source distribution, and the wheel from it. Returns the Python with the tools. */
export async function buildPythonPackages(stage: Stage, out: string): Promise<string> {
  const cwd = path.join(stage.folder, 'clients/python')
  const venv = path.join(stage.scratch, 'python')
  const python = path.join(venv, 'bin/python')
  await run('python3', ['-m', 'venv', venv], { cwd })
  await run(python, [...PIP, '--constraint', 'constraints.txt', ...TOOLS], { cwd })
  await run(python, ['-m', 'build', '--no-isolation', '--outdir', out], {
    cwd,
    env: { SOURCE_DATE_EPOCH: stage.time },
  })
  return python
}

/** Writes the bill of materials of an environment that contains only the wheel. */
export async function describeWheel(
  stage: Stage,
  { python, wheel, out }: { readonly python: string; readonly wheel: string; readonly out: string },
): Promise<void> {
  const installed = path.join(stage.scratch, 'installed')
  const cwd = stage.scratch
  await run('python3', ['-m', 'venv', '--without-pip', installed], { cwd })
  const target = ['--python', path.join(installed, 'bin/python')]
  await run(python, ['-m', 'pip', ...target, ...PIP.slice(2), wheel], { cwd })
  const pyproject = path.join(stage.folder, 'clients/python/pyproject.toml')
  const options = ['--output-reproducible', '--mc-type', 'library', '--pyproject', pyproject]
  await run(
    python,
    ['-m', 'cyclonedx_py', 'environment', ...options, '--output-file', out, target[1] ?? ''],
    { cwd, env: { SOURCE_DATE_EPOCH: stage.time } },
  )
}
