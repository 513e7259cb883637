import { freePort } from './free-port.ts';
import { startStockPostgres } from './stock-postgresql.ts';
import { onTestFinished } from './this-test.ts';

/** An empty database that any account of this machine reaches over TCP; ended with the test. */
export async function openDatabaseForThisTest(): Promise<string> {
  const port = await freePort();
  const server = await startStockPostgres(undefined, {
    settings: { listen_addresses: '127.0.0.1', port: String(port) },
  });
  onTestFinished(server.stop);
  return `postgres://postgres@127.0.0.1:${port}/postgres`;
}
