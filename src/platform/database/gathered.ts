import { Gathering } from '../gathering.ts';
import type { Sql } from '../sql/executor.ts';
import { PLACE, statement, type Text } from './statement.ts';

const BATCHES = { atOnce: 2, largest: 64 };

/**
 * A question by key that is asked often: whoever asks at the same time is answered by the same statement. The text is
 * written for one question, with named places of the given types, and finds one row or none.
 */
export function gathered<Row extends object, Names extends string>(
  places: Readonly<Record<Names, string>>,
  text: Text<NoInfer<Names>>,
) {
  const names = Object.keys(places) as Names[];
  const ask = statement<Row & { place: number }, Names>(`
    select asked."place"::int as place, answer.*
    from unnest(${names.map((name) => `:${name}::${places[name]}[]`).join(', ')})
      with ordinality as asked(${[...names, 'place'].map((name) => `"${name}"`).join(', ')})
    cross join lateral (${text.replace(PLACE, (_, name: string) => `asked."${name}"`)}) as answer`);
  const gatherings = new WeakMap<Sql, Gathering<Readonly<Record<Names, unknown>>, Row | undefined>>();
  const open = (db: Sql) =>
    new Gathering<Readonly<Record<Names, unknown>>, Row | undefined>(async (questions) => {
      const columns = names.map((name) => [name, questions.map((question) => question[name])]);
      const rows = await ask(db, Object.fromEntries(columns) as Record<Names, unknown>);
      const answers = new Map(rows.map((row) => [row.place, row]));
      return questions.map((_, index) => answers.get(index + 1));
    }, BATCHES);

  return (db: Sql, question: Readonly<Record<Names, unknown>>): Promise<Row | undefined> => {
    const gathering = gatherings.get(db) ?? open(db);
    gatherings.set(db, gathering);
    return gathering.add(question);
  };
}
