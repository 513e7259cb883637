import { beforeAll, describe, expect, test } from 'vitest';
import { carryOut, type OperatorContext } from '../../../src/operations/operator-operation.ts';
import type { Refused } from '../../../src/operations/refusal.ts';
import { sql } from '../../../src/platform/sql/statement.ts';
import { createOwnAuthority } from '../../../src/registry/certificates/create-own-authority.ts';
import { signCertificate } from '../../../src/registry/certificates/sign-certificate.ts';
import { signCertificateRequest } from '../../../src/registry/certificates/sign-certificate-request.ts';
import type { Signer } from '../../../src/registry/certificates/sign-with-authority.ts';
import { createUser } from '../../../src/registry/users/create-user.ts';
import { askFor, type OwnAuthority, ownAuthority, signedFor, signerOf } from '../../support/certificates.ts';
import { freshCode } from '../../support/contacts.ts';
import { coreForThisFile } from '../../support/core.ts';
import { operator } from '../../support/operator.ts';

const core = coreForThisFile();
const db = () => core.database.writes;
const DAY_MS = 86_400_000;

let authority: OwnAuthority;
beforeAll(async () => {
  authority = await ownAuthority(db());
});

async function newUser(): Promise<string> {
  const username = freshCode();
  const user = { username, registrar: 'ALPHA', roles: ['epp' as const], password: 'a long enough password' };
  await carryOut(db(), createUser, user, operator());
  return username;
}

const signDirectly = (_username: string, request: string, signer: Signer, context: OperatorContext) =>
  carryOut(db(), signCertificate, { request, ...signer }, context);

async function signWaiting(username: string, request: string, signer: Signer, context: OperatorContext) {
  const { id } = await db().one(sql<{ id: number }>`
    insert into certificate_requests (user_id, request, requested_by, created_at)
    select id, ${request}, 'test', ${context.now} from api_users where username = ${username} returning id`);
  return carryOut(db(), signCertificateRequest, { id, publicUrl: 'https://a.example', ...signer }, context);
}

describe.each([
  ['a request that was sent', signDirectly],
  ['a request of the queue', signWaiting],
])('%s', (_name, sign) => {
  const certificatesOf = (username: string) =>
    db().rows(sql`
      select c.serial from certificates c join api_users u on u.id = c.user_id where u.username = ${username}`);

  test('success: becomes a certificate for a year, which is in the history; not in a dry run', async () => {
    const username = await newUser();
    const { request } = await askFor(username);
    await sign(username, request, signerOf(authority), operator({ dryRun: true }));
    expect(await certificatesOf(username)).toEqual([]);
    await db().run(sql`delete from certificate_requests`);
    const now = new Date();
    const signed = await sign(username, request, signerOf(authority), operator({ now }));
    const { serial, fingerprint, validUntil } = signed.certificate;
    expect(signed).toMatchObject({ authorityId: authority.id, certificate: { commonName: username } });
    expect(Math.abs(validUntil.getTime() - now.getTime() - 365 * DAY_MS)).toBeLessThan(1000);
    expect(await certificatesOf(username)).toEqual([{ serial }]);
    const recorded = await db().rows(sql`
      select after from history where object_name = ${username} and operation = 'enter certificate'`);
    expect(recorded).toEqual([{ after: { serial, fingerprint, validUntil: validUntil.toISOString() } }]);
  });

  const refusalsOf = (username: string, request: string, signer: Signer, context = operator()) =>
    sign(username, request, signer, context).then(
      () => [],
      (error: Refused) => error.refusals.map(({ name }) => name),
    );

  test('failure: a user who has two valid certificates', async () => {
    const username = await newUser();
    const { request } = await askFor(username);
    await signedFor(db(), authority, username);
    await signedFor(db(), authority, username);
    expect(await refusalsOf(username, request, signerOf(authority))).toEqual(['tooManyCertificates']);
  });

  test('failure: no request, and one of a name that no user has', async () => {
    const signer = signerOf(authority);
    expect(await refusalsOf(await newUser(), 'hello', signer)).toEqual(['requestUnusable']);
    const { request } = await askFor('nobody');
    expect(await refusalsOf(await newUser(), request, signer)).toEqual(['certificateUserMissing']);
  });

  test('failure: an authority that has expired', async () => {
    const username = await newUser();
    const { request } = await askFor(username);
    const late = operator({ now: new Date(Date.now() + 3660 * DAY_MS) });
    expect(await refusalsOf(username, request, signerOf(authority), late)).toEqual(['authorityExpired']);
  });

  test('failure: where the key is not, and without an authority that signs', async () => {
    const signer = signerOf(authority);
    const { request } = await askFor('alpha');
    const elsewhere = { ...signer, keys: { ...signer.keys, find: async () => undefined } };
    expect(await refusalsOf(await newUser(), request, elsewhere)).toEqual(['authorityKeyMissing']);
    await db().run(sql`update authorities set signs = false`);
    expect(await refusalsOf(await newUser(), request, signer)).toEqual(['ownAuthorityMissing']);
    await db().run(sql`update authorities set signs = true where id = ${authority.id}`);
  });
});

describe('an authority of our own', () => {
  const create = (
    given: { name?: string; replaces?: boolean; keep?: () => Promise<void> },
    dryRun = false,
  ) => {
    const { name = 'Second', replaces = false, keep = async () => undefined } = given;
    const keys = { keep, fileOf: () => '/keys/second.key' };
    return carryOut(db(), createOwnAuthority, { name, replaces, keys }, operator({ dryRun }));
  };
  const signing = async () =>
    (await db().one(sql<{ name: string }>`select name from authorities where signs`)).name;

  test('failure: one without a name, one beside that which signs, and one whose key cannot be kept', async () => {
    await expect(create({ name: ' ' })).rejects.toThrow('An authority needs a name');
    await expect(create({})).rejects.toThrow(`Authority ${authority.id} signs already; replaces makes`);
    const full = async () => Promise.reject(new Error('no space left'));
    await expect(create({ replaces: true, keep: full })).rejects.toThrow('no space left');
    expect(await signing()).toBe('Registry');
  });

  test('success: it replaces the one that signs; a dry run keeps no key', async () => {
    let kept = 0;
    const keep = async () => {
      kept += 1;
    };
    await create({ replaces: true, keep }, true);
    expect([await signing(), kept]).toEqual(['Registry', 0]);
    expect(await create({ replaces: true, keep })).toMatchObject({
      name: 'Second',
      keyFile: '/keys/second.key',
    });
    expect([await signing(), kept]).toEqual(['Second', 1]);
  });
});
