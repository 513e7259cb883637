import { beforeEach, describe, expect, test } from 'vitest';
import { carryOut } from '../../../src/operations/operator-operation.ts';
import type { Pool } from '../../../src/platform/sql/executor.ts';
import { sql } from '../../../src/platform/sql/statement.ts';
import { refuseCertificateRequest } from '../../../src/registry/certificates/refuse-certificate-request.ts';
import { requestCertificate } from '../../../src/registry/certificates/request-certificate.ts';
import { signCertificateRequest } from '../../../src/registry/certificates/sign-certificate-request.ts';
import { withdrawCertificateRequest } from '../../../src/registry/certificates/withdraw-certificate-request.ts';
import { askFor, ownAuthority, signerOf } from '../../support/certificates.ts';
import { PEOPLE } from '../../support/console.ts';
import { coreForThisFile } from '../../support/core.ts';
import { operator } from '../../support/operator.ts';

const core = coreForThisFile();
const now = new Date();
const [ALPHA] = PEOPLE.alpha;
const publicUrl = 'https://registry.example';
const LINK = 'https://registry.example/console/access/users/alpha';

async function enter(request = ''): Promise<number> {
  const { id } = await core.database.writes.one(sql<{ id: number }>`
    insert into certificate_requests (user_id, request, requested_by, created_at)
    select id, ${request}, ${`person:${ALPHA}`}, ${now} from api_users where username = 'alpha' returning id`);
  return id;
}
const refuse = (id: number, db: Pool = core.database.writes, dryRun = false) =>
  carryOut(
    db,
    refuseCertificateRequest,
    { id, reason: 'the project <ended>', publicUrl },
    operator({ now, dryRun, reason: { text: 'see the file' } }),
  );
const mails = () =>
  core.database.writes.rows(sql<{ recipient: string; subject: string; text: string; html: string }>`
    select recipient, subject, text, html from mails order by id`);

beforeEach(async () => {
  await core.database.writes.run(sql`delete from mails`);
  await core.database.writes.run(sql`delete from certificate_requests`);
  await core.database.writes.run(
    sql`update registrars set email = 'office@alpha.example' where code = 'ALPHA'`,
  );
});

describe('the queue of requests', () => {
  const ask = async (given: { request?: string; registrarId?: number; dryRun?: boolean } = {}) => {
    const request = given.request ?? (await askFor('alpha')).request;
    const { registrarId, dryRun = false } = given;
    const asked = { username: 'alpha', request };
    await carryOut(core.database.writes, requestCertificate, asked, operator({ registrarId, dryRun }));
  };
  const withdraw = (registrarId?: number, dryRun = false) =>
    carryOut(
      core.database.writes,
      withdrawCertificateRequest,
      { username: 'alpha' },
      operator({ registrarId, dryRun }),
    );
  const outcomes = async () => {
    const rows = await core.database.writes.rows(
      sql<{ outcome: string | null }>`select outcome from certificate_requests order by id`,
    );
    return rows.map(({ outcome }) => outcome);
  };

  test('success: a request waits, is withdrawn, and another can wait; dry runs change nothing', async () => {
    await ask({ dryRun: true });
    expect(await outcomes()).toEqual([]);
    await ask();
    await withdraw(undefined, true);
    expect(await outcomes()).toEqual([null]);
    await withdraw();
    await ask();
    expect(await outcomes()).toEqual(['withdrawn', null]);
    const recorded = await core.database.writes.rows(sql`
      select h.operation, r.code as registrar from history h join registrars r on r.id = h.registrar_id
      where h.object_kind = 'user' and h.object_name = 'alpha' and h.operation like '%certificate%' order by h.id`);
    expect(recorded).toEqual(
      ['request certificate', 'withdraw certificate request', 'request certificate'].map((operation) => ({
        operation,
        registrar: 'ALPHA',
      })),
    );
  });

  test('failure: no request, one of another user, one beside another, and of another registrar', async () => {
    await expect(ask({ request: 'hello' })).rejects.toThrow('This is no certificate request');
    const { request } = await askFor('beta');
    await expect(ask({ request })).rejects.toThrow('The CN of the request is not alpha');
    await expect(ask({ registrarId: 0 })).rejects.toThrow('There is no user alpha');
    await ask();
    await expect(ask()).rejects.toThrow('A request of user alpha waits already');
  });

  test('failure: nothing to withdraw, or that of another registrar', async () => {
    await expect(withdraw()).rejects.toThrow('No request of user alpha waits');
    await ask();
    await expect(withdraw(0)).rejects.toThrow('No request of user alpha waits');
    expect(await outcomes()).toEqual([null]);
  });
});

describe('the mail about a decision', () => {
  test('success: one to the person who requested it, in their language, with the address of the certificate', async () => {
    const { writes } = core.database;
    await writes.run(sql`update people set language = 'et' where email = ${ALPHA}`);
    const { request } = await askFor('alpha');
    const id = await enter(request);
    const signing = { id, publicUrl, ...signerOf(await ownAuthority(writes)) };
    const sign = () => carryOut(writes, signCertificateRequest, signing, operator({ now: new Date() }));
    expect((await sign()).certificate.commonName).toBe('alpha');
    await expect(sign()).rejects.toThrow(`No request ${id} waits`);
    expect(await mails()).toEqual([
      {
        recipient: ALPHA,
        subject: 'Kasutaja alpha sertifikaadipäring on allkirjastatud',
        text: expect.stringMatching(/^Register allkirjastas .* kasutaja alpha sertifikaadipäringu\./),
        html: expect.stringContaining(`<a href="${LINK}">`),
      },
    ]);
  });

  test('success: one with the reason of a refusal', async () => {
    await core.database.writes.run(sql`update people set language = 'en' where email = ${ALPHA}`);
    const id = await enter();
    await refuse(id, core.database.writes, true);
    expect(await mails()).toEqual([]);
    expect(await refuse(id)).toEqual({ id });
    await expect(refuse(id)).rejects.toThrow(`No request ${id} waits`);
    const [mail, ...others] = await mails();
    expect([mail?.recipient, mail?.subject, others]).toEqual([
      ALPHA,
      'The certificate request of user alpha was refused',
      [],
    ]);
    expect(mail?.text).toMatch(/ user alpha of registrar .+ The reason: the project <ended>\n/);
    expect(mail?.text).toContain(LINK);
    expect(mail?.html).toContain('the project &lt;ended&gt;');
    expect(mail?.text).not.toContain('Register');
    expect(mail?.text).not.toContain('see the file');
    const [recorded] = await core.database.writes.rows(sql`
      select reason from history where operation = 'refuse certificate request' order by id desc limit 1`);
    expect(recorded).toEqual({ reason: 'see the file' });
  });

  test('failure: a decision that is rolled back sends none', async () => {
    const id = await enter();
    const failing = core.database.writes.begin(async (tx) => {
      await refuse(id, tx);
      throw new Error('rolled back');
    });
    await expect(failing).rejects.toThrow('rolled back');
    expect(await mails()).toEqual([]);
  });

  test.each([
    [
      'is shut out by the registrar',
      sql`update memberships m set disabled_at = now() from people p where p.id = m.person_id and p.email = ${ALPHA}`,
    ],
    ['is shut out by the registry', sql`update people set disabled_at = now() where email = ${ALPHA}`],
    [
      'is no administrator any more',
      sql`update memberships m set roles = '{reader}' from people p where p.id = m.person_id and p.email = ${ALPHA}`,
    ],
    [
      'works for another registrar now',
      sql`update memberships m set registrar_id = r.id from people p, registrars r where p.id = m.person_id and p.email = ${ALPHA} and r.code = 'BETA'`,
    ],
  ])('success: to the registrar, in both languages, if the person %s', async (_what, leave) => {
    const id = await enter();
    await core.database.writes
      .begin(async (tx) => {
        await tx.run(leave);
        await refuse(id, tx);
        const sent = await tx.rows(sql`select recipient, subject from mails`);
        expect(sent).toEqual([
          {
            recipient: 'office@alpha.example',
            subject:
              'Kasutaja alpha sertifikaadipäring on tagasi lükatud / The certificate request of user alpha was refused',
          },
        ]);
        throw new Error('undone');
      })
      .catch((error: unknown) => expect(error).toMatchObject({ message: 'undone' }));
  });

  test('success: none without an address, and the request is decided', async () => {
    const { writes } = core.database;
    const id = await enter();
    await writes.run(sql`update certificate_requests set requested_by = 'person:gone@alpha.example'`);
    await writes.run(sql`update registrars set email = null where code = 'ALPHA'`);
    expect([await refuse(id), await mails()]).toEqual([{ id }, []]);
  });
});
