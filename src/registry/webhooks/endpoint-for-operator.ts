import type { Sql } from '../../platform/sql/executor.ts';
import { sql } from '../../platform/sql/statement.ts';
import { refuse } from '../operator-refusals.ts';

/** An endpoint of any registrar, as an operator names it by its public id. */
type FoundEndpoint = { readonly rowId: number; readonly registrarId: number; readonly isDisabled: boolean };

export const findForOperator = (db: Sql, id: string): Promise<FoundEndpoint | undefined> =>
  db.maybe(sql<FoundEndpoint>`
    select id as "rowId", registrar_id as "registrarId", disabled_at is not null as "isDisabled"
    from webhook_endpoints where public_id = ${id}`);

export const requireForOperator = (found: FoundEndpoint | undefined, id: string): FoundEndpoint =>
  found ?? refuse('webhookMissing', { id });
