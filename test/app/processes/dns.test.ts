import { execFileSync } from 'node:child_process';
import { test } from 'vitest';
import { transferZone } from '../../../src/doors/dns/transfer-client.ts';
import type { TsigKey } from '../../../src/doors/dns/tsig.ts';
import { cadastre, startServeProcess, startWork } from '../../support/cadastre.ts';
import { freePort } from '../../support/free-port.ts';
import { listenForNotify } from '../../support/notify-listener.ts';
import { seededProduction } from '../../support/seeded-production.ts';
import { expect, onTestFinished } from '../../support/this-test.ts';
import { NOTICED } from '../../support/waiting.ts';
import { DomainTables } from '../../support/zones.ts';

const RESTARTED = { ...NOTICED, timeout: 30_000 };

test.runIf(process.env.TORTURE && process.platform !== 'darwin')(
  'success: one of several processes serves the zones and notifies each serial once, and another takes over',
  async () => {
    const { url, sql: db } = await seededProduction();
    const [listener, port] = [await listenForNotify(), await freePort()];
    const run = (...args: string[]) => cadastre(args, { env: { DATABASE_URL: url } });
    await run('dns', 'secondary', 'add', 'signer', '127.0.0.1', '--port', String(listener.port));
    const { stdout } = await run('dns', 'key', 'create', 'first', '--secondary', 'signer', '--json');
    const secret = Buffer.from((JSON.parse(stdout) as { secret: string }).secret, 'base64');
    const key: TsigKey = { name: 'first', algorithm: 'hmac-sha256', secret };
    listener.answerWith(key);
    const server = await startServeProcess(url, { DNS_PORT: String(port) }, ['--processes', '2']);
    onTestFinished(server.stop);
    const started = () => server.output().match(/"msg":"started"/g)?.length;
    await expect.poll(started, RESTARTED).toBe(2);
    await startWork(url);
    const served = async () => {
      let names = '';
      for await (const batch of transferZone({ host: '127.0.0.1', port, zone: 'ee', key }))
        names += batch.map(({ name }) => name).join(' ');
      return names;
    };
    const notifications = () => listener.notified.filter(({ zone }) => zone === 'ee');
    const domains = new DomainTables(db);
    const changes = ['esimene.ee', 'teine.ee', 'kolmas.ee'];
    for (const name of changes) {
      const before = notifications().length;
      await domains.create(name, ['ns.example.net']);
      await expect.poll(() => served().catch(String), NOTICED).toContain(name);
      await expect.poll(() => notifications().length, NOTICED).toBeGreaterThan(before);
    }
    const serials = listener.notified.map(({ zone, serial }) => `${zone} ${serial}`);
    expect(new Set(serials).size).toBe(serials.length);

    process.kill(listeningOn(port), 'SIGKILL');
    await domains.create('neljas.ee', ['ns.example.net']);
    await expect.poll(() => served().catch(String), RESTARTED).toContain('neljas.ee');
    // The new one notifies the present serials, whether the secondary has them or not.
    await expect.poll(() => new Set(listener.notified.map(({ zone }) => zone)).size, NOTICED).toBe(5);
    expect(await served()).toContain('neljas.ee');
  },
  90_000,
);

/** The process that has this port of TCP; there must be one. */
function listeningOn(port: number): number {
  const line = execFileSync('ss', ['-Hltnp', `sport = :${port}`], { encoding: 'utf8' });
  const pids = [...line.matchAll(/pid=(\d+)/g)].map(([, pid]) => Number(pid));
  expect(pids).toHaveLength(1);
  return pids[0] ?? 0;
}
