import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { alpha } from '../../support/client.ts';
import { type ConsoleClient, loggedIn } from '../../support/console.ts';
import { Registrant } from '../../support/domains.ts';
import { startRegistry, type TestRegistry } from '../../support/registry.ts';
import { sql } from '../../support/sql.ts';

let registry: TestRegistry;
let console: ConsoleClient;
let mari: Registrant;
beforeAll(async () => {
  registry = await startRegistry();
  mari = await Registrant.of(alpha(registry.url));
  console = await loggedIn(registry.url);
});
afterAll(() => registry.stop());

/** A job of which nothing is done yet, and which nobody claims before the hour. */
async function waitingJob(names: readonly string[], column: 'stopped_at' | 'next_attempt_at' = 'stopped_at') {
  const id = randomUUID();
  const at = column === 'stopped_at' ? sql`now(), null` : sql`null, now() + interval '1 hour'`;
  await registry.sql.run(sql`
    with begun as (
      insert into bulk_jobs (public_id, registrar_id, person_id, person_name, request_id, kind, input, total, created_at, stopped_at, next_attempt_at)
      select ${id}::uuid, m.registrar_id, p.id, p.name, 'a-request', 'hold', '{"isHeld": true}', ${names.length}, now(), ${at}
      from people p join memberships m on m.person_id = p.id where p.email_key = 'alpha@sandbox.example' returning id)
    insert into bulk_job_rows (job_id, position, name)
    select begun.id, n.position - 1, n.name from begun, unnest(${[...names]}::text[]) with ordinality as n(name, position)`);
  return id;
}

describe('jobs', () => {
  test('success: none yet', async () => {
    const { status, text } = await (await loggedIn(registry.url, 'beta')).get('/console/jobs');
    expect([status, text.includes('No bulk changes in the last 90 days.')]).toEqual([200, true]);
  });

  test('success: a stopped job is shown, let go on by a person, and carried out by the worker', async () => {
    const name = await mari.register();
    const id = await waitingJob([name]);
    const list = await console.get('/console/jobs');
    expect(list.text).toContain(`href="/console/jobs/${id}"`);
    expect(list.text).toContain('Stopped');
    expect((await console.get(`/console/jobs/${id}`)).text).toContain('0 of 1');
    const { status, to } = await console.post(`/console/jobs/${id}/resume`, {});
    expect([status, to]).toEqual([303, `/console/jobs/${id}?notice=jobResumed`]);
    await expect.poll(async () => (await console.get(`/console/jobs/${id}`)).text).toContain('1 of 1');
    const held = await registry.sql.maybe(
      sql`select from domains where name = ${name} and statuses ? 'clientHold'`,
    );
    expect(held).toBeDefined();
  });

  test('success: a job is stopped, with the button that undoes it', async () => {
    const id = await waitingJob([await mari.register()], 'next_attempt_at');
    const shown = await console.get(`/console/jobs/${id}`);
    expect(shown.text).toContain('The job goes on even if you close this page.');
    const { to } = await console.post(`/console/jobs/${id}/stop`, {});
    const stopped = await console.get(to ?? '');
    expect(stopped.text).toContain('The job is stopped.');
    expect(stopped.text).toContain(`action="/console/jobs/${id}/resume"`);
  });

  test('success: a long result has pages, and its file has all', async () => {
    const names = Array.from({ length: 250 }, (_, place) => `n${place}.ee`);
    const id = await waitingJob(names);
    const first = await console.get(`/console/jobs/${id}`);
    expect(first.text).toContain('n99.ee');
    expect(first.text).not.toContain('n100.ee');
    const [, next = ''] = /rel="next" href="([^"]+)"/.exec(first.text) ?? [];
    expect((await console.get(next)).text).toContain('n199.ee');
    const file = await console.get(`/console/jobs/${id}/result.csv`);
    expect(file.text.split('\r\n')).toHaveLength(252);
    expect(file.text).toContain('n249.ee,waiting,\r\n');
  });

  test.each(['nobody', randomUUID()])('failure: no such job: %s', async (id) => {
    for (const path of [`/console/jobs/${id}`, `/console/jobs/${id}/result.csv`])
      expect((await console.get(path)).status).toBe(404);
    expect((await console.post('/console/bulk/hold', { step: 'again', job: id })).status).toBe(404);
  });

  test('failure: a job of another kind is not repeated as this one', async () => {
    const id = await waitingJob([await mari.register()]);
    expect((await console.post('/console/bulk/renew', { step: 'again', job: id })).status).toBe(404);
  });
});
