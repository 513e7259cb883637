import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { RaceDatabase } from '../../races/race-database.ts';
import { alpha } from '../../support/client.ts';
import { freshCode } from '../../support/contacts.ts';
import { hosts, Registrant } from '../../support/domains.ts';
import { eppAddressOf, logInToEpp } from '../../support/epp-sandbox.ts';
import type { SandboxProcess } from '../../support/sandbox-process.ts';
import { throughEpp } from '../epp/story/interfaces.ts';

let database: RaceDatabase;
let processes: readonly [SandboxProcess, SandboxProcess];
beforeAll(async () => {
  database = await RaceDatabase.create();
  const first = await database.start({ EPP_PORT: '0' });
  processes = [first, await database.start({ EPP_PORT: 'off' })];
}, 90_000);
afterAll(() => database.end());

/** The answer of each process over IPv4 and IPv6, without the time of reading; their own addresses are normalised. */
async function answersOf(path: string): Promise<{ status: number; text: string }[]> {
  const places = processes.flatMap(({ url }) =>
    [url, url.replace('127.0.0.1', '[::1]')].map((at) => ({ at, url })),
  );
  return Promise.all(
    places.map(async ({ at, url }) => {
      const reply = await fetch(`${at}/rdap${path}`);
      const text = (await reply.text())
        .replace(/(last update of RDAP database","eventDate":")[^"]+/, '$1')
        .replaceAll(url, 'ORIGIN');
      return { status: reply.status, text };
    }),
  );
}

describe('every process', () => {
  test('success: shows changes through REST at once, and all answer alike (rdap-92)', async () => {
    const registrant = await Registrant.of(alpha(processes[0].url));
    const name = `${freshCode()}.ee`;
    const before = await answersOf(`/domain/${name}`);
    expect(new Set(before.map(({ text }) => text)).size).toBe(1);
    expect(before.map(({ status }) => status)).toEqual([404, 404, 404, 404]);
    await registrant.register({ name, nameservers_attributes: hosts('ns1.example.net', 'ns2.example.net') });
    for (const path of [
      `/domain/${name}`,
      '/entity/ALPHA',
      '/nameserver/ns1.example.net',
      '/help',
      '/dns.json',
    ]) {
      const answers = await answersOf(path);
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
      expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
      expect(answers[0]?.text).toContain('ORIGIN/rdap/');
    }
  });

  test('success: shows changes through EPP at once', async () => {
    const [first, second] = processes;
    const client = await logInToEpp(await eppAddressOf(first.url), 'alpha');
    const epp = throughEpp(client, () => {});
    const [code, name] = [freshCode().slice(0, 16), `${freshCode()}.ee`];
    await epp.createContact(code, 'mari@example.ee', '60001019906');
    await epp.createDomain({
      name,
      registrant: code,
      admin: code,
      tech: code,
      code: 'a-transfer-code',
      nameservers: ['ns1.example.net', 'ns2.example.net'],
    });
    const ask = async () =>
      (await (await fetch(`${second.url}/rdap/domain/${name}`)).json()) as { status: string[] };
    expect((await ask()).status).toEqual(['active']);
    await epp.hold(name);
    expect((await ask()).status).toEqual(['client hold']);
    client.socket.destroy();
  });
});
