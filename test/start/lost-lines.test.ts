import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { expect, inject, onTestFinished, test } from 'vitest';
import { databaseUrl, productionDatabase, startServe } from '../support/cadastre.ts';

/** What the database says when queries may come. */
const READY = Buffer.from([0x5a, 0, 0, 0, 5]);

/** The database behind a line that can be cut, also right after the greeting. */
async function openLine() {
  const { host, port } = inject('server');
  const directory = mkdtempSync(path.join(os.tmpdir(), 'cadastre-line-'));
  const lines = new Set<net.Socket>();
  let toCut = 0;
  const proxy = net.createServer((line) => {
    const database = net.connect(`${host}/.s.PGSQL.${port}`);
    lines.add(line);
    line.pipe(database);
    database.on('data', (bytes) => {
      line.write(bytes);
      if (toCut === 0 || !bytes.includes(READY)) return;
      toCut -= 1;
      line.destroySoon();
    });
    for (const end of [line, database]) {
      end.on('error', () => {});
      end.on('close', () => {
        line.destroy();
        database.destroy();
        lines.delete(line);
      });
    }
  });
  proxy.listen(path.join(directory, `.s.PGSQL.${port}`));
  await once(proxy, 'listening');
  const cut = (times: number) => {
    toCut = times;
    for (const line of lines) line.destroy();
  };
  onTestFinished(() => {
    cut(0);
    proxy.close();
    rmSync(directory, { recursive: true, force: true });
  });
  return { cut, left: () => toCut, address: { ...inject('server'), host: directory } };
}

test('success: lines that are lost right after the greeting do not end the process', async () => {
  const { name } = await productionDatabase();
  const line = await openLine();
  const server = await startServe(databaseUrl(name, line.address));
  onTestFinished(async () => {
    await server.stop();
  });
  line.cut(4);
  await expect.poll(line.left, { timeout: 30_000 }).toBe(0);
  const health = () =>
    fetch(`${server.url}/health`).then(
      ({ status }) => status,
      () => 0,
    );
  await expect.poll(health, { timeout: 30_000 }).toBe(200);
});
