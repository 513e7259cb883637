import { type EntryKind, entryKinds } from '../../../ledger/entry-kinds.ts';
import { readPosition } from '../../../platform/paging/position.ts';
import type { TextPattern } from '../../../platform/paging/text-pattern.ts';
import type { Policy } from '../../../policy/policy.ts';
import type { TransactionQuery } from '../../../registry/registrars/find-transactions.ts';
import type { PageInput, Visit } from '../console-page.ts';
import { filterPattern } from '../filter-text.ts';
import { type AskedRange, readRange } from './date-range.ts';

export type ReadTransactionQuery = {
  readonly asked: AskedRange & { readonly about: string; readonly kind: string };
  /** Null where the text says nothing. */
  readonly about: TextPattern | undefined | null;
  readonly kind: EntryKind | undefined | null;
  readonly from: Date | undefined | null;
  readonly before: Date | undefined | null;
  /** Undefined if any is wrong. */
  readonly query: TransactionQuery | undefined;
};

export function readTransactionQuery(
  input: Pick<PageInput, 'query'>,
  policy: Policy,
  { may }: Pick<Visit, 'may'>,
): ReadTransactionQuery {
  const { asked: range, from, before } = readRange(input, policy);
  const asked = { about: input.query('about'), kind: input.query('kind'), ...range };
  const about = filterPattern(asked.about);
  const kind = asked.kind === '' ? undefined : (entryKinds.find((known) => known === asked.kind) ?? null);
  const read = { asked, about, kind, from, before };
  if (kind === null || from === null || before === null || about === null)
    return { ...read, query: undefined };
  const after = readPosition(input.query('after'), 'time');
  return {
    ...read,
    query: {
      filter: { kind, from, before, about, amongCustomers: may('read') },
      after,
    },
  };
}
