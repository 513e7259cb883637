import { expect, onTestFinished, test, vi } from 'vitest';
import { EppPeerClient } from '../../support/epp-peer.ts';
import { startStubServer } from '../../support/epp-stub.ts';
import { freePort } from '../../support/free-port.ts';
import { findHaproxy, startEppHaproxy } from '../../support/haproxy.ts';

const unpacked = findHaproxy();
const root = 'root' in unpacked ? unpacked.root : undefined;

test.skipIf(root === undefined)(
  `success: haproxy forwards EPP with the address of the client${'reason' in unpacked ? `: ${unpacked.reason}` : ''}`,
  async () => {
    if (root === undefined) return;
    const [server, port] = [await startStubServer({ trustedProxies: ['127.0.0.1'] }), await freePort()];
    onTestFinished(await startEppHaproxy(root, port, server.port));
    const client = await EppPeerClient.connect(port, { localAddress: '127.0.0.5' } as object);
    expect(await client.receive()).toBe('hello 127.0.0.5');
    expect(await client.exchange('x'.repeat(8_000))).toBe('8000');
    client.close();
    // The other connection checks whether haproxy listens. Its health checks are closed before they are accepted.
    await vi.waitFor(() => expect(server.ended).toEqual(['closed-by-client', 'closed-by-client']));
  },
);
