import path from 'node:path';
import { defineConfig } from 'vitest/config';
import { FolderTimes } from './test/support/folder-times.ts';
import { LongestFirst } from './test/support/longest-first.ts';

/** Processes that are killed, races, models, fuzz and the smoke of the benchmark: one of these takes seconds, whatever is done. */
const LONG_BY_NATURE = [
  'test/races/**/*.test.ts',
  'test/properties/**/*.test.ts',
  'test/torture/**/*.test.ts',
  'test/performance/**/*.test.ts',
  'test/start/**/*.test.ts',
  'test/platform/embedded-postgres/**/*.test.ts',
  'test/platform/sql/**/*.test.ts',
  'test/doors/http/hostile-clients.test.ts',
  'test/billing/callback-flood.test.ts',
  'test/billing/year.test.ts',
];

/** What holds of the code as it is written: part of `npm run check`. */
const CODE = 'test/code/**/*.test.ts';

export default defineConfig({
  // The packages import each other as they are published; here by their sources.
  resolve: { alias: { 'cadastre-sdk': path.join(import.meta.dirname, 'packages/sdk/src/index.ts') } },
  test: {
    setupFiles: ['test/support/seed.ts'],
    globalSetup: ['test/support/global-setup.ts'],
    pool: 'forks',
    // Two processors: while one worker waits for a database or a browser, another has work.
    maxWorkers: 3,
    sequence: { sequencer: LongestFirst },
    // Every file has a database of its own and remembers nothing outside of it: what was loaded can serve the next.
    isolate: false,
    testTimeout: 60_000,
    hookTimeout: 120_000,
    // A worker looks every second or every five: what waits for it must not give up after one.
    expect: { poll: { timeout: 20_000 } },
    // Whatever tests start compiles the same files: only the first one pays for it.
    env: { NODE_COMPILE_CACHE: path.join(import.meta.dirname, 'coverage/compiled') },
    reporters: ['default', new FolderTimes()],
    // `vitest run --project quick` is one lane; `npm test` runs both, the long one first.
    projects: [
      { extends: true, test: { name: 'long-by-nature', include: LONG_BY_NATURE } },
      {
        extends: true,
        test: { name: 'quick', include: ['test/**/*.test.ts'], exclude: [...LONG_BY_NATURE, CODE] },
      },
      { test: { name: 'code', include: [CODE], testTimeout: 60_000 } },
    ],
  },
});
