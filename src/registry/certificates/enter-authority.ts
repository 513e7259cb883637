import type { OperatorContext } from '../../operations/operator-operation.ts';
import { insertHistory } from '../../operations/record-history.ts';
import type { Certificate } from '../../platform/certificates/certificate.ts';
import type { Sql } from '../../platform/sql/executor.ts';
import { sql } from '../../platform/sql/statement.ts';

type NewAuthority = {
  readonly name: string;
  readonly certificate: Certificate;
  /** Ours, whose key signs from now on. */
  readonly isOwn: boolean;
};

/** Returns its number; undefined if it was entered before. Inside one transaction. */
export async function enterAuthority(
  db: Sql,
  { name, certificate, isOwn }: NewAuthority,
  context: OperatorContext,
): Promise<number | undefined> {
  const { pem, fingerprint, validFrom, validUntil } = certificate;
  const operation = isOwn ? 'create' : 'trust';
  const entered = await db.maybe(sql<{ id: number }>`
    with changed as (
      insert into authorities (name, certificate, fingerprint, valid_from, valid_until, own, signs, created_at)
      values (${name}, ${pem}, ${fingerprint}, ${validFrom}, ${validUntil}, ${isOwn}, ${isOwn}, ${context.now})
      on conflict (fingerprint) do nothing
      returning id, name)
    ${insertHistory({ objectKind: 'authority', operation, after: { fingerprint } }, context, sql`from changed`)}
    returning object_id as id`);
  return entered?.id;
}
