import type { Database } from '../../../platform/database/database.ts';
import type { Sql } from '../../../platform/sql/executor.ts';
import type { Policy } from '../../../policy/policy.ts';
import { inPrimaryListTurn } from '../../list-turns.ts';
import type { Context } from '../../operation.ts';
import { checkPartsProhibited } from '../apply-parts.ts';
import { withClientStatus, withoutClientStatus } from '../change-status.ts';
import type { Domain } from '../domain.ts';
import { type DomainParts, NO_PARTS } from '../rules/domain-parts.ts';
import { type BulkFinding, findEach, readNamed } from './bulk-findings.ts';
import { changeEach, type RowChange, type RowResult } from './row-results.ts';

/** Whether many domains are to be out of the zone at the wish of their registrar. */
export type BulkHold = { readonly isHeld: boolean };

const STATUS = 'clientHold';
const HELD: DomainParts = { ...NO_PARTS, add: { ...NO_PARTS.add, statuses: [{ status: STATUS }] } };
const RELEASED: DomainParts = { ...NO_PARTS, remove: { ...NO_PARTS.remove, statuses: [{ status: STATUS }] } };

/** The change of one domain; one that is as it shall be stays as it is, whatever its statuses are. */
export function holdChange({ isHeld }: BulkHold, policy: Policy): RowChange {
  const isSo = ({ statuses }: Domain) => STATUS in statuses === isHeld;
  const kinds = { isNewHolder: false, isOther: false };
  return {
    operation: isHeld ? `set ${STATUS}` : `remove ${STATUS}`,
    check: (before) => (isSo(before) ? [] : checkPartsProhibited(before, isHeld ? HELD : RELEASED, kinds)),
    change: (before) => {
      if (isSo(before)) return before;
      return isHeld
        ? withClientStatus(before, { status: STATUS }, 0, policy).domain
        : withoutClientStatus(before, STATUS, 0, policy).domain;
    },
  };
}

/** Each by itself, in a transaction of the caller. */
export const holdEach = (
  db: Sql,
  names: readonly string[],
  hold: BulkHold,
  context: Context,
): Promise<RowResult[]> => changeEach(db, names, holdChange(hold, context.policy), context);

/** What would become of each of these domains. */
export function previewHolds(
  database: Database,
  names: readonly string[],
  hold: BulkHold,
  context: Context,
): Promise<BulkFinding[]> {
  const { check, change } = holdChange(hold, context.policy);
  const decision = { check, change: (before: Domain) => ({ after: change(before) }) };
  return inPrimaryListTurn(database, context.principal, async (db) =>
    findEach(names, await readNamed(db, names, context), decision, context),
  );
}
