import { describe, test } from 'vitest';
import { listSessions } from '../../../src/registry/sessions/list-sessions.ts';
import { startServeProcess } from '../../support/cadastre.ts';
import { productionWithEpp } from '../../support/epp-connection.ts';
import { expect, onTestFinished } from '../../support/this-test.ts';

/** More than enough for the system to choose each of two processes. */
const SESSIONS = 16;

describe('EPP in several processes', () => {
  test.runIf(process.env.TORTURE && process.platform !== 'darwin')(
    'success: they share the port and the number of sessions, and a stop ends them all',
    async () => {
      const parts = await productionWithEpp({ EPP_SESSIONS_PER_REGISTRAR: String(SESSIONS) });
      const server = await startServeProcess(parts.url, parts.settings, ['--processes', '2']);
      onTestFinished(async () => void (await server.stop()));
      const serversOf = async () =>
        new Set((await listSessions(parts.db)).map(({ server: process }) => process)).size;
      const started = () => server.output().match(/"msg":"started"/g)?.length;
      await expect.poll(started).toBe(2);
      const logins = await Promise.all(Array.from({ length: SESSIONS }, () => parts.logIn()));
      expect(new Set(logins.map(({ code }) => code))).toEqual(new Set([1000]));
      expect((await parts.logIn()).code).toBe(2502);
      expect(await serversOf()).toBe(2);
      expect(await server.stop()).toBe(0);
      await expect.poll(() => logins.every(({ client }) => client.isClosed)).toBe(true);
      expect(await listSessions(parts.db)).toEqual([]);
    },
  );

  test.runIf(process.env.TORTURE)(
    'success: the sessions of a killed process end with their leases',
    async () => {
      const parts = await productionWithEpp({ EPP_SESSIONS_PER_REGISTRAR: '1' });
      const killed = await startServeProcess(parts.url, parts.settings);
      expect((await parts.logIn()).code).toBe(1000);
      process.kill(killed.pid, 'SIGKILL');
      const next = await startServeProcess(parts.url, parts.settings);
      onTestFinished(async () => void (await next.stop()));
      const before = performance.now();
      expect((await parts.logIn()).code).toBe(2502);
      await expect
        .poll(async () => (await parts.logIn()).code, { timeout: 30_000, interval: 500 })
        .toBe(1000);
      expect(performance.now() - before).toBeLessThan(22_000);
    },
    60_000,
  );
});
