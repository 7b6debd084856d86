import path from 'node:path'
import { run } from './run.ts'
import type { Stage } from './source-stage.ts'

/** Archives the chart as Helm does, with one order, owner and time for all files. */
export async function archiveChart(
  stage: Pick<Stage, 'folder' | 'scratch' | 'version' | 'time'>,
  out: string,
): Promise<void> {
  const tar = path.join(stage.scratch, 'chart.tar')
  const fixed = ['--sort=name', '--owner=0', '--group=0', '--numeric-owner', '--format=ustar']
  const mode = ['--mode=u=rwX,go=rX', `--mtime=@${stage.time}`]
  const helm = path.join(stage.folder, 'deploy/helm')
  await run('tar', ['-cf', tar, ...fixed, ...mode, '-C', helm, 'flotilla'], { cwd: stage.scratch })
  const target = path.join(out, `flotilla-${stage.version}.tgz`)
  await run('sh', ['-c', 'gzip -n -9 < "$0" > "$1"', tar, target], { cwd: stage.scratch })
}
