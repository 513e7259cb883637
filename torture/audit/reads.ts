import type { Finding } from '../../src/ledger/check-ledger.ts';
import type { Sql } from '../../src/platform/sql/executor.ts';
import { sql } from '../../test/support/sql.ts';
import type { Journal } from '../journal.ts';

type Row = {
  readonly name: string;
  readonly sponsor: string | null;
  readonly after: { readonly registrant: string; readonly expire_time: string } | null;
  readonly committedAt: number;
};
/** A name from one change to the next; `after` is null while it is not registered. */
type State = Pick<Row, 'after' | 'sponsor'> & { readonly from: number; readonly until: number };

/**
 * A commit is seen by others only when the standby has it too: so long after its time the state before may be read. The
 * longest freeze of a standby and the time to notice a lost one lie below it.
 */
const VISIBLE_AFTER_MS = 15_000;
const CLOCK_MS = 100;

/** Every read shows a state from between its request and its answer, according to history. */
export async function auditReads(db: Sql, { domainReads, listReads, lookups }: Journal): Promise<Finding[]> {
  const states = await statesOfNames(db);
  const during = (name: string, { sentAt, endedAt }: { sentAt: number; endedAt: number }) =>
    (states.get(name) ?? [UNKNOWN]).filter(
      ({ from, until }) => from <= endedAt + CLOCK_MS && until + VISIBLE_AFTER_MS >= sentAt,
    );
  const wrongDomains = domainReads.flatMap((read) => {
    const { name, shown } = read.seen;
    const possible = during(name, read);
    const isRight = possible.some(({ after }) =>
      shown ? after !== null && isSame(after, shown) : after === null,
    );
    return isRight
      ? []
      : [
          {
            ...WRONG,
            subject: `domain ${name}`,
            expected: textOf(possible),
            found: JSON.stringify(shown ?? null),
          },
        ];
  });
  const wrongLists = listReads.flatMap((read) => {
    const { registrar, names } = read.seen;
    const listed = new Set(names);
    return [...new Set([...states.keys(), ...names])].flatMap((name) => {
      const possible = during(name, read);
      const isOwn = listed.has(name);
      if (possible.some(({ after, sponsor }) => (after !== null && sponsor === registrar) === isOwn))
        return [];
      return [
        {
          ...WRONG,
          subject: `list of ${registrar}`,
          expected: `${name} ${textOf(possible)}`,
          found: isOwn ? 'listed' : 'not listed',
        },
      ];
    });
  });
  const wrongLookups = lookups.flatMap((read) => {
    const { name, expireTime } = read.seen;
    const possible = during(name, read);
    const isRight = possible.some(({ after }) =>
      expireTime === undefined
        ? after === null
        : after !== null && Date.parse(after.expire_time) === Date.parse(expireTime),
    );
    return isRight
      ? []
      : [
          {
            ...WRONG,
            subject: `look-up of ${name}`,
            expected: textOf(possible),
            found: expireTime ?? 'not found',
          },
        ];
  });
  return [...wrongDomains, ...wrongLists, ...wrongLookups];
}

const WRONG = { finding: 'a read was answered with what was not there' } as const;
const UNKNOWN: State = { after: null, sponsor: null, from: 0, until: Number.POSITIVE_INFINITY };

const isSame = (
  after: NonNullable<Row['after']>,
  { registrant, expireTime }: { readonly registrant: string; readonly expireTime: string },
): boolean => after.registrant === registrant && Date.parse(after.expire_time) === Date.parse(expireTime);

const textOf = (states: readonly State[]): string =>
  states
    .map(({ after, sponsor }) => (after ? `${sponsor} ${after.registrant} ${after.expire_time}` : 'nothing'))
    .join(' or ');

async function statesOfNames(db: Sql): Promise<Map<string, State[]>> {
  const rows = await db.rows(sql<Row>`
    select h.object_name as name, h.after, (extract(epoch from pg_xact_commit_timestamp(h.xmin)) * 1000)::float8 as "committedAt",
      (select r.code from history s join registrars r on r.id = s.registrar_id
        where s.object_kind = 'domain' and s.object_name = h.object_name and s.object_id = h.object_id and s.id <= h.id and s.operation in ('create', 'transfer')
        order by s.id desc limit 1) as sponsor
    from history h where h.object_kind = 'domain' order by h.id`);
  const states = new Map<string, State[]>();
  for (const [name, changes] of Map.groupBy(rows, (row) => row.name)) {
    const from = [0, ...changes.map(({ committedAt }) => committedAt)];
    states.set(
      name,
      from.map((start, index) => ({
        after: changes[index - 1]?.after ?? null,
        sponsor: changes[index - 1]?.sponsor ?? null,
        from: start,
        until: from[index + 1] ?? Number.POSITIVE_INFINITY,
      })),
    );
  }
  return states;
}
