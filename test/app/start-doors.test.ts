import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { expect, inject, onTestFinished, test } from 'vitest';
import { startDoors } from '../../src/app/start-doors.ts';
import { noProvider } from '../../src/billing/provider/unconfigured-provider.ts';
import { wallClock } from '../../src/platform/clock/clock.ts';
import { ConfigError, readConfig } from '../../src/platform/config/config.ts';
import { Origin } from '../../src/platform/config/origin.ts';
import { createLog } from '../../src/platform/logging.ts';
import { Metrics } from '../../src/platform/metrics.ts';
import { openDatabase } from '../../src/platform/database/database.ts';
import { ee } from '../../src/policy/ee.ts';
import { freePort } from '../support/free-port.ts';
import { createTestDatabase, keptLog } from '../support/registry.ts';

const isOpen = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });

/** A process of `serve` on a database of its own, with these ports. */
async function process(ports: {
  readonly port: number;
  readonly dnsPort: number;
  readonly whoisPort: number;
}) {
  const { name, drop } = await createTestDatabase();
  const connections = { readConnections: 1, listConnections: 1, writeConnections: 2 };
  const config = {
    ...readConfig('production', {}),
    ...connections,
    ...ports,
    metricsPort: 0,
    shutdownDelayMs: 0,
  };
  const database = openDatabase({ ...inject('server'), database: name }, config, ee.timeZone);
  onTestFinished(async () => {
    await database.close();
    await drop();
  });
  return {
    config,
    database,
    clock: wallClock,
    policy: ee,
    log: createLog('info', keptLog().sink),
    metrics: new Metrics(),
    origin: new Origin(config),
    provider: noProvider,
  };
}

test('failure: where one door cannot be opened, those before it are closed, and HTTP never listens', async () => {
  const taken = createServer().listen(0, '127.0.0.1');
  await once(taken, 'listening');
  onTestFinished(() => void taken.close());
  const { port: whoisPort } = taken.address() as AddressInfo;
  const [port, dnsPort] = [await freePort(), await freePort()];
  const started = startDoors(await process({ port, dnsPort, whoisPort }));
  await expect(started).rejects.toThrow(ConfigError);
  await expect(started).rejects.toThrow('Set WHOIS_PORT to another one.');
  expect([await isOpen(port), await isOpen(dnsPort)]).toEqual([false, false]);
});

test('success: the doors of the settings are open until the process stops, and no port is afterwards', async () => {
  const ports = { port: await freePort(), dnsPort: await freePort(), whoisPort: await freePort() };
  const running = await startDoors({ ...(await process(ports)), doors: ['registrar', 'dns'] });
  const opened = async () => Promise.all([ports.port, ports.dnsPort, ports.whoisPort].map(isOpen));
  expect(await opened()).toEqual([true, true, false]);
  expect((await fetch(`${running.url}/ready`)).status).toBe(200);
  await running.stop();
  expect(await opened()).toEqual([false, false, false]);
});
