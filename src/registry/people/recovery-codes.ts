import { randomBytes } from 'node:crypto';
import type { Sql } from '../../platform/sql/executor.ts';
import { type Fragment, sql } from '../../platform/sql/statement.ts';
import { tokenHash } from '../../platform/values/token.ts';
import { type PersonChange, recordPersonChange } from './person-history.ts';
import { base32 } from './totp.ts';

const COUNT = 10;
/** 80 bits: enough for a quick hash, and 16 letters and digits to type. */
const BYTES = 10;

/** Codes that a person writes down; the database has their hashes. */
export const newRecoveryCodes = (): string[] =>
  Array.from({ length: COUNT }, () =>
    (base32(randomBytes(BYTES)).toLowerCase().match(/.{4}/g) ?? []).join('-'),
  );

/** Spaces, hyphens and case do not matter when a code is typed. */
export const recoveryCodeHash = (code: string): Buffer =>
  tokenHash(code.toLowerCase().replace(/[^a-z2-7]/g, ''));

/** Parts of a statement: replaces the codes of the person of its part `changed`. */
export const replaceCodes = (codes: readonly string[], now: Date): Fragment => sql`
  cleared as (delete from recovery_codes c using changed where c.person_id = changed.id),
  added as (
    insert into recovery_codes (person_id, code_hash, created_at)
    select changed.id, code_hash, ${now} from changed, unnest(${codes.map(recoveryCodeHash)}::bytea[]) as code_hash)`;

/** New codes for somebody; those before are worth nothing any more. */
export async function issueRecoveryCodes(db: Sql, change: PersonChange): Promise<string[]> {
  const codes = newRecoveryCodes();
  await db.run(sql`
    with changed as (select id from people where id = ${change.personId}), ${replaceCodes(codes, change.now)}
    ${recordPersonChange('issue recovery codes', change)}`);
  return codes;
}

/** Uses a code up; false if it is none, or was used before. */
export async function takeRecoveryCode(db: Sql, personId: number, code: string, now: Date): Promise<boolean> {
  const taken = await db.run(sql`
    update recovery_codes set used_at = ${now}
    where person_id = ${personId} and code_hash = ${recoveryCodeHash(code)} and used_at is null`);
  return taken === 1;
}
