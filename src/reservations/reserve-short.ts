import { storeAnswers } from '../operations/stored-answers.ts';
import { inStatement, type Operation } from '../operations/in-statement.ts';
import { insertHistory } from '../operations/record-history.ts';
import { type OperationContext, type Outcome, runOperation } from '../operations/run-operation.ts';
import type { Sql } from '../platform/sql/executor.ts';
import { sql } from '../platform/sql/statement.ts';
import { part, WithStatement } from '../platform/sql/with.ts';
import { moveBy } from '../platform/values/dates.ts';
import { findNameStates, type NameState, whyUnavailable } from '../registry/names/availability.ts';
import type { ReservationDependencies } from './dependencies.ts';
import { parseNames, registrationCode, reservationStatus, userUniqueId, zonedTime } from './reservation.ts';
import { refuse } from './reservation-refusals.ts';

export type ReservedName = { readonly name: string; readonly code: string; readonly expiresAt: string };
export type ShortReservation = StoredReservation & { readonly names: readonly ReservedName[] };
/** What of it is stored for a key: codes are read again. */
export type StoredReservation = { readonly id: string };

/** Reserves names for a week, free of charge; unavailable names are omitted. */
export async function reserveNames(
  { database, policy }: ReservationDependencies,
  texts: readonly string[],
  context: OperationContext,
): Promise<Outcome<ShortReservation>> {
  const { reservations, timeZone } = policy;
  const expiresAt = moveBy(context.now, `P${reservations.freeDays}D`, timeZone) ?? context.now;
  const input = { names: await parseNames(texts, policy), expiresAt, timeZone };
  return runOperation(database, inStatement(shortReservation, input), context);
}

type Input = { readonly names: readonly string[]; readonly expiresAt: Date; readonly timeZone: string };
type Reservation = {
  readonly id: string;
  readonly names: readonly string[];
  readonly codes: readonly string[];
  readonly expiresAt: Date;
  readonly context: OperationContext;
};
type ReservationPlan = { readonly answer: ShortReservation; readonly reservation: Reservation };

export const shortReservation: Operation<Input, readonly NameState[], ReservationPlan, OperationContext> = {
  load: (db, { names }, { now }) => findNameStates(db, names, now),

  decide(states, { expiresAt, timeZone }, context) {
    const names = states.filter((state) => whyUnavailable(state) === undefined).map(({ name }) => name);
    if (names.length === 0) refuse('noneAvailable');
    const made = { id: userUniqueId(), names, codes: names.map(registrationCode), expiresAt, context };
    return { answer: madeReservation(made, timeZone), reservation: made };
  },

  persist: (db, plan) => persistAll(db, [plan.reservation]),

  batch: {
    async load(db, requests) {
      const latest = Math.max(...requests.map(({ context }) => context.now.getTime()));
      const names = new Set(requests.flatMap(({ input }) => input.names));
      const states = await findNameStates(db, [...names], new Date(latest));
      const byName = new Map(states.map((state) => [state.name, state]));
      return requests.map(({ input }) => input.names.flatMap((name) => byName.get(name) ?? []));
    },
    persist: (db, decided) =>
      persistAll(
        db,
        decided.map(({ plan }) => plan.reservation),
      ),
  },
};

/** The answer to a repetition: the names of which the codes are still valid. */
export async function readReserved(db: Sql, id: string, now: Date): Promise<ShortReservation> {
  const entries = (await reservationStatus(db, id, now)) ?? [];
  const names = entries.flatMap(({ name, code, expiresAt }) =>
    code && expiresAt ? [{ name, code, expiresAt }] : [],
  );
  return { id, names };
}

const madeReservation = (
  { id, names, codes, expiresAt }: Reservation,
  timeZone: string,
): ShortReservation => ({
  id,
  names: names.map((name, index) => ({
    name,
    code: codes[index] ?? '',
    expiresAt: zonedTime(expiresAt, timeZone),
  })),
});

/** All or none: a name that was taken concurrently is a conflict for the whole statement. */
async function persistAll(db: Sql, reservations: readonly Reservation[]): Promise<void> {
  const rows = reservations.flatMap(({ id, names, codes }) =>
    names.map((name, index) => ({ id, name, code: codes[index], position: index + 1 })),
  );
  const stored = storeAnswers(
    reservations.map(({ id, context }) => ({ ...context, answer: { id } satisfies StoredReservation })),
  );
  const reservation = part(
    'reservation',
    ['stored'],
    sql`
      insert into reservations (user_unique_id, created_at, granted_at)
      select w.id, w.at, w.at from stored cross join unnest(${reservations.map(({ id }) => id)}::text[], ${reservations.map(({ context }) => context.now.toISOString())}::timestamptz[]) as w(id, at)
      returning id, user_unique_id, created_at`,
  );
  const asked = part(
    'asked',
    ['reservation'],
    sql`
      select reservation.id, a.name, a.code, a.position, reservation.created_at as at, w.expires_at
      from unnest(${rows.map(({ id }) => id)}::text[], ${rows.map(({ name }) => name)}::text[], ${rows.map(({ code }) => code ?? null)}::text[], ${rows.map(({ position }) => position)}::int[]) as a(user_unique_id, name, code, position)
      join reservation on reservation.user_unique_id = a.user_unique_id
      join unnest(${reservations.map(({ id }) => id)}::text[], ${reservations.map(({ expiresAt }) => expiresAt.toISOString())}::timestamptz[]) as w(id, expires_at) on w.id = a.user_unique_id`,
  );
  const listed = part(
    'listed',
    ['asked'],
    sql`insert into reservation_names (reservation_id, name, position) select id, name, position from asked`,
  );
  const held = part(
    'held',
    ['asked'],
    sql`
      insert into reserved_names (name, code, expires_at, created_at, reservation_id)
      select distinct on (name) name, code, expires_at, at, id from asked order by name
      on conflict (name) do update set code = excluded.code, expires_at = excluded.expires_at, created_at = excluded.created_at, reservation_id = excluded.reservation_id
      where reserved_names.expires_at <= excluded.created_at
      returning name, created_at`,
  );
  const recorded = part(
    'recorded',
    ['held'],
    insertHistory(
      { objectKind: 'name', objectId: 0, objectName: sql`held.name`, operation: 'reserve' },
      { actor: 'portal', now: sql`held.created_at` },
      sql`from held`,
    ),
  );
  const statement = WithStatement.from(stored)
    .and(reservation)
    .and(asked)
    .and(listed)
    .and(held)
    .and(recorded);
  await db.run(statement.end(['held'], sql`select require_unchanged(count(*) = ${rows.length}) from held`));
}
