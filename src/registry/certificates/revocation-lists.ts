import type { KeyObject } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { inTransaction } from '../../operations/in-transaction.ts';
import { answerOf, runOperation, storeOn } from '../../operations/run-operation.ts';
import type { Authority } from '../../platform/certificates/authority.ts';
import type { DueTime } from '../../platform/jobs/due-times.ts';
import { OutdatedPreparation } from '../../platform/sql/errors.ts';
import type { Pool, Sql } from '../../platform/sql/executor.ts';
import { sql } from '../../platform/sql/statement.ts';
import type { Policy } from '../../policy/policy.ts';
import { type TrustedAuthority, trustedAuthorities } from './authorities.ts';

const DAY_MS = 86_400_000;

/** The key of one of our own authorities, if it is on this machine. */
export type FindKey = (authority: TrustedAuthority) => Promise<KeyObject | undefined>;

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

type OwnAuthority = Authority & { readonly id: number };

async function signIfDue(pool: Pool, authority: OwnAuthority, now: Date, policy: Policy): Promise<void> {
  const soon = new Date(now.getTime() + policy.certificates.renewListDays * DAY_MS);
  const isDue = async (db: Sql) =>
    (
      await db.rows(sql`
        select from authorities
        where id = ${authority.id} and (revocation_list_stale or revocation_list_until is null or revocation_list_until <= ${soon})`)
    ).length > 0;
  if (await isDue(pool)) await sign(pool, authority, now, policy, isDue);
}

/** Signs a new list of an authority and returns its expiry. */
export const signList = (pool: Pool, authority: OwnAuthority, now: Date, policy: Policy): Promise<Date> =>
  sign(pool, authority, now, policy, async () => true);

/** Signs outside the transaction that publishes the list, and repeats it if the revocations changed in between. */
async function sign(
  pool: Pool,
  authority: OwnAuthority,
  now: Date,
  { certificates }: Policy,
  isDue: (db: Sql) => Promise<boolean>,
): Promise<Date> {
  const until = new Date(now.getTime() + certificates.listDays * DAY_MS);
  const signing = inTransaction({
    prepare: async () => {
      const basis = await basisOf(pool, authority, now);
      const number = basis.number + 1;
      const validity = { from: now, until };
      // Imported lazily: only a process that signs needs the library.
      const { signRevocations } = await import('../../platform/certificates/authority.ts');
      const list = await signRevocations(authority, { number, revoked: basis.revoked, validity });
      return { basis, number, list };
    },
    transact: async (db, { basis, number, list }) => {
      await db.run(sql`select from authorities where id = ${authority.id} for update`);
      // Another process may have signed it in between.
      if (!(await isDue(db))) return until;
      if (!isDeepStrictEqual(await basisOf(db, authority, now), basis))
        throw new OutdatedPreparation('a certificate was revoked while the list was signed');
      await db.run(sql`
        update authorities set revocation_list = ${list}, revocation_list_number = ${number}, revocation_list_until = ${until},
          revocation_list_stale = false
        where id = ${authority.id}`);
      return until;
    },
  });
  return answerOf(await runOperation(storeOn(pool), signing, { now, dryRun: false }));
}

type Basis = { readonly number: number; readonly revoked: readonly { serial: string; at: Date }[] };

/** What a list is built from: the previous list's number and the revoked certificates. */
async function basisOf(db: Sql, { id }: OwnAuthority, now: Date): Promise<Basis> {
  const { number } = await db.one(sql<{ number: number }>`
    select revocation_list_number as number from authorities where id = ${id}`);
  const revoked = await db.rows(sql<{ serial: string; at: Date }>`
    select serial, revoked_at as at from certificates
    where authority_id = ${id} and revoked_at is not null and valid_until > ${now} order by revoked_at, id`);
  return { number, revoked };
}
