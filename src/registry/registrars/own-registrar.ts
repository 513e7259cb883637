import type { OperatorContext } from '../../operations/operator-operation.ts';
import { type Fragment, sql } from '../../platform/sql/statement.ts';

/** Whether a column of a statement is the registrar to which the context limits a change, if it does. */
export function isWithinRegistrar(
  column: Fragment,
  { registrarId }: Pick<OperatorContext, 'registrarId'>,
): Fragment {
  const id = registrarId ?? null;
  return sql`(${id}::bigint is null or ${column} = ${id})`;
}
