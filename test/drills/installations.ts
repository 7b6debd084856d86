import { missingForImages } from '../process/unpacked-image.ts'
import { type Drill, Skipped } from './drill.ts'
import { closeRelease, releaseCases } from './release/cases.ts'
import { runTestFiles, testFileCases } from './run-test-files.ts'

const { cases, prepare } = testFileCases({
  'npm-start': [
    'test/process/start.drill.ts',
    'test/process/compiled-server.drill.ts',
    'test/process/stop-signals.drill.ts',
  ],
  'point-in-time-recovery': ['test/maintenance/point-in-time-recovery.drill.ts'],
  'killed-imports': ['test/import/interrupted-imports.drill.ts'],
  python: [
    'test/sandboxes/process-driver/s3-store.drill.ts',
    'test/drivers/python-driver.drill.ts',
    'test/sandboxes/acceptance/any-language.drill.ts',
  ],
})

/** Runs the tests that build the program, install packages, move data or need Debian's programs. */
export const installations: Drill = {
  summary:
    'npm start and signals, the image, recovery from archived WAL, killed imports, snapshots in S3, drivers in Python, and a release',
  cases: [...cases, { name: 'image', run: testImage }, ...releaseCases],
  prepare,
  close: closeRelease,
}

async function testImage(): Promise<void> {
  const missing = await missingForImages()
  if (missing !== null) throw new Skipped(missing)
  await runTestFiles('test/process/image.drill.ts')
}
