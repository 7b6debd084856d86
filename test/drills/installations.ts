import { missingForImages } from '../process/unpacked-image.ts'
import { type Drill, Skipped } from './drill.ts'
import { runTestFiles } from './run-test-files.ts'

/** Runs the tests that build the program, install packages, move data or need Debian's programs. */
export const installations: Drill = {
  summary:
    'npm start and signals, the image, recovery from archived WAL, killed imports, snapshots in S3, and drivers in Python',
  cases: [
    {
      name: 'npm-start',
      run: () =>
        runTestFiles(
          'test/process/start.drill.ts',
          'test/process/compiled-server.drill.ts',
          'test/process/stop-signals.drill.ts',
        ),
    },
    { name: 'image', run: testImage },
    {
      name: 'point-in-time-recovery',
      run: () => runTestFiles('test/maintenance/point-in-time-recovery.drill.ts'),
    },
    {
      name: 'killed-imports',
      run: () => runTestFiles('test/import/interrupted-imports.drill.ts'),
    },
    {
      name: 'python',
      run: () =>
        runTestFiles(
          'test/sandboxes/process-driver/s3-store.drill.ts',
          'test/drivers/python-driver.drill.ts',
          'test/sandboxes/acceptance/any-language.drill.ts',
        ),
    },
  ],
}

async function testImage(): Promise<void> {
  const missing = await missingForImages()
  if (missing !== null) throw new Skipped(missing)
  await runTestFiles('test/process/image.drill.ts')
}
