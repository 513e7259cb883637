import type { HistoryEntry } from '../../operations/record-history.ts';
import { sql } from '../../platform/sql/statement.ts';

/** Names are not objects with an id: their history is found by the name. `changed` has it. */
export const nameEntry = (operation: string): HistoryEntry => ({
  objectKind: 'name',
  objectId: sql`0`,
  operation,
});
