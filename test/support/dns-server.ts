import type { DnsAnswerEvent, DnsRequestEvent, SecondaryKey } from '../../src/doors/dns/dns-request.ts';
import { type DnsServer, type DnsServerOptions, startDnsServer } from '../../src/doors/dns/dns-server.ts';
import type { MemoryZone } from './memory-zone.ts';
import { onTestFinished } from './this-test.ts';

export const KEY: SecondaryKey = {
  name: 'signer.key',
  algorithm: 'hmac-sha256',
  secondary: 'signer',
  secret: Buffer.from('c2FuZGJveC10c2lnLXNlY3JldC1jYWRhc3RyZS0wMDE=', 'base64'),
};

export type TestDnsServer = DnsServer & {
  readonly requests: DnsRequestEvent[];
  readonly answers: DnsAnswerEvent[];
  readonly deliveries: DnsAnswerEvent[];
  readonly ended: string[];
  readonly dropped: string[];
};

/** A server on loopback that remembers what it was told to. */
export async function startMemoryServer(
  zone: MemoryZone,
  options: Partial<DnsServerOptions> = {},
): Promise<TestDnsServer> {
  const [requests, answers, ended] = [[] as DnsRequestEvent[], [] as DnsAnswerEvent[], [] as string[]];
  const deliveries: DnsAnswerEvent[] = [];
  const dropped: string[] = [];
  const server = await startDnsServer({
    host: '127.0.0.1',
    port: 0,
    zones: [zone.origin],
    source: zone,
    findKey: (name) => (name === KEY.name ? KEY : undefined),
    requested: (event) => requests.push(event),
    answered: (event) => answers.push(event),
    delivered: (event) => deliveries.push(event),
    failed: () => {},
    ended: (reason) => ended.push(reason),
    dropped: (reason) => dropped.push(reason),
    ...options,
  });
  onTestFinished(() => server.drain(0));
  return { ...server, requests, answers, deliveries, ended, dropped };
}
