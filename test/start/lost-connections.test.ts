import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { expect, inject, onTestFinished, test } from 'vitest';
import { databaseUrl, productionDatabase, startServe } from '../support/cadastre.ts';

/** ReadyForQuery: the first message after which the database accepts queries. */
const READY = Buffer.from([0x5a, 0, 0, 0, 5]);

/** The database behind a relay whose connections can be cut, also right after the greeting. */
async function openRelay() {
  const { host, port } = inject('server');
  const directory = mkdtempSync(path.join(os.tmpdir(), 'cadastre-relay-'));
  const connections = new Set<net.Socket>();
  let toCut = 0;
  const proxy = net.createServer((connection) => {
    const database = net.connect(`${host}/.s.PGSQL.${port}`);
    connections.add(connection);
    connection.pipe(database);
    database.on('data', (bytes) => {
      connection.write(bytes);
      if (toCut === 0 || !bytes.includes(READY)) return;
      toCut -= 1;
      connection.destroySoon();
    });
    for (const end of [connection, database]) {
      end.on('error', () => {});
      end.on('close', () => {
        connection.destroy();
        database.destroy();
        connections.delete(connection);
      });
    }
  });
  proxy.listen(path.join(directory, `.s.PGSQL.${port}`));
  await once(proxy, 'listening');
  const cut = (times: number) => {
    toCut = times;
    for (const connection of connections) connection.destroy();
  };
  onTestFinished(() => {
    cut(0);
    proxy.close();
    rmSync(directory, { recursive: true, force: true });
  });
  return { cut, left: () => toCut, address: { ...inject('server'), host: directory } };
}

test('success: connections that are lost right after the greeting do not end the process', async () => {
  const { name } = await productionDatabase();
  const relay = await openRelay();
  const server = await startServe(databaseUrl(name, relay.address));
  onTestFinished(async () => {
    await server.stop();
  });
  relay.cut(4);
  await expect.poll(relay.left, { timeout: 30_000 }).toBe(0);
  const health = () =>
    fetch(`${server.url}/health`).then(
      ({ status }) => status,
      () => 0,
    );
  await expect.poll(health, { timeout: 30_000 }).toBe(200);
});
