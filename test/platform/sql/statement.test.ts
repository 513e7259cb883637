import { describe, expect, test } from 'vitest';
import { constant, identifier, sql } from '../../../src/platform/sql/statement.ts';

const byName = (name: string) => sql`select id from domains where name = ${name}`;

describe('a statement', () => {
  test('success: values of parts are numbered consecutively, and are not in the text', () => {
    const statement = sql`select ${1n} where exists (${byName('a.ee')}) and ${identifier('at "x"')} < ${new Date(0)}`;
    expect(statement.text).toBe(
      'select $1::bigint where exists (select id from domains where name = $2) and "at ""x""" < $3::timestamptz',
    );
    expect(statement.values).toEqual(['1', 'a.ee', '1970-01-01T00:00:00.000Z']);
  });

  test('success: the same text has the same name whatever its values, another text another', () => {
    expect(byName('a.ee').name).toBe(byName('b.ee').name);
    expect(sql`select ${1}`.name).not.toBe(sql`select ${1n}`.name);
  });

  test('success: a constant part is the text that its parts make', () => {
    const column = sql`d.created_at`;
    const written = constant(sql`to_char(${column}, 'YYYY') as ${identifier('year')}`);
    expect(written.text).toBe(`to_char(d.created_at, 'YYYY') as "year"`);
    expect(sql`select ${written} where ${true}`.text).toBe(`select ${written.text} where $1::boolean`);
  });

  test('failure: a part with values is no constant', () => {
    expect(() => constant(byName('a.ee'))).toThrow('a constant part of a statement has no values');
  });
});
