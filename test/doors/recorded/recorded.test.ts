import { readFile } from 'node:fs/promises';
import { describe, test } from 'vitest';
import { post } from '../../support/billing.ts';
import { startRegistry } from '../../support/registry.ts';
import { ApiDocument } from '../../support/document.ts';
import { withoutAdditions } from './additions.ts';
import { recordBillingApi } from './billing.ts';
import { Recorder } from './recorder.ts';
import { recordRegistrarApi } from './registrar.ts';
import { recordReservationApi } from './reservation.ts';

/**
 * What the three APIs answered when this was recorded, byte for byte but for members that answers have gained since,
 * which are listed beside it. A change of how requests are read or answers are rendered must not alter it; intended
 * changes are recorded again with `--update` and reviewed as a diff.
 */
describe.each([
  { api: 'registrar', record: recordRegistrarApi, least: 500 },
  { api: 'reservation', record: recordReservationApi, least: 100 },
  { api: 'billing', record: recordBillingApi, least: 500 },
])('the $api API', ({ api, record, least }) => {
  test.concurrent('success: its answers are those recorded', async ({ expect, onTestFinished }) => {
    const registry = await startRegistry();
    onTestFinished(() => registry.stop());
    await post(`${registry.url}/sandbox/clock`, { set: '2030-01-15T10:00:00.000Z' });
    const recorder = new Recorder(registry.url, `/openapi/${api}.json`);
    await record(recorder);
    expect(recorder.complaints).toEqual([]);
    expect(recorder.count).toBeGreaterThanOrEqual(least);
    const document = await ApiDocument.of(registry.url, `/openapi/${api}.json`);
    const recorded = await readFile(new URL(`${api}.txt`, import.meta.url), 'utf8');
    const { text, additions } = withoutAdditions(
      recorder.text,
      recorded,
      (method, path) => document.find(method, path)?.id ?? path,
    );
    await expect(text).toMatchFileSnapshot(`${api}.txt`);
    // The other two have gained nothing.
    if (api === 'registrar')
      await expect(`${additions.join('\n')}\n`).toMatchFileSnapshot(`${api}-additions.txt`);
    else expect(additions).toEqual([]);
  });
});
