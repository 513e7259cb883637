import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Identity } from '../../support/certificates.ts';
import { type EppTestServer, startEppServerForTest } from '../../support/epp-server.ts';
import { findNetEpp, type NetEpp, runStory, type Step } from '../../support/net-epp.ts';

const netEpp = findNetEpp();
const reason = 'reason' in netEpp ? netEpp.reason : undefined;
if (reason) process.stderr.write(`The tests with Net::EPP are skipped: ${reason}.\n`);

const NAME = 'net-epp.ee';
const KEYS = [7, 9].map((byte) => `257 3 13 ${Buffer.alloc(64, byte).toString('base64')}`);
const CONTACTS = ['NETEPP-1', 'NETEPP-2'];

describe.skipIf(reason)('Net::EPP, an independent client', () => {
  let server: EppTestServer;
  let folder: string;
  beforeAll(async () => {
    server = await startEppServerForTest({ certificates: 'required' });
    folder = await mkdtemp(path.join(os.tmpdir(), 'cadastre-test-'));
  });
  afterAll(async () => {
    await server.stop();
    await rm(folder, { recursive: true });
  });

  const written = async (name: string, text: string): Promise<string> => {
    const file = path.join(folder, name);
    await writeFile(file, text, { mode: 0o600 });
    return file;
  };
  const registrar = async (user: string, password: string, { cert, key }: Identity) => ({
    user,
    password,
    cert_file: await written(`${user}.crt`, cert),
    key_file: await written(`${user}.key`, key),
  });
  const run = async (passwordOfAlpha: string): Promise<readonly Step[]> => {
    const { alpha, beta } = server.identities;
    return runStory(netEpp as NetEpp, {
      host: 'localhost',
      port: server.port,
      ca_file: await written('ca.crt', server.ca),
      registrars: [
        await registrar('alpha', passwordOfAlpha, alpha),
        await registrar('beta', 'beta-sandbox-password', beta),
      ],
      name: NAME,
      code: 'net-epp-code',
      keys: KEYS,
      contacts: CONTACTS,
      ident: '37605030299',
    });
  };

  test('failure: a wrong password', async () => {
    const [step, ...others] = await run('not-the-password');
    expect({ ...step, answer: '' }).toEqual({ step: 'login of alpha', code: 2501, answer: '' });
    expect(others).toEqual([]);
  });

  test('success: contacts and a domain, from the check to the deletion, between two registrars', async () => {
    const steps = await run('alpha-sandbox-password');
    const step = (name: string): Step => {
      const found = steps.find((each) => each.step === name);
      if (!found)
        throw new Error(`There is no step "${name}" among:\n${JSON.stringify(steps, undefined, 1)}`);
      return found;
    };
    const answer = (name: string) => step(name).answer as Record<string, unknown>;
    const codes = Object.fromEntries(steps.map(({ step: name, code }) => [name, code]));
    expect(codes).toMatchObject({
      'login of alpha': 1000,
      'login of beta': 1000,
      'create of NETEPP-1': 1000,
      'create of NETEPP-2': 1000,
      'info of the contact': 1000,
      'update of the contact': 1000,
      'create of the domain': 1000,
      'update of the domain': 1000,
      'removal of the hold': 1000,
      renewal: 1000,
      'the same renewal again': 2306,
      'transfer with a wrong code': 2202,
      transfer: 1000,
      'query of the transfer': 1000,
      'update by the former sponsor': 2201,
      acknowledgement: 1000,
      poll: 1300,
      delete: 1001,
      logout: 1500,
    });
    expect([step('check of the free name').answer, step('check of the taken name').answer]).toEqual([
      '1',
      '0',
    ]);
    expect(answer('info of the contact')).toMatchObject({
      id: 'NETEPP-1',
      clID: 'ALPHA',
      email: 'netepp-1@example.ee',
      voice: '+372.5551234',
      status: ['ok'],
      postalInfo: {
        int: { name: 'Mari Maasikas', addr: { street: ['Sole 1', '2nd floor'], city: 'Tallinn', cc: 'EE' } },
      },
    });
    expect(step('its new address').answer).toBe('new@example.ee');
    expect(answer('info of the domain')).toMatchObject({
      name: NAME,
      clID: 'ALPHA',
      crID: 'ALPHA',
      registrant: 'NETEPP-1',
      authInfo: 'net-epp-code',
      contacts: { admin: 'NETEPP-1', tech: 'NETEPP-1' },
      DNSKEY: [KEYS[0]],
      status: ['ok'],
      ns: [
        { name: 'ns.example.org' },
        { name: `ns.${NAME}`, addrs: [{ version: 'v4', addr: '198.41.0.4' }] },
      ],
    });
    expect(answer('info after the update')).toMatchObject({
      contacts: { admin: 'NETEPP-1', tech: 'NETEPP-2' },
      DNSKEY: [KEYS[1]],
      status: ['clientHold'],
      authInfo: 'net-epp-code-2',
      upID: 'ALPHA',
      ns: [{ name: `ns.${NAME}` }, { name: 'ns.example.net' }],
    });
    const yearOf = (text: unknown) => Number(String(text).slice(0, 4));
    const before = yearOf(answer('info of the domain').exDate);
    expect(yearOf(step('expiry after it').answer)).toBe(before + 2);
    for (const name of ['transfer', 'query of the transfer'])
      expect(answer(name)).toMatchObject({
        name: NAME,
        trStatus: 'serverApproved',
        reID: 'BETA',
        acID: 'ALPHA',
      });
    expect(answer('info of the new sponsor')).toMatchObject({ clID: 'BETA', DNSKEY: [KEYS[1]] });
    expect(answer('info of the new sponsor').authInfo).not.toBe('net-epp-code-2');
    // The first step of this name: the message about the transfer.
    expect(answer('poll')).toMatchObject({ trStatus: 'serverApproved', reID: 'BETA' });
    expect(answer('info after the delete').status).toEqual(['pendingUpdate']);
  });
});
