import type { Sql } from '../platform/sql/executor.ts';
import { checkLedgerInRanges, type LedgerCheck } from './check-ledger.ts';
import {
  type CheckPosition,
  FIRST_POSITION,
  loadCheck,
  type StoredCheck,
  storeCheck,
} from './check-position.ts';

export type ContinuedCheck = LedgerCheck & {
  /** What was checked before, and not again; undefined if this check began with the first entry. */
  readonly since: StoredCheck | undefined;
};

type Options = {
  /** From the first entry on, whatever was checked before. */
  readonly isWhole?: boolean;
  readonly onPosition?: (position: CheckPosition) => void;
};

/**
 * Checks the ledger from where the last check ended, and stores after each range how far it has come: a check that was
 * interrupted is continued by the next. It does not move beyond a finding, which is therefore found again.
 */
export async function continueLedgerCheck(
  db: Sql,
  now: Date,
  { isWhole = false, onPosition }: Options = {},
): Promise<ContinuedCheck> {
  const since = isWhole ? undefined : await loadCheck(db);
  const startedAt = since?.startedAt ?? now;
  // What a whole check finds must be found by the next one too, which would otherwise begin behind it.
  if (isWhole) await storeCheck(db, { ...FIRST_POSITION, startedAt, checkedAt: now });
  const check = await checkLedgerInRanges(db, {
    from: since,
    onPosition: async (position) => {
      await storeCheck(db, { ...position, startedAt, checkedAt: now });
      onPosition?.(position);
    },
  });
  return { ...check, since };
}
