import { type Fragment, sql } from '../../platform/sql/statement.ts';

/** What is counted of the domains of a registrar. */
export const FIGURES = ['registered', 'renewed', 'transferredIn', 'transferredOut', 'deleted'] as const;
export type Figure = (typeof FIGURES)[number];

/**
 * What happened to the domains of a registrar in a time: rows of `at` and `what`. Registrations and renewals are its own
 * changes; a domain that came, left or was deleted is known by the message to it, since another registrar or the
 * registry itself acts then.
 */
export const domainEvents = (registrarId: Fragment, from: Fragment, before: Fragment): Fragment => sql`
  select h.at, h.operation as what from history h
  where h.registrar_id = ${registrarId} and h.at >= ${from} and h.at < ${before}
    and h.object_kind = 'domain' and h.operation in ('create', 'renew')
  union all
  select m.created_at, m.type from poll_messages m
  where m.registrar_id = ${registrarId} and m.created_at >= ${from} and m.created_at < ${before}
    and m.type in ('transferred_in', 'transferred_away', 'deleted')`;

/** The five numbers of such rows, in the order of the columns of `daily_figures`. */
export const countsOf = (what: Fragment): Fragment => sql`
  count(*) filter (where ${what} = 'create')::int as registered, count(*) filter (where ${what} = 'renew')::int as renewed,
  count(*) filter (where ${what} = 'transferred_in')::int as transferred_in,
  count(*) filter (where ${what} = 'transferred_away')::int as transferred_out, count(*) filter (where ${what} = 'deleted')::int as deleted`;
