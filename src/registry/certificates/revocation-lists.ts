import { isDeepStrictEqual } from 'node:util';
import { inTransaction } from '../../operations/in-transaction.ts';
import { answerOf, runOperation, storeOn } from '../../operations/run-operation.ts';
import type { DueTime } from '../../platform/jobs/repair-due-times.ts';
import { OutdatedPreparation } from '../../platform/database/database-errors.ts';
import type { Pool, Sql } from '../../platform/sql/executor.ts';
import { sql } from '../../platform/sql/statement.ts';
import type { Policy } from '../../policy/policy.ts';
import { trustedAuthorities } from './authorities.ts';
import type { AuthorityKeys, SigningAuthority } from './authority-keys.ts';

const DAY_MS = 86_400_000;

/** The key of one of our own authorities, if it is on this machine. */
export type FindKey = AuthorityKeys['find'];

/** A list that begins in the future is refused by everybody who checks it. */
export const revocationListTime = ({ certificates }: Policy): DueTime => ({
  what: 'revocation lists',
  table: 'authorities',
  column: 'revocation_list_until',
  maxAheadMs: certificates.listDays * DAY_MS,
  repair: () => sql`revocation_list_stale = true`,
});

/** Signs the lists that are outdated by a revocation or about to expire, if their key is on this machine. */
export async function signDueLists(pool: Pool, findKey: FindKey, now: Date, policy: Policy): Promise<void> {
  for (const authority of await trustedAuthorities(pool)) {
    const key = authority.own ? await findKey(authority) : undefined;
    if (key) await signIfDue(pool, { ...authority, key }, now, policy);
  }
}

async function signIfDue(pool: Pool, authority: SigningAuthority, now: Date, policy: Policy): Promise<void> {
  const soon = new Date(now.getTime() + policy.certificates.renewListDays * DAY_MS);
  const due = sql`
    select from authorities
    where id = ${authority.id} and (revocation_list_stale or revocation_list_until is null or revocation_list_until <= ${soon})`;
  if ((await pool.rows(due)).length === 0) return;
  const signing = inTransaction({
    prepare: () => signList(pool, authority, now, policy),
    transact: async (db, signed) => {
      // Another process may have signed it in between.
      if ((await db.rows(sql`${due} for update`)).length > 0) await publishList(db, authority, signed, now);
    },
  });
  answerOf(await runOperation(storeOn(pool), signing, { now, dryRun: false }));
}

/** A list that is not published yet, and what it was built from. */
type SignedList = { readonly list: Buffer; readonly basis: Basis; readonly until: Date };

/** Outside of the transaction that publishes it, which must not wait for a signature. */
export async function signList(
  db: Sql,
  authority: SigningAuthority,
  now: Date,
  { certificates }: Policy,
): Promise<SignedList> {
  const until = new Date(now.getTime() + certificates.listDays * DAY_MS);
  const basis = await basisOf(db, authority, now);
  const { number, revoked } = basis;
  // Imported lazily: only a process that signs needs the library.
  const { signRevocations } = await import('../../platform/certificates/authority.ts');
  const list = await signRevocations(authority, { number, revoked, validity: { from: now, until } });
  return { list, basis, until };
}

/** Inside a transaction, which is repeated with another list if the revocations changed in between. */
export async function publishList(
  db: Sql,
  authority: SigningAuthority,
  { list, basis, until }: SignedList,
  now: Date,
): Promise<void> {
  const { id } = authority;
  await db.run(sql`select from authorities where id = ${id} for update`);
  if (!isDeepStrictEqual(await basisOf(db, authority, now), basis))
    throw new OutdatedPreparation('a certificate was revoked while the list was signed');
  await db.run(sql`
    update authorities set revocation_list = ${list}, revocation_list_number = ${basis.number}, revocation_list_until = ${until},
      revocation_list_stale = false
    where id = ${id}`);
}

type Basis = { readonly number: number; readonly revoked: readonly { serial: string; at: Date }[] };

/** What a list is built from: its number, after that of the previous one, and the revoked certificates. */
async function basisOf(db: Sql, { id }: SigningAuthority, now: Date): Promise<Basis> {
  const { number } = await db.one(sql<{ number: number }>`
    select revocation_list_number + 1 as number from authorities where id = ${id}`);
  const revoked = await db.rows(sql<{ serial: string; at: Date }>`
    select serial, revoked_at as at from certificates
    where authority_id = ${id} and revoked_at is not null and valid_until > ${now} order by revoked_at, id`);
  return { number, revoked };
}
