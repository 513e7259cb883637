import { describe, test } from 'vitest';
import { spawnCadastre, startServeProcess, startWorkProcess } from '../support/cadastre.ts';
import { alpha } from '../support/client.ts';
import { connectAsOwner } from '../support/connect-as-owner.ts';
import { freshName, hosts, Registrant } from '../support/domains.ts';
import { freePort } from '../support/free-port.ts';
import { install } from '../support/production-set-up.ts';
import { startSmtpServer } from '../support/smtp-server.ts';
import { sql } from '../support/sql.ts';
import { startStockPostgres } from '../support/stock-postgresql.ts';
import { expect, onTestFinished } from '../support/this-test.ts';
import { fakedClock } from '../support/wrong-clock.ts';

const DAY_MS = 86_400_000;
const AHEAD_MS = 420 * DAY_MS;
const NOTICED = { timeout: 60_000 };

describe('a clock that is wrong everywhere, that of PostgreSQL too', () => {
  test('success: 420 days ahead nothing is deleted or ended, and back again everything goes on', async ({
    skip,
  }) => {
    const clock = fakedClock(0);
    if (typeof clock === 'string') return skip(clock);
    const port = await freePort();
    const server = await startStockPostgres(undefined, {
      settings: { listen_addresses: '127.0.0.1', port: String(port) },
      env: clock.env,
    });
    onTestFinished(server.stop);
    const url = `postgres://postgres@127.0.0.1:${port}/postgres`;
    const setUp = await connectAsOwner(url);
    await setUp.script('create role cadastre_app nologin');
    await setUp.close();
    await install({ DATABASE_URL: url, DATABASE_OWNER_URL: url });
    const db = await connectAsOwner(url);
    onTestFinished(() => db.close());
    const smtp = await startSmtpServer();
    const env = { ...clock.env, SMTP_URL: `smtp://127.0.0.1:${smtp.port}`, MAIL_FROM: 'registry@example.ee' };

    await db.script(`
      insert into reserved_names (name, code, expires_at, created_at) values ('held.ee', 'secret', now() + interval '30 days', now());
      insert into disputes (name, code, starts_at, expires_at) values ('disputed.ee', 'secret', now(), now() + interval '30 days');
      insert into idempotency_keys (scope, key, fingerprint, answer, created_at) values ('test', 'a', '\\x00', '{}', now())`);
    const kept = () =>
      db.one(sql`
        select (select code from reserved_names where name = 'held.ee') as code,
          (select count(*)::int from disputes where closed_at is null) as disputes,
          (select count(*)::int from idempotency_keys where key = 'a') as keys,
          (select count(*)::int from domains where statuses ? 'expired') as expired`);
    const before = { code: 'secret', disputes: 1, keys: 1, expired: 0 };
    const serve = await startServeProcess(url, env);
    onTestFinished(serve.kill);
    await startWorkProcess(url, env);

    const client = alpha(serve.url);
    const registrant = await Registrant.of(client);
    const register = async () => {
      const name = freshName();
      const request = { name, nameservers_attributes: hosts('ns1.example.net', 'ns2.example.net') };
      await expect.poll(async () => (await registrant.try(request)).status, NOTICED).toBe(200);
      await expect
        .poll(() => db.rows(sql`select from zone_records where domain = ${name}`), NOTICED)
        .toHaveLength(1);
      return name;
    };
    const serialOf = async () =>
      (await db.one(sql<{ serial: number }>`select serial from zones where zone = 'ee'`)).serial;
    const mail = (to: string) =>
      db.run(sql`
        insert into mails (recipient, subject, text, html, created_at, next_attempt_at, try_until)
        values (${to}, 's', 't', 'h', now(), now(), now() + interval '3 days')`);
    const hasReceived = (to: string) => smtp.received.some(({ recipients }) => recipients.includes(to));
    /** Every job has run by the clock of the database. */
    const untilAllRan = () =>
      expect
        .poll(
          () =>
            db.rows(sql`
              select name from jobs where started_at < now() - interval '1 hour' or started_at > now() + interval '1 hour'
                or finished_at is null or finished_at < started_at or due_at > now() + interval '2 days'`),
          NOTICED,
        )
        .toEqual([]);
    const doctor = async () => {
      const { stdout } = await spawnCadastre(['doctor', '--json'], { env: { DATABASE_URL: url, ...env } });
      const findings: { check: string; state: string; says: string }[] = JSON.parse(stdout);
      return findings.flatMap(({ check, state, says }) => (check === 'times' ? [`${state}: ${says}`] : []));
    };

    const domain = await register();
    await untilAllRan();
    expect(await doctor()).toEqual(['ok: nothing waits for a time that lies too far ahead']);

    clock.set(AHEAD_MS, undefined);
    await untilAllRan();
    // A statement that was under way may have failed at the leap.
    const lastFailure = async () =>
      (
        await db.one(
          sql<{ why: string | null }>`select last_failure as why from jobs where name = 'domain lifecycle'`,
        )
      ).why;
    await db.run(sql`update jobs set due_at = now() where name = 'domain lifecycle'`);
    await expect.poll(lastFailure, NOTICED).toMatch(/^No worker has run between/);
    smtp.refuse = () => 451;
    await mail('postponed@example.ee');
    await expect
      .poll(
        () => db.rows(sql`select from mails where recipient = 'postponed@example.ee' and attempts > 0`),
        NOTICED,
      )
      .toHaveLength(1);
    await register();
    expect(await kept()).toEqual(before);
    expect(await serialOf()).toBeLessThan((Date.now() + DAY_MS) / 1000);
    expect((await doctor())[0]).toMatch(/^problem: No worker has run between \S+ and \S+, or the clocks/);

    clock.set(0, undefined);
    smtp.refuse = () => undefined;
    await untilAllRan();
    expect(await kept()).toEqual(before);
    await register();
    expect(await serialOf()).toBeLessThan((Date.now() + DAY_MS) / 1000);
    await mail('after@example.ee');
    await expect.poll(() => hasReceived('after@example.ee'), NOTICED).toBe(true);
    await db.run(sql`update jobs set due_at = now() where name in ('repair due times', 'domain lifecycle')`);
    await expect.poll(() => hasReceived('postponed@example.ee'), NOTICED).toBe(true);
    await db.run(sql`update domains set expire_time = now() - interval '1 minute' where name = ${domain}`);
    await db.run(sql`update jobs set due_at = now() where name = 'domain lifecycle'`);
    await expect.poll(kept, NOTICED).toEqual({ ...before, expired: 1 });
    expect(await doctor()).toContainEqual(
      expect.stringMatching(
        /^warning: Rows of domains were written at a time that is still to come: 1 \(\S+\)\.$/,
      ),
    );
  }, 300_000);
});
