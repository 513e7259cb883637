import { expect, test } from 'vitest';
import { readLocked } from '../../../../src/registry/domains/readings/read-locked.ts';
import { coreForThisFile } from '../../../support/core.ts';
import { nameserver, signedKey } from '../../../support/decisions.ts';
import { sql } from '../../../support/sql.ts';

const core = coreForThisFile();
const SOME = 15;

test('success: many domains are read like each of them alone', async () => {
  const context = await core.context('alpha');
  const tech = await core.contact(context);
  const names: string[] = [];
  for (let n = 0; n < SOME; n++)
    names.push(
      await core.domain(context, {
        techs: n % 2 === 0 ? [tech] : [],
        nameservers: [
          nameserver('ns2.example.net', ['192.0.2.1', '192.0.2.2']),
          nameserver('ns1.example.net'),
        ],
        dnsKeys:
          n % 3 === 0 ? [{ ...signedKey('x'), publicKey: Buffer.alloc(64, n).toString('base64') }] : [],
      }),
    );
  const [disputed, forced, dated] = names;
  await core.database.writes.run(sql`
    insert into disputes (name, code, starts_at, expires_at) values (${disputed ?? ''}, 'a-code', ${context.now}, 'infinity')`);
  await core.database.writes.run(sql`
    update domains set force_delete_start = '2030-01-31', force_delete_date = '2030-03-01',
      force_delete = '{"kind": "soft", "reason": "a \\"text\\"", "added": ["serverHold"], "taken": {"clientHold": "é"}, "warned": false, "held": false}'
    where name = ${forced ?? ''}`);
  await core.database.writes.run(sql`
    update domains set outzone_at = '2030-01-31 12:34:56.789+02', delete_date = '2030-02-28', purge_at = '2030-03-01', reminded_at = '2030-01-01',
      statuses = '{"expired": "", "deleteCandidate": "why"}' where name = ${dated ?? ''}`);
  const rows = await core.database.reads.rows(
    sql<{ id: number }>`select id from domains where name = any(${names}::text[]) order by id`,
  );
  const ids = rows.map(({ id }) => id);
  expect(ids).toHaveLength(SOME);
  const { now } = context;
  const apart = [];
  for (const id of ids) apart.push(...(await readLocked(core.database.reads, [id], now)));
  const together = await readLocked(core.database.reads, ids.toReversed(), now);
  expect(together).toEqual(apart);
  expect(together.find(({ name }) => name === disputed)?.disputed).toBe(true);
  expect(together.find(({ name }) => name === dated)?.deleteDate).toBe('2030-02-28');
});
