import { findStoredAnswer, type Keyed, storeAnswers } from '../operations/idempotency.ts';
import { moveBy } from '../platform/dates.ts';
import { MicroBatcher } from '../platform/micro-batcher.ts';
import type { Database } from '../platform/sql/database.ts';
import { classifyDatabaseError } from '../platform/sql/errors.ts';
import type { Sql } from '../platform/sql/executor.ts';
import { sql } from '../platform/sql/statement.ts';
import { part, WithStatement } from '../platform/sql/with.ts';
import { findNameStates, type NameState, whyUnavailable } from '../registry/names/availability.ts';
import { namesAmong } from './available.ts';
import { registrationCode, userUniqueId } from './codes.ts';
import type { ReservationParts } from './parts.ts';
import { refuse } from './refusals.ts';
import { reservationStatus, zonedTime } from './status.ts';

export type ReservedName = { readonly name: string; readonly password: string; readonly expire_at: string };
export type ShortReservation = {
  readonly user_unique_id: string;
  readonly reserved_domains: readonly ReservedName[];
};
export type Reserved = { readonly answer: ShortReservation; readonly replayed: boolean };

const ATTEMPTS = 20;

/** Keeps names for free, for a week; what cannot be had is left out. Who loses a name to another looks again. */
export async function reserveNames(
  { database, policy }: ReservationParts,
  texts: readonly string[],
  keyed: Keyed,
): Promise<Reserved> {
  const { now } = keyed;
  const wanted = namesAmong(texts, policy);
  const expiresAt = moveBy(now, `P${policy.reservations.freeDays}D`, policy.timeZone) ?? now;
  for (let attempt = 1; ; attempt++) {
    const kept = await findStoredAnswer(database.reads, keyed);
    if (kept) return replay(database, kept as Kept, now);
    const { load, persist } = attempt === 1 ? inCompany(database) : alone(database);
    const states = await load({ names: wanted, now });
    const names = states.filter((state) => whyUnavailable(state) === undefined).map(({ name }) => name);
    if (names.length === 0) refuse('noneAvailable');
    const wish = { id: userUniqueId(), names, codes: names.map(registrationCode), expiresAt, keyed };
    try {
      await persist(wish);
      return { answer: answerOf(wish, policy.timeZone), replayed: false };
    } catch (error) {
      if (classifyDatabaseError(error) !== 'conflict' || attempt === ATTEMPTS) throw error;
    }
  }
}

/** What is kept for a key: never a code. */
type Kept = { readonly user_unique_id: string };

/** Codes are read anew: an answer that is repeated shows those that still stand. */
async function replay(database: Database, { user_unique_id: id }: Kept, now: Date): Promise<Reserved> {
  const entries = (await reservationStatus(database.reads, id, now)) ?? [];
  const reserved = entries.flatMap(({ name, password, expire_at }) =>
    password && expire_at ? [{ name, password, expire_at }] : [],
  );
  return { answer: { user_unique_id: id, reserved_domains: reserved }, replayed: true };
}

type Wish = {
  readonly id: string;
  readonly names: readonly string[];
  readonly codes: readonly string[];
  readonly expiresAt: Date;
  readonly keyed: Keyed;
};
type Question = { readonly names: readonly string[]; readonly now: Date };
type Steps = {
  load(question: Question): Promise<readonly NameState[]>;
  persist(wish: Wish): Promise<void>;
};

const answerOf = ({ id, names, codes, expiresAt }: Wish, timeZone: string): ShortReservation => ({
  user_unique_id: id,
  reserved_domains: names.map((name, index) => ({
    ...{ name, password: codes[index] ?? '', expire_at: zonedTime(expiresAt, timeZone) },
  })),
});

const alone = ({ reads, writes }: Database): Steps => ({
  load: ({ names, now }) => findNameStates(reads, names, now),
  persist: (wish) => persistAll(writes, [wish]),
});

const known = new WeakMap<Database, Steps>();

/** Statements shared with whoever comes at the same time. */
function inCompany(database: Database): Steps {
  const steps = known.get(database) ?? gather(database);
  known.set(database, steps);
  return steps;
}

function gather({ reads, writes }: Database): Steps {
  const loads = new MicroBatcher<Question, readonly NameState[]>((questions) => loadAll(reads, questions), {
    ...{ maxConcurrent: 1, maxSize: 32 },
  });
  const persists = new MicroBatcher<Wish, void>(
    async (wishes) => {
      await persistAll(writes, wishes);
      return [];
    },
    { maxConcurrent: 2, maxSize: 32 },
  );
  return { load: (question) => loads.add(question), persist: (wish) => persists.add(wish) };
}

async function loadAll(db: Sql, questions: readonly Question[]): Promise<(readonly NameState[])[]> {
  const now = questions.reduce(
    (latest, question) => (question.now > latest ? question.now : latest),
    new Date(0),
  );
  const states = await findNameStates(db, [...new Set(questions.flatMap(({ names }) => names))], now);
  const byName = new Map(states.map((state) => [state.name, state]));
  return questions.map(({ names }) => names.flatMap((name) => byName.get(name) ?? []));
}

/** All of the names or none: who was quicker with one of them makes everybody look again. */
async function persistAll(db: Sql, wishes: readonly Wish[]): Promise<void> {
  const rows = wishes.flatMap(({ id, names, codes }) =>
    names.map((name, index) => ({ id, name, code: codes[index], place: index + 1 })),
  );
  const kept = storeAnswers(
    wishes.map(({ id, keyed }) => ({ ...keyed, answer: { user_unique_id: id } satisfies Kept })),
  );
  const reservation = part(
    'reservation',
    ['stored'],
    sql`
      insert into reservations (user_unique_id, created_at, granted_at)
      select w.id, w.at, w.at from stored cross join unnest(${wishes.map(({ id }) => id)}::text[], ${wishes.map(({ keyed }) => keyed.now.toISOString())}::timestamptz[]) as w(id, at)
      returning id, user_unique_id, created_at`,
  );
  const asked = part(
    'asked',
    ['reservation'],
    sql`
      select reservation.id, a.name, a.code, a.place, reservation.created_at as at, w.expires_at
      from unnest(${rows.map(({ id }) => id)}::text[], ${rows.map(({ name }) => name)}::text[], ${rows.map(({ code }) => code ?? null)}::text[], ${rows.map(({ place }) => place)}::int[]) as a(user_unique_id, name, code, place)
      join reservation on reservation.user_unique_id = a.user_unique_id
      join unnest(${wishes.map(({ id }) => id)}::text[], ${wishes.map(({ expiresAt }) => expiresAt.toISOString())}::timestamptz[]) as w(id, expires_at) on w.id = a.user_unique_id`,
  );
  const listed = part(
    'listed',
    ['asked'],
    sql`insert into reservation_names (reservation_id, name, place) select id, name, place from asked`,
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
    sql`
      insert into history (at, object_kind, object_id, object_name, operation, actor)
      select created_at, 'name', 0, name, 'reserve', 'portal' from held`,
  );
  const statement = WithStatement.from(kept).and(reservation).and(asked).and(listed).and(held).and(recorded);
  await db.run(statement.end(['held'], sql`select must_hold(count(*) = ${rows.length}) from held`));
}
