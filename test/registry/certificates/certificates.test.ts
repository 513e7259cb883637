import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { carryOut, type OperatorContext } from '../../../src/operations/operator-operation.ts';
import { createAuthority, signRequest } from '../../../src/platform/certificates/authority.ts';
import { type Certificate, readCertificate } from '../../../src/platform/certificates/certificate.ts';
import { readRequest } from '../../../src/platform/certificates/certificate-request.ts';
import type { Pool } from '../../../src/platform/sql/executor.ts';
import { ee } from '../../../src/policy/ee.ts';
import { listAuthorities } from '../../../src/registry/certificates/authorities.ts';
import { listCertificates } from '../../../src/registry/certificates/certificates.ts';
import { recordCertificate } from '../../../src/registry/certificates/record-certificate.ts';
import { retireAuthority } from '../../../src/registry/certificates/retire-authority.ts';
import { signDueLists } from '../../../src/registry/certificates/revocation-lists.ts';
import { revokeCertificate } from '../../../src/registry/certificates/revoke-certificate.ts';
import { signRevocationList } from '../../../src/registry/certificates/sign-revocation-list.ts';
import { trustAuthority } from '../../../src/registry/certificates/trust-authority.ts';
import { createUser } from '../../../src/registry/users/create-user.ts';
import { post } from '../../support/billing.ts';
import {
  askFor,
  type OwnAuthority,
  ownAuthority,
  revokeSerial,
  selfSigned,
  signedFor,
  signerOf,
} from '../../support/certificates.ts';
import { alpha } from '../../support/client.ts';
import { freshCode } from '../../support/contacts.ts';
import { operator } from '../../support/operator.ts';
import { startRegistry, type TestRegistry } from '../../support/registry.ts';
import { sql } from '../../support/sql.ts';

let registry: TestRegistry;
let authority: OwnAuthority;
beforeAll(async () => {
  registry = await startRegistry();
  authority = await ownAuthority(registry.sql);
});
afterAll(() => registry.stop());

const DAY_MS = 86_400_000;
async function newUser(): Promise<string> {
  const username = freshCode();
  const user = { username, registrar: 'ALPHA', roles: ['epp' as const], password: 'a long enough password' };
  await carryOut(registry.sql, createUser, user, operator());
  return username;
}
const sign = (username: string) => signedFor(registry.sql, authority, username);
const statusesOf = async (user: string) =>
  (await listCertificates(registry.sql, new Date(), { user })).map(({ status }) => status);

describe('certificates of a user', () => {
  test('success: two for one user during a replacement', async () => {
    const user = await newUser();
    await sign(user);
    await sign(user);
    expect(await statusesOf(user)).toEqual(['valid', 'valid']);
  });

  test('failure: a third, also with concurrent requests', async () => {
    const user = await newUser();
    const outcomes = await Promise.allSettled(
      Array.from({ length: 6 }, () => registry.sql.begin((db) => signedFor(db, authority, user))),
    );
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(2);
    expect(await statusesOf(user)).toEqual(['valid', 'valid']);
    await expect(sign(user)).rejects.toThrow('has 2 valid certificates already; revoke one first');
  });

  test('success: another once one was revoked or has expired', async () => {
    const user = await newUser();
    const [first] = [
      await sign(user),
      await signedFor(registry.sql, authority, user, new Date(Date.now() - 365.1 * DAY_MS)),
    ];
    await sign(user);
    expect((await statusesOf(user)).toSorted()).toEqual(['expired', 'valid', 'valid']);
    await revokeSerial(registry.sql, first.certificate.serial);
    await sign(user);
    expect((await statusesOf(user)).toSorted()).toEqual(['expired', 'revoked', 'valid', 'valid']);
  });

  test('success: revoked, with the reason for the file; a dry run only decides', async () => {
    const { certificate } = await sign(await newUser());
    const { serial, commonName: username } = certificate;
    const reason = { text: 'the laptop was stolen', forRegistrar: 'as you asked' };
    const revoke = (dryRun: boolean) =>
      carryOut(registry.sql, revokeCertificate, { serial }, operator({ reason, dryRun }));
    expect(await revoke(true)).toEqual({ serial, username });
    expect(await statusesOf(username ?? '')).toEqual(['valid']);
    expect(await revoke(false)).toEqual({ serial, username });
    const [listed] = await listCertificates(registry.sql, new Date(), { user: username ?? '' });
    expect(listed).toMatchObject({ status: 'revoked', reason: 'the laptop was stolen' });
    const recorded = await registry.sql.rows(sql`
      select r.code as registrar, h.reason, h.reason_for_registrar as told, h.after
      from history h join registrars r on r.id = h.registrar_id
      where h.operation = 'revoke certificate' and h.object_kind = 'user' and h.object_name = ${username ?? ''}`);
    expect(recorded).toEqual([
      { registrar: 'ALPHA', reason: reason.text, told: reason.forRegistrar, after: { serial } },
    ]);
  });

  test('success: all of a serial number that two authorities have given', async () => {
    const [one, other] = [await sign(await newUser()), await sign(await newUser())];
    const second = await ownAuthority(registry.sql);
    await registry.sql.run(sql`
      update certificates set serial = ${one.certificate.serial}, authority_id = ${second.id}
      where serial = ${other.certificate.serial}`);
    await revokeSerial(registry.sql, one.certificate.serial);
    for (const { certificate } of [one, other])
      expect(await statusesOf(certificate.commonName ?? '')).toEqual(['revoked']);
    await carryOut(registry.sql, retireAuthority, { id: second.id }, operator());
    await registry.sql.run(sql`update authorities set signs = true where id = ${authority.id}`);
  });

  test('failure: revoking twice, an unknown certificate, or one of another registrar', async () => {
    const { serial } = (await sign(await newUser())).certificate;
    const other = operator({ registrarId: 0 });
    const unknown = (number: string) => `There is no certificate ${number} that is still good`;
    await expect(carryOut(registry.sql, revokeCertificate, { serial }, other)).rejects.toThrow(
      unknown(serial),
    );
    await revokeSerial(registry.sql, serial);
    await expect(revokeSerial(registry.sql, serial)).rejects.toThrow(unknown(serial));
    await expect(revokeSerial(registry.sql, 'ff')).rejects.toThrow(unknown('ff'));
  });
});

describe("another's authority", () => {
  const validity = { from: new Date(Date.now() - DAY_MS), until: new Date(Date.now() + 30 * DAY_MS) };
  async function elsewhere(username: string) {
    const other = await createAuthority('EPP', validity);
    const certificate = readCertificate(other.certificate);
    if (!certificate) throw new Error('no certificate');
    const asked = await readRequest((await askFor(username)).request);
    const pem = await signRequest(other, asked, { organisation: 'Any', validity });
    return { certificate, pem };
  }

  const parsed = (pem: string): Certificate => {
    const certificate = readCertificate(pem);
    if (!certificate) throw new Error('no certificate');
    return certificate;
  };
  const record = (pem: string, given: Partial<OperatorContext> = {}) =>
    carryOut(registry.sql, recordCertificate, { certificate: parsed(pem) }, operator(given));
  const trust = (certificate: Certificate, given: Partial<OperatorContext> = {}) =>
    carryOut(registry.sql, trustAuthority, { certificate }, operator(given));
  const retire = (id: number, given: Partial<OperatorContext> = {}) =>
    carryOut(registry.sql, retireAuthority, { id }, operator(given));

  test('success: its certificates can be recorded once it is trusted', async () => {
    const user = await newUser();
    const { certificate, pem } = await elsewhere(user);
    await expect(record(pem)).rejects.toThrow('No authority that we trust');
    await trust(certificate, { dryRun: true });
    const { id, name } = await trust(certificate);
    expect(name).toBe('EPP');
    await expect(trust(certificate)).rejects.toThrow('This authority is known already');
    await record(pem, { dryRun: true });
    expect(await statusesOf(user)).toEqual([]);
    await record(pem);
    expect(await statusesOf(user)).toEqual(['valid']);
    await expect(record(pem)).rejects.toThrow('on record already');
    await retire(id, { dryRun: true });
    expect(await statusesOf(user)).toEqual(['valid']);
    expect(await retire(id)).toEqual({ id });
    await expect(retire(id)).rejects.toThrow(`There is no authority ${id} that is trusted`);
    expect(await statusesOf(user)).toEqual(['untrusted']);
    const recorded = await registry.sql.rows(sql`
      select operation, registrar_id, after from history where object_kind = 'authority' and object_id = ${id} order by id`);
    expect(recorded).toEqual([
      { operation: 'trust', registrar_id: null, after: { fingerprint: certificate.fingerprint } },
      { operation: 'retire', registrar_id: null, after: null },
    ]);
  });

  test('failure: one of an unknown authority', async () => {
    const { cert } = await selfSigned('alpha');
    await expect(record(cert)).rejects.toThrow('No authority that we trust');
  });

  test('failure: one that names no user, or that has expired', async () => {
    const { certificate, pem } = await elsewhere('nobody-here');
    await trust(certificate);
    await expect(record(pem)).rejects.toThrow('There is no user nobody-here; the CN must be the username');
    const now = new Date(Date.now() + 31 * DAY_MS);
    await expect(record(pem, { now })).rejects.toThrow('has expired');
  });
});

describe('the list of revoked certificates', () => {
  const read = async (place: string) => fetch(`${registry.url}/ca/${place}`);
  const numberOfList = async () => {
    const [row] = await registry.sql.rows(sql<{ number: number }>`
      select revocation_list_number as number from authorities where id = ${authority.id}`);
    return row?.number;
  };
  const signDue = (now: Date) =>
    signDueLists(registry.sql, async ({ id }) => (id === authority.id ? authority.key : undefined), now, ee);

  test('success: signed when something was revoked or its time runs out, and not otherwise', async () => {
    const now = new Date();
    await signDue(now);
    const first = (await numberOfList()) ?? 0;
    await signDue(now);
    expect(await numberOfList()).toBe(first);
    const { certificate } = await sign(await newUser());
    await revokeSerial(registry.sql, certificate.serial);
    await signDue(now);
    expect(await numberOfList()).toBe(first + 1);
    await signDue(new Date(now.getTime() + 3.9 * DAY_MS));
    expect(await numberOfList()).toBe(first + 1);
    await signDue(new Date(now.getTime() + 4 * DAY_MS));
    expect(await numberOfList()).toBe(first + 2);
  });

  test('success: signed by an operator, due or not, which is in the history; a dry run publishes none', async () => {
    const signing = { authority: authority.id, keys: signerOf(authority).keys };
    const signNow = (dryRun: boolean) =>
      carryOut(registry.sql, signRevocationList, signing, operator({ dryRun, reason: { text: 'a test' } }));
    const before = (await numberOfList()) ?? 0;
    await signNow(true);
    expect(await numberOfList()).toBe(before);
    const { until } = await signNow(false);
    expect(until.getTime()).toBeGreaterThan(Date.now() + 6.9 * DAY_MS);
    expect(await numberOfList()).toBe(before + 1);
    const recorded = await registry.sql.rows(sql`
      select object_name as name, reason, after from history where operation = 'sign revocation list'`);
    expect(recorded).toEqual([{ name: 'Registry', reason: 'a test', after: { number: before + 1 } }]);
  });

  test('success: signed again if a certificate is revoked meanwhile', async () => {
    const { certificate } = await sign(await newUser());
    let attempts = 0;
    const find = async () => {
      attempts += 1;
      return authority.key;
    };
    const pool: Pool = {
      ...registry.sql,
      async begin(work, options) {
        if (attempts === 1) await revokeSerial(registry.sql, certificate.serial);
        return registry.sql.begin(work, options);
      },
    };
    const signing = { authority: authority.id, keys: { find, fileOf: () => '' } };
    await carryOut(pool, signRevocationList, signing, operator());
    expect(attempts).toBe(2);
    const { stale } = await registry.sql.one(sql<{ stale: boolean }>`
      select revocation_list_stale as stale from authorities where id = ${authority.id}`);
    expect(stale).toBe(false);
  });

  test('failure: none of an authority that is unknown, or whose key is elsewhere', async () => {
    const keys = { find: async () => undefined, fileOf: () => '/keys/1.key' };
    const signNow = (id: number) =>
      carryOut(registry.sql, signRevocationList, { authority: id, keys }, operator());
    await expect(signNow(0)).rejects.toThrow('There is no authority 0 that is trusted');
    await expect(signNow(authority.id)).rejects.toThrow(
      `The key of authority ${authority.id} is not here: /keys/1.key`,
    );
  });

  test('success: it is public, like the certificate of the authority', async () => {
    await signDue(new Date());
    const list = await read(`${authority.id}.crl`);
    expect(list.headers.get('content-type')).toBe('application/pkix-crl');
    expect((await list.arrayBuffer()).byteLength).toBeGreaterThan(100);
    expect(await (await read(`${authority.id}.pem`)).text()).toBe(authority.certificate);
    const [listed] = (await listAuthorities(registry.sql)).filter(({ id }) => id === authority.id);
    expect(listed).toMatchObject({ status: 'signs', revocationListUntil: expect.any(Date) });
  });

  test('failure: of an unknown authority, or one without a list', async () => {
    for (const place of ['9999.crl', '9999.pem', 'x.crl', '99999999999999999999.pem', '.pem'])
      expect((await read(place)).status, place).toBe(404);
  });
});

test('success: a registrar is notified before a certificate expires, by poll message and mail, three times', async () => {
  const { certificate } = await signedFor(registry.sql, authority, 'alpha');
  await registry.sql.run(sql`update registrars set email = 'hostmaster@alpha.example' where code = 'ALPHA'`);
  const notices = async () => {
    const rows = await registry.sql.rows(sql`
      select from poll_messages where type = 'certificate_expiring' and text like ${`%${certificate.serial}%`}`);
    const mails = await registry.sql.rows(
      sql`select from mails where text like ${`%${certificate.serial}%`}`,
    );
    return { messages: rows.length, mails: mails.length };
  };
  const until = certificate.validUntil.getTime();
  const moveTo = (daysBefore: number) =>
    post(`${registry.url}/sandbox/clock`, { set: new Date(until - daysBefore * DAY_MS).toISOString() });
  await moveTo(31);
  expect(await notices()).toEqual({ messages: 0, mails: 0 });
  await moveTo(29);
  expect(await notices()).toEqual({ messages: 1, mails: 1 });
  await moveTo(0.5);
  expect(await notices()).toEqual({ messages: 3, mails: 3 });
  await moveTo(-10);
  expect(await notices()).toEqual({ messages: 3, mails: 3 });
  const { body } = await alpha(registry.url).get('/registrar/notifications/all_notifications?limit=200');
  expect(JSON.stringify(body)).toContain(`Certificate ${certificate.serial} of user alpha expires at`);
});
