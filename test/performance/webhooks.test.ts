import { expect, onTestFinished, test } from 'vitest';
import { Bar } from '../../bench/progress.ts';
import { Receivers } from '../../bench/webhooks/receivers.ts';
import { deliverUnderLoad, MAX_P99_MS, waitAt } from '../../bench/webhooks/webhook-load.ts';
import { measureWebhooks } from '../../bench/webhooks/webhooks.ts';
import { freshRegistryForThisTest } from '../support/registry.ts';

const SECONDS = process.env.TORTURE ? 100 : 2;
/** The short run shows that no delivery waits for a hanging endpoint (15 s), on a busy machine too. */
const MAX_WAIT_MS = process.env.TORTURE ? MAX_P99_MS : 10_000;
const silent = { isTTY: false, write: () => true } as unknown as NodeJS.WriteStream;

test(`success: 100 events a second for ${SECONDS} s over 50 endpoints, of which five hang and five refuse: the others have them within ${MAX_WAIT_MS / 1_000} s`, {
  timeout: (SECONDS + 60) * 1_000,
}, async () => {
  const { sql: db } = await freshRegistryForThisTest();
  const receivers = await Receivers.start();
  onTestFinished(() => receivers.close());
  const outcome = await deliverUnderLoad(db, receivers, SECONDS);
  expect(outcome).toMatchObject({ expected: SECONDS * 80, lost: 0, repeated: 0 });
  expect(waitAt(outcome, 0.99)).toBeLessThan(MAX_WAIT_MS);
});

/** The same load with a worker, certificates and a database of its own. */
test.runIf(process.env.TORTURE)(
  'success: a worker of production delivers over TLS, and each metric is measured',
  async () => {
    const { figures } = await measureWebhooks(2, new Bar(silent));
    expect(figures.map(({ what }) => what)).toEqual([
      ...['50', '95', '99'].map((share) => `ms from commit to receipt, p${share}`),
      'lost',
      'received twice',
      'ms of cadastre work',
      'ms of the database',
    ]);
    expect(figures.filter(({ value }) => !Number.isFinite(value))).toEqual([]);
    expect(figures.find(({ what }) => what === 'lost')?.value).toBe(0);
  },
  120_000,
);
