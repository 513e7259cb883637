import { describe, expect, test } from 'vitest';
import { sql } from '../../../src/platform/sql/statement.ts';
import { part, parts, WithStatement } from '../../../src/platform/sql/with.ts';

const guard = part('guard', [], sql`select ${1}::int as id`);
const changed = part('changed', ['guard'], sql`select id from guard where id = ${2}`);
const locked = part('locked', ['guard'], sql`select id from guard`, { isMaterialized: true });

describe('a with statement', () => {
  test('success: parts in their order, with their values', () => {
    const statement = WithStatement.from(guard)
      .and(changed)
      .and(
        parts(locked, part('both', ['locked', 'changed'], sql`select from locked, changed where ${3} > 2`)),
      )
      .end(['both'], sql`select count(*) from both`);
    expect(statement.text).toBe(
      'with "guard" as (select $1::int as id), "changed" as (select id from guard where id = $2), ' +
        '"locked" as materialized (select id from guard), "both" as (select from locked, changed where $3 > 2) select count(*) from both',
    );
    expect(statement.values).toEqual(['1', '2', '3']);
  });

  test('success: a part that is left out does not appear', () => {
    const [left, without] = [
      WithStatement.from(guard).and(undefined as typeof changed | undefined),
      WithStatement.from(guard),
    ].map((each) => each.end([], sql`select 1`));
    expect(left?.text).toBe(without?.text);
  });

  test('failure: a name that is taken, and a part that reads from nothing before it, do not compile', () => {
    const once = WithStatement.from(guard).and(changed);
    // @ts-expect-error -- there is a part of this name already
    const twice = () => once.and(changed).end(['changed'], sql`select 1`);
    expect(twice).toThrow('two parts called changed');
    const late = part('late', ['changed'], sql`select from changed`);
    // @ts-expect-error -- it reads from one that is not before it
    const early = () => WithStatement.from(guard).and(late).end([], sql`select 1`);
    expect(early).toThrow('reads from changed');
    // @ts-expect-error -- a part must read from one before it
    WithStatement.from(guard).and(part('alone', [], sql`insert into marks values ('x')`));
    // @ts-expect-error -- what it ends with is not there
    expect(() => WithStatement.from(guard).end(['changed'], sql`select 1`)).toThrow('reads from changed');
  });

  test('failure: a part that is read from and was left out is found before anything is sent', () => {
    const open = WithStatement.from(guard).and(undefined as typeof changed | undefined);
    expect(() => open.end(['changed'], sql`select from changed`)).toThrow('reads from changed');
  });
});
