import { expect, test, vi } from 'vitest';
import { Notifier } from '../../../src/doors/dns/notify.ts';
import type { ZoneRecord } from '../../../src/doors/dns/zone-source.ts';
import { askServer, dig, findDnsPrograms, kdig, startKnot } from '../../support/dns-programs.ts';
import { KEY, startMemoryServer } from '../../support/dns-server.ts';
import { delegation, MemoryZone } from '../../support/memory-zone.ts';

const unpacked = findDnsPrograms();
const root = 'root' in unpacked ? unpacked.root : '';
const [reason, isMissing] = 'reason' in unpacked ? [` (${unpacked.reason})`, true] : ['', false];

const many = (count: number): ZoneRecord[] =>
  Array.from({ length: count }, (_, index) => delegation(`domain${index}.ee`, index)).flat();
const keyOption = `${KEY.algorithm}:${KEY.name}:${KEY.secret.toString('base64')}`;
const to = (port: number) => ['@127.0.0.1', '-p', String(port), '-y', keyOption];

/** As dig prints it. */
function line({ name, ttl, type, data }: ZoneRecord): string {
  const text =
    type === 'SOA'
      ? `${data.primary}. ${data.mailbox}. ${data.serial} ${data.refresh} ${data.retry} ${data.expire} ${data.minimum}`
      : type === 'DS'
        ? `${data.keyTag} ${data.algorithm} ${data.digestType} ${data.digest}`
        : type === 'NS'
          ? `${data}.`
          : data;
  return `${name}. ${ttl} IN ${type} ${text}`;
}
const printed = (lines: readonly string[]): string[] =>
  lines
    .filter((each) => !each.startsWith(';') && !/\sTSIG\s/.test(each))
    .map((each) => each.replace(/\s+/g, ' ').replace(/([0-9A-F]{56}) ([0-9A-F]{8})$/, '$1$2'));

test.skipIf(isMissing)(`success: dig and kdig receive the published zone by AXFR${reason}`, async () => {
  const zone = new MemoryZone('ee', 2_026_111_601, many(2_500));
  const server = await startMemoryServer(zone);
  const [soa] = zone.records;
  const expected = [...zone.records, ...(soa ? [soa] : [])].map(line);
  for (const program of [dig, kdig]) {
    const lines = await program(root, ...to(server.port), '+noall', '+answer', 'ee', 'AXFR');
    expect(printed(lines)).toEqual(expected);
  }
  // Both verify the signatures of all messages, and say so if one is wrong.
  expect(server.answers.map(({ kind }) => kind)).toEqual(['whole', 'whole']);
});

test.skipIf(isMissing)(
  `success: dig receives differences, one SOA when it is up to date, or the whole zone${reason}`,
  async () => {
    const zone = new MemoryZone('ee', 100, many(3));
    const server = await startMemoryServer(zone);
    const first = zone.change({ added: delegation('new.ee', 9) });
    const second = zone.change({ removed: delegation('domain1.ee', 1) });
    const ask = async (serial: number, ...more: string[]) =>
      printed(await dig(root, ...to(server.port), '+noall', '+answer', ...more, 'ee', `IXFR=${serial}`));
    const newest = line(second.soaAfter);
    const steps = [first, second].flatMap(({ soaBefore, removed, soaAfter, added }) =>
      [soaBefore, ...removed, soaAfter, ...added].map(line),
    );
    expect(await ask(100)).toEqual([newest, ...steps, newest]);
    expect(await ask(102)).toEqual([newest]);
    expect(await ask(500)).toEqual([newest]);
    expect(await ask(50)).toEqual([...zone.records.map(line), newest]);
    expect(await ask(100, '+notcp')).toEqual([newest]);
    expect(server.answers.map(({ kind }) => kind)).toEqual([
      'differences',
      'up-to-date',
      'up-to-date',
      'whole',
      'soa',
    ]);
  },
);

test.skipIf(isMissing)(
  `success: SOA over UDP and TCP, with EDNS and without; everything else is refused${reason}`,
  async () => {
    const zone = new MemoryZone('ee', 100, many(3));
    const server = await startMemoryServer(zone);
    const ask = (...options: string[]) => dig(root, ...to(server.port), ...options);
    for (const options of [['+noedns'], ['+edns'], ['+tcp']]) {
      const lines = await ask(...options, '+norecurse', 'ee', 'SOA');
      expect(printed(lines)).toEqual([line(await zone.soa())]);
      expect(lines.join('\n')).toMatch(/status: NOERROR.*flags: qr aa.*TSIG/s);
      expect(lines.join('\n')).not.toContain('WARNING');
    }
    for (const [name, type] of [
      ['ee', 'NS'],
      ['domain1.ee', 'NS'],
      ['ee', 'ANY'],
      ['domain1.ee', 'SOA'],
      ['lv', 'SOA'],
    ])
      expect((await ask(String(name), String(type))).join('\n')).toContain('status: REFUSED');
    expect((await ask('+edns=1', '+noednsnegotiation', 'ee', 'SOA')).join('\n')).toContain('status: BADVERS');
    const unsigned = await dig(root, '@127.0.0.1', '-p', String(server.port), 'ee', 'SOA');
    expect(unsigned.join('\n')).toContain('status: REFUSED');
  },
);

test.skipIf(isMissing || !process.env.TORTURE)(
  `success: Knot as a secondary follows twenty changes after NOTIFY${reason}`,
  async () => {
    const zone = new MemoryZone('ee', 1_000, many(500));
    const results: string[] = [];
    const notifier = new Notifier({ notified: ({ result }) => results.push(result), firstRetryMs: 100 });
    const server = await startMemoryServer(zone, {
      answered: ({ secondary, zone: name, serial }) => notifier.acknowledge(secondary, name, serial),
    });
    const knot = await startKnot(root, { zone: 'ee', primaryPort: server.port, key: KEY });
    const ask = async (name: string, type: string) => printed(await askServer(root, knot.port, name, type));
    const seen = { interval: 30 };
    await vi.waitFor(async () => expect(await ask('ee', 'SOA')).toEqual([line(await zone.soa())]), seen);
    for (let count = 0; count < 20; count += 1) {
      const removed = count % 3 === 2 ? delegation(`follow${count - 1}.ee`, count - 1) : [];
      const { soaAfter } = zone.change({ removed, added: delegation(`follow${count}.ee`, count) });
      const target = { secondary: 'signer', address: '127.0.0.1', port: knot.port, key: KEY };
      notifier.publish(soaAfter, [target]);
      await vi.waitFor(
        () => expect(knot.log()).toContain(`serial ${soaAfter.data.serial - 1} -> ${soaAfter.data.serial}`),
        seen,
      );
    }
    const lines = await dig(root, ...to(knot.port), '+noall', '+answer', '+onesoa', 'ee', 'AXFR');
    expect(printed(lines).toSorted()).toEqual(zone.records.map(line).toSorted());
    expect(knot.log()).toContain('IXFR, incoming');
    await vi.waitFor(() => expect(notifier.pending).toBe(0));
    expect(results).toHaveLength(20);
    notifier.close();
  },
);
