import { defineConfig } from 'vitest/config';
import { createRunFolder } from './test/support/temporary-folder.ts';

// The workers and the services that tests start inherit it.
process.env.TMPDIR ??= createRunFolder();

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'client/src/**/*.test.ts', 'test/**/*.test.ts'],
    globalSetup: ['test/support/database.ts'],
    setupFiles: ['test/support/vitest-setup.ts'],
    // Loading the service takes longer than most files' tests: the files of a worker share it.
    isolate: false,
    pool: 'forks',
    maxWorkers: 3,
    // They end a test that hangs. A busy machine needs many times what an idle one does.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    reporters: ['default'],
  },
});
