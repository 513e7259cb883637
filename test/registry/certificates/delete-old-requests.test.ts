import { expect, test } from 'vitest';
import { sql } from '../../../src/platform/sql/statement.ts';
import { requestPurge } from '../../../src/registry/certificates/delete-old-requests.ts';
import { coreForThisFile } from '../../support/core.ts';

const core = coreForThisFile();
const now = new Date();
const daysAgo = (days: number) => new Date(now.getTime() - days * 86_400_000);

test('success: deleted ninety days after they ended; one that waits stays', async () => {
  const { writes } = core.database;
  for (const [outcome, closedAt] of [
    ...(['signed', 'refused', 'withdrawn'] as const).map((each) => [each, daysAgo(91)] as const),
    ['signed', daysAgo(89)],
    [null, null],
  ] as const)
    await writes.run(sql`
      insert into certificate_requests (user_id, request, requested_by, created_at, closed_at, outcome)
      select id, '', 'person:anna@alpha.example', ${daysAgo(900)}, ${closedAt}, ${outcome} from api_users where username = 'alpha'`);
  expect([await requestPurge.removeSome(writes, now), await requestPurge.removeSome(writes, now)]).toEqual([
    3, 0,
  ]);
  expect(
    await writes.rows(sql`select outcome, closed_at as "closedAt" from certificate_requests order by id`),
  ).toEqual([
    { outcome: 'signed', closedAt: daysAgo(89) },
    { outcome: null, closedAt: null },
  ]);
});
