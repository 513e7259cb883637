import { once } from 'node:events';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { connect } from 'node:tls';
import { expect, onTestFinished, test, vi } from 'vitest';
import { Connections } from '../../../src/doors/http/connections.ts';
import { selfSigned } from '../../support/certificates.ts';
import { freePort } from '../../support/free-port.ts';

test.runIf(process.platform === 'linux')(
  'success: two connections of one source to two addresses of the server are counted and ended as two',
  async () => {
    const config = { trustedProxies: [], maxConnectionsPerAddress: 10, requestTimeoutMs: 60_000 };
    const connections = new Connections({ config, ended: () => {}, answerSlowBody: () => {} });
    const server = createServer(await selfSigned('localhost'));
    connections.watch(server);
    onTestFinished(() => {
      connections.stop();
      server.close();
    });
    server.listen(0, '0.0.0.0');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const source = { localAddress: '127.0.0.1', localPort: await freePort() };
    const open = async (host: string) => {
      const secured = once(server, 'secureConnection');
      const client = connect({ ...source, host, port, rejectUnauthorized: false });
      onTestFinished(() => void client.destroy());
      const [socket] = await secured;
      return { client, socket };
    };
    const one = await open('127.0.0.1');
    const other = await open('127.0.0.2');
    expect(connections.size).toBe(2);
    other.client.destroy();
    await vi.waitFor(() => expect(connections.size).toBe(1));
    expect(connections.bucketOf(one.socket)).toBe('127.0.0.1');
    connections.closeIdle();
    await once(one.client, 'close');
    await vi.waitFor(() => expect(connections.size).toBe(0));
  },
);
