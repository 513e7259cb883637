import { expect, test } from 'vitest';
import type { Sql } from '../../../src/platform/sql/executor.ts';
import { sql } from '../../../src/platform/sql/statement.ts';
import { newToken, tokenHash } from '../../../src/platform/values/token.ts';
import { loginPurges } from '../../../src/registry/people/delete-old-logins.ts';
import { coreForThisFile } from '../../support/core.ts';

const core = coreForThisFile();
const now = new Date();
const daysAgo = (days: number) => new Date(now.getTime() - days * 86_400_000);
const newHash = () => tokenHash(newToken());
async function purgeAll(db: Sql): Promise<number> {
  let count = 0;
  for (const purge of loginPurges) count += await purge.removeSome(db, now);
  return count;
}

test('success: sessions and invitations go after thirty days, unfinished logins after one', async () => {
  const { writes } = core.database;
  for (const at of [daysAgo(31), daysAgo(29)]) {
    await writes.run(sql`
      insert into person_sessions (token_hash, person_id, registrar_id, factor, address, user_agent, created_at, authenticated_at, last_seen_at)
      select ${newHash()}, person_id, registrar_id, 'password', '192.0.2.1', '', ${at}, ${at}, ${at} from memberships limit 1`);
    await writes.run(sql`
      insert into invitations (token_hash, email, name, language, registrar_id, roles, invited_by, created_at, expires_at)
      select ${newHash()}, 'mari@example.ee', 'Mari', 'et', id, '{reader}', 'operator:test', ${at}, ${at} from registrars limit 1`);
  }
  for (const at of [daysAgo(1.1), daysAgo(0.9)])
    await writes.run(sql`
      insert into login_steps (token_hash, kind, state, created_at, expires_at) values (${newHash()}, 'passkey', '{}', ${at}, ${at})`);
  expect([await purgeAll(writes), await purgeAll(writes)]).toEqual([3, 0]);
  expect(
    await writes.rows(sql`
      select (select created_at from person_sessions) as session, (select created_at from invitations) as invitation,
        (select created_at from login_steps) as step`),
  ).toEqual([{ session: daysAgo(29), invitation: daysAgo(29), step: daysAgo(0.9) }]);
});
