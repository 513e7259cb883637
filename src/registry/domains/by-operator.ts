import type { Pool } from '../../platform/database/database.ts';
import type { Policy } from '../../policy/policy.ts';
import type { Change as OperatorChange } from '../registrars/operator.ts';
import type { Domain } from './domain.ts';
import { type DomainRow, domainValue, readDomain } from './load.ts';
import { type Change, persistChanges } from './persist.ts';

export type Moment = { readonly now: Date; readonly policy: Policy };
type Decide = (domain: Domain, moment: Moment) => Change;

/** A change of one domain by the registry's operator. The domain as it is then; undefined when there is none. */
export function changeByOperator(
  pool: Pool,
  name: string,
  decide: Decide,
  { actor, at: now, reason }: OperatorChange,
  policy: Policy,
): Promise<Domain | undefined> {
  return pool.begin(async (sql) => {
    const [row] = await sql<{ domain: DomainRow }[]>`
      select ${domainValue(sql, now)} as domain from domains d where d.name = ${name} for update of d`;
    if (!row) return undefined;
    const change = decide(readDomain(row.domain), { now, policy });
    const why = reason === undefined ? {} : { reason };
    await persistChanges(sql, [change], { actor, registrarId: null, requestId: null, now, ...why });
    return change.after;
  });
}
