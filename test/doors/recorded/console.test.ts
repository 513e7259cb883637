import { test } from 'vitest';
import { moveClock } from '../../support/life.ts';
import { startFreshRegistry } from '../../support/registry.ts';
import { recordConsole } from './console.ts';
import { ConsoleRecorder } from './console-recorder.ts';
import { CONSOLE_OBJECTS } from './objects.ts';
import { Recorder } from './recorder.ts';

/** For a machine that is busy with other tests. */
const LIMIT_MS = 240_000;

/** Statuses, redirects and refusals of the console's forms, and the rows that they wrote, when this was recorded. */
test(
  'success: forms are answered and stored as recorded',
  async ({ expect, onTestFinished }) => {
    const registry = await startFreshRegistry();
    onTestFinished(() => registry.stop());
    await moveClock(registry, { set: '2030-01-15T10:00:00.000Z' });
    await new Recorder(registry.url, '/openapi/registrar.json').sendAll(CONSOLE_OBJECTS);
    const recorder = new ConsoleRecorder(registry);
    for (const person of ['alpha', 'reader', 'beta'] as const) await recorder.logIn(person);
    await recordConsole(recorder);
    expect(recorder.count).toBeGreaterThanOrEqual(250);
    await expect(recorder.text).toMatchFileSnapshot('console.txt');
  },
  LIMIT_MS,
);
