import { beforeEach, describe, expect, test } from 'vitest';
import { sql } from '../../../src/platform/sql/statement.ts';
import { ee } from '../../../src/policy/ee.ts';
import {
  enterRequestedCertificate,
  refuseCertificateRequest,
} from '../../../src/registry/certificates/certificate-requests.ts';
import { signCertificate } from '../../../src/registry/certificates/certificates.ts';
import { askFor, ownAuthority } from '../../support/certificates.ts';
import { PEOPLE } from '../../support/console.ts';
import { coreForThisFile } from '../../support/core.ts';

const core = coreForThisFile();
const now = new Date();
const [ALPHA] = PEOPLE.alpha;
const decision = { actor: 'operator:test', at: now, publicUrl: 'https://registry.example' };
const LINK = 'https://registry.example/console/access/users/alpha';

async function enter(request = ''): Promise<number> {
  const { id } = await core.database.writes.one(sql<{ id: number }>`
    insert into certificate_requests (user_id, request, requested_by, created_at)
    select id, ${request}, ${`person:${ALPHA}`}, ${now} from api_users where username = 'alpha' returning id`);
  return id;
}
const refuse = (id: number) =>
  core.database.writes.begin((tx) =>
    refuseCertificateRequest(tx, id, { ...decision, reason: 'the project <ended>' }),
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

describe('the mail about a decision', () => {
  test('success: one to the person who requested it, in their language, with the address of the certificate', async () => {
    const { writes } = core.database;
    await writes.run(sql`update people set language = 'et' where email = ${ALPHA}`);
    const { request } = await askFor('alpha');
    const id = await enter(request);
    const signing = { request, authority: await ownAuthority(writes), listUrl: 'http://x.example/1.crl' };
    const signed = await signCertificate(writes, signing, ee, now);
    const sign = () => writes.begin((tx) => enterRequestedCertificate(tx, id, signed, decision));
    expect([(await sign())?.commonName, await sign()]).toEqual(['alpha', undefined]);
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
    expect([await refuse(id), await refuse(id)]).toEqual([true, false]);
    const [mail, ...others] = await mails();
    expect([mail?.recipient, mail?.subject, others]).toEqual([
      ...[ALPHA, 'The certificate request of user alpha was refused', []],
    ]);
    expect(mail?.text).toMatch(/ user alpha of registrar .+ The reason: the project <ended>\n/);
    expect(mail?.text).toContain(LINK);
    expect(mail?.html).toContain('the project &lt;ended&gt;');
    expect(mail?.text).not.toContain('Register');
  });

  test('failure: a decision that is rolled back sends none', async () => {
    const id = await enter();
    const failing = core.database.writes.begin(async (tx) => {
      await refuseCertificateRequest(tx, id, { ...decision, reason: 'closed' });
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
        await refuseCertificateRequest(tx, id, { ...decision, reason: 'closed' });
        const sent = await tx.rows(sql`select recipient, subject from mails`);
        expect(sent).toEqual([
          {
            recipient: 'office@alpha.example',
            subject:
              'Kasutaja alpha sertifikaadipäringust on keeldutud / The certificate request of user alpha was refused',
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
    expect([await refuse(id), await mails()]).toEqual([true, []]);
  });
});
