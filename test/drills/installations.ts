import { missingForImages } from '../process/unpacked-image.ts'
import { type Drill, Skipped } from './drill.ts'
import { runTestFiles } from './run-test-files.ts'

/** Runs the tests that build the program, install packages or need Debian's programs. */
export const installations: Drill = {
  summary:
    'npm start and signals, the image, recovery from archived WAL, snapshots in S3, and drivers in Python',
  cases: [
    {
      name: 'without-image',
      // Each run of vitest costs ten seconds of CPU.
      run: () =>
        runTestFiles(
          'test/process/start.drill.ts',
          'test/process/compiled-server.drill.ts',
          'test/process/stop-signals.drill.ts',
          'test/maintenance/point-in-time-recovery.drill.ts',
          'test/sandboxes/process-driver/s3-store.drill.ts',
          'test/drivers/python-driver.drill.ts',
          'test/sandboxes/acceptance/any-language.drill.ts',
        ),
    },
    { name: 'image', run: testImage },
  ],
}

async function testImage(): Promise<void> {
  const missing = await missingForImages()
  if (missing !== null) throw new Skipped(missing)
  await runTestFiles('test/process/image.drill.ts')
}
