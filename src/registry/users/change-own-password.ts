import { insertHistory } from '../../operations/record-history.ts';
import type { Database } from '../../platform/database/database.ts';
import type { Sql } from '../../platform/sql/executor.ts';
import { sql } from '../../platform/sql/statement.ts';
import { findMatchingHash, hashPassword } from '../access/passwords.ts';
import { type ApiUser, actorOf } from '../actor.ts';
import type { Context } from '../operation.ts';
import { registryRefusals } from '../registry-refusals.ts';
import { isPasswordLength, MAX_PASSWORD_LENGTH, MIN_PASSWORD_LENGTH } from './password-length.ts';

const maker = registryRefusals<readonly ['newPassword']>();
const refuse: typeof maker.refuse = maker.refuse;

type CallerContext = Pick<Context, 'now' | 'requestId'> & {
  readonly principal: ApiUser;
  readonly clientTransactionId?: string | undefined;
};

/**
 * A user that has just logged in replaces its password. Nobody else uses the old one any more, so it is not valid for
 * a while, as it is where an operator replaces it. Open sessions of the user stay.
 */
export async function changeOwnPassword(
  { writes }: Pick<Database, 'writes'>,
  newPassword: string,
  { principal, now, requestId, clientTransactionId }: CallerContext,
): Promise<void> {
  if (!isPasswordLength(newPassword))
    refuse('outOfRange', {
      at: ['newPassword'],
      expected: `${MIN_PASSWORD_LENGTH} to ${MAX_PASSWORD_LENGTH} characters long`,
    });
  if (/\p{Cc}/u.test(newPassword))
    refuse('wrongSyntax', { at: ['newPassword'], expected: 'a password without control characters' });
  await requireOtherPassword(writes, newPassword, { principal, now });
  const hash = await hashPassword(newPassword);
  const entry = { objectKind: 'user', operation: 'change password', registrarId: principal.registrarId };
  const by = { actor: actorOf(principal), now, requestId, clientTransactionId };
  const changed = await writes.rows(sql`
    with changed as (
      update api_users set password_hash = ${hash}, previous_password_hash = null, previous_password_until = null
      where id = ${principal.userId} and disabled_at is null
      returning id, username as name)
    ${insertHistory(entry, by, sql`from changed`)}
    returning 1`);
  if (changed.length === 0) refuse('badCredentials');
}

/** By all passwords that are valid now: one that is being replaced must not come back for good. */
async function requireOtherPassword(
  db: Sql,
  newPassword: string,
  { principal: { userId }, now }: Pick<CallerContext, 'principal' | 'now'>,
): Promise<void> {
  const user = await db.maybe(sql<{ hashes: string[] }>`
    select array_remove(array[password_hash, case when previous_password_until > ${now} then previous_password_hash end], null) as hashes
    from api_users where id = ${userId}`);
  if (await findMatchingHash(newPassword, user?.hashes ?? []))
    refuse('samePassword', { at: ['newPassword'] });
}
