import type { KeyObject } from 'node:crypto';
import { type Authority, signRevocations } from '../../platform/certificates/authority.ts';
import type { Pool, Sql } from '../../platform/database/database.ts';
import type { Policy } from '../../policy/policy.ts';
import { type TrustedAuthority, trustedAuthorities } from './authorities.ts';

const DAY_MS = 86_400_000;

/** The key of one of our own authorities, where it lies on this machine. */
export type FindKey = (authority: TrustedAuthority) => Promise<KeyObject | undefined>;

/** Signs the lists anew that something was revoked since, or whose time runs out; those whose key is here. */
export async function signDueLists(pool: Pool, findKey: FindKey, now: Date, policy: Policy): Promise<void> {
  for (const authority of await trustedAuthorities(pool)) {
    const key = authority.own ? await findKey(authority) : undefined;
    if (key) await pool.begin((sql) => signIfDue(sql, { ...authority, key }, now, policy));
  }
}

async function signIfDue(
  sql: Sql,
  authority: Authority & { readonly id: number },
  now: Date,
  policy: Policy,
): Promise<void> {
  const soon = new Date(now.getTime() + policy.certificates.renewListDays * DAY_MS);
  const due = await sql`
    select from authorities
    where id = ${authority.id} and (revocation_list_stale or revocation_list_until is null or revocation_list_until <= ${soon}) for update`;
  if (due.length > 0) await signList(sql, authority, now, policy);
}

/** Signs the list of an authority anew and answers until when it holds. Inside one transaction. */
export async function signList(
  sql: Sql,
  authority: Authority & { readonly id: number },
  now: Date,
  { certificates }: Policy,
): Promise<Date> {
  const until = new Date(now.getTime() + certificates.listDays * DAY_MS);
  const [numbered] = await sql<{ number: number }[]>`
    update authorities set revocation_list_number = revocation_list_number + 1, revocation_list_stale = false
    where id = ${authority.id} returning revocation_list_number as number`;
  const revoked = await sql<{ serial: string; at: Date }[]>`
    select serial, revoked_at as at from certificates
    where authority_id = ${authority.id} and revoked_at is not null and valid_until > ${now} order by revoked_at, id`;
  const number = numbered?.number ?? 1;
  const list = await signRevocations(authority, { number, revoked, validity: { from: now, until } });
  await sql`update authorities set revocation_list = ${list}, revocation_list_until = ${until} where id = ${authority.id}`;
  return until;
}
