import path from 'node:path';
import { defineConfig } from 'vitest/config';
import { CODE, SLOW } from './test/gate/lanes.ts';
import { LongestFirst } from './test/gate/longest-first.ts';
import { ResultReporter } from './test/gate/result-reporter.ts';

const SDK = path.join(import.meta.dirname, 'packages/sdk/src');

export default defineConfig({
  // The packages import each other as they are published; here by their sources.
  resolve: {
    alias: [
      { find: /^cadastre-sdk$/, replacement: path.join(SDK, 'index.ts') },
      { find: /^cadastre-sdk\/(\w+)$/, replacement: path.join(SDK, '$1.ts') },
    ],
  },
  test: {
    setupFiles: [
      'test/support/note-statements.ts',
      'test/gate/measure-file.ts',
      'test/support/seed.ts',
      'test/support/note-operator-refusals.ts',
    ],
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
    reporters: ['default', new ResultReporter()],
    // One for each command: npm test, npm run test:slow, npm run code.
    projects: [
      { extends: true, test: { name: 'quick', include: ['test/**/*.test.ts'], exclude: [...SLOW, ...CODE] } },
      { extends: true, test: { name: 'slow', include: [...SLOW] } },
      { test: { name: 'code', include: [...CODE], testTimeout: 60_000 } },
    ],
  },
});
