import { AsyncLocalStorage } from 'node:async_hooks';
import { expect as expectInAnyTest, onTestFinished as onAnyTestFinished, type TestContext } from 'vitest';

/**
 * vitest's own `expect.poll` and `onTestFinished` belong to whichever test began last. Where tests of a file run at the
 * same time (`test.concurrent`), they and what they call take these instead, which belong to the test that calls them.
 */
const running = new AsyncLocalStorage<TestContext>();

/** To be called around every test; seed.ts does. */
export const runInTest = (context: TestContext, runTest: () => Promise<void>): Promise<void> =>
  running.run(context, runTest);

const expectHere = (): typeof expectInAnyTest => running.getStore()?.expect ?? expectInAnyTest;

export const expect: typeof expectInAnyTest = new Proxy(expectInAnyTest, {
  apply: (_target, _this, [value, message]: [unknown, string?]) => expectHere()(value, message),
  get: (_target, name) => Reflect.get(expectHere(), name),
});

export function onTestFinished(end: () => unknown): void {
  const finished = running.getStore()?.onTestFinished ?? onAnyTestFinished;
  finished(async () => {
    await end();
  });
}

/** A value that each test has for itself. */
export class PerTest<T> {
  readonly #values = new WeakMap<TestContext['task'], T>();

  set(value: T): T {
    const context = running.getStore();
    if (!context) throw new Error('there is no test');
    this.#values.set(context.task, value);
    return value;
  }

  get(): T | undefined {
    const context = running.getStore();
    return context && this.#values.get(context.task);
  }
}
