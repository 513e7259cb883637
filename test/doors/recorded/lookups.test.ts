import { beforeAll, describe, test } from 'vitest';
import type { TsigKey } from '../../../src/doors/dns/tsig.ts';
import type { SandboxAddresses } from '../../../src/doors/sandbox/sandbox-addresses.ts';
import { carryOut } from '../../../src/operations/operator-operation.ts';
import { addRequester } from '../../../src/registry/lookup/add-requester.ts';
import { moveClock } from '../../support/life.ts';
import { operator } from '../../support/operator.ts';
import { startFreshRegistry, type TestRegistry } from '../../support/registry.ts';
import { recordDns } from './dns.ts';
import { recordRdap, recordWhois } from './lookups.ts';
import { LOOKUP_OBJECTS } from './objects.ts';
import { Recorder } from './recorder.ts';
import { Recording } from './recording.ts';

const CLOCK = '2030-01-15T10:00:00.000Z';
const HEADERS = ['cache-control', 'vary', 'access-control-allow-origin', 'access-control-allow-methods'];
const TOKEN = 'a-token-of-a-requester';

let registry: TestRegistry;
let recorder: Recorder;
let addresses: SandboxAddresses;
beforeAll(async () => {
  registry = await startFreshRegistry({ dnsPort: 0, whoisPort: 0, lookupsPerMinute: 100_000 });
  await moveClock(registry, { set: CLOCK });
  recorder = new Recorder(registry.url, '/openapi/registrar.json', HEADERS);
  await recorder.sendAll(LOOKUP_OBJECTS);
  addresses = (await (await fetch(`${registry.url}/sandbox`)).json()) as SandboxAddresses;
  return () => registry.stop();
});

/** What those who look something up were answered when this was recorded; see recorded.test.ts. */
describe('answers to those who look something up', () => {
  test('success: RDAP answers as recorded', async ({ expect }) => {
    const requester = { name: 'police', token: TOKEN, purpose: 'a case', expiresAt: new Date('2030-12-31') };
    await carryOut(registry.sql, addRequester, requester, operator({ now: new Date(CLOCK) }));
    await recordRdap(recorder, TOKEN);
    await expect(recorder.text).toMatchFileSnapshot('rdap.txt');
  });

  test('success: WHOIS answers as recorded', async ({ expect }) => {
    const recording = new Recording();
    await recordWhois(recording, addresses.whois?.port ?? 0);
    await expect(recording.text).toMatchFileSnapshot('whois.txt');
  });

  test('success: the server of the zones answers as recorded', async ({ expect }) => {
    const { port = 0, tsig } = addresses.dns ?? {};
    const key: TsigKey = {
      name: tsig?.name ?? '',
      algorithm: 'hmac-sha256',
      secret: Buffer.from(tsig?.secret ?? '', 'base64'),
    };
    const recording = new Recording();
    await recordDns(recording, { port, key, names: ['hidden.ee', 'firm.ee', 'xn--un-bka.ee'] });
    await expect(recording.text).toMatchFileSnapshot('dns.txt');
  });
});
