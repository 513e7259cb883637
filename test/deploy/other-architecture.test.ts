import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { ROOT } from '../docs/markdown.ts';
import { cadastre } from '../support/cadastre.ts';
import { freePort } from '../support/free-port.ts';
import { openDatabaseForThisTest } from '../support/open-postgresql.ts';
import { findEmulatedNode, other } from '../support/other-architecture.ts';

/** Emulated, a start takes minutes. */
const TIMEOUT_MS = 900_000;
const emulated =
  process.env.TORTURE === undefined ? { reason: 'part of npm run test:long' } : findEmulatedNode();

test.skipIf('reason' in emulated)(
  `success: serve answers on ${other.node}, emulated${'reason' in emulated ? ` (skipped: ${emulated.reason})` : ''}`,
  { timeout: TIMEOUT_MS },
  async () => {
    const [program, ...args] = 'command' in emulated ? emulated.command : [''];
    const database = await openDatabaseForThisTest();
    expect(await cadastre(['migrate'], { env: { DATABASE_URL: database } })).toMatchObject({
      code: 0,
      stderr: '',
    });
    const port = String(await freePort());
    const server = spawn(program, [...args, path.join(ROOT, 'src/main.ts'), 'serve'], {
      env: {
        PATH: process.env.PATH,
        DATABASE_URL: database,
        PORT: port,
        METRICS_PORT: '0',
        SHUTDOWN_DELAY_MS: '0',
        LOG_LEVEL: 'warn',
        NODE_COMPILE_CACHE: path.join(ROOT, 'coverage/emulated'),
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const ended = once(server, 'exit');
    onTestFinished(async () => {
      server.kill('SIGKILL');
      await ended;
    });
    let report = '';
    for (const stream of [server.stdout, server.stderr]) stream.on('data', (chunk) => (report += chunk));
    const ask = (address: string) => fetch(`http://127.0.0.1:${port}${address}`);
    await expect
      .poll(
        () => {
          if (server.exitCode !== null) throw new Error(`serve ended:\n${report}`);
          return ask('/ready').then(({ status }) => status, String);
        },
        { timeout: TIMEOUT_MS, interval: 1_000 },
      )
      .toBe(200);
    expect(await (await ask('/health')).json()).toMatchObject({ status: 'ok', mode: 'production' });
    // Refused by the registrar API itself: routing, guards and the envelope work.
    expect((await ask('/registry/v1/domains')).status).toBe(401);
    server.kill('SIGTERM');
    expect(await ended).toEqual([0, null]);
  },
);
