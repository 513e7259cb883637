import { defineConfig } from 'vitest/config';
import { FolderTimes } from './test/support/folder-times.ts';
import { LongestFirst } from './test/support/longest-first.ts';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    setupFiles: ['test/support/seed.ts'],
    globalSetup: ['test/support/global-setup.ts'],
    pool: 'forks',
    // Two processors: while one worker waits for a database or a browser, another has work.
    maxWorkers: 3,
    sequence: { sequencer: LongestFirst },
    // Every file has a database of its own and remembers nothing outside of it: what was loaded can serve the next.
    isolate: false,
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // A worker looks every second or every five: what waits for it must not give up after one.
    expect: { poll: { timeout: 10_000 } },
    reporters: ['default', new FolderTimes()],
  },
});
