import type { Drill } from './drill.ts'
import { runTestFiles } from './run-test-files.ts'

/** Runs the tests that install packages from registries, which takes longer than the tests. */
export const installations: Drill = {
  summary: 'the image, snapshots in S3, and drivers in Python',
  cases: [
    { name: 'image', run: () => runTestFiles('test/process/image.drill.ts') },
    { name: 's3', run: () => runTestFiles('test/sandboxes/process-driver/s3-store.drill.ts') },
    {
      name: 'python-drivers',
      run: () =>
        runTestFiles(
          'test/drivers/python-driver.drill.ts',
          'test/sandboxes/acceptance/any-language.drill.ts',
        ),
    },
  ],
}
