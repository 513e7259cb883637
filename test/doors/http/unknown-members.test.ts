import { expect, test } from 'vitest';
import { type Dialect, readBody, readQuery } from '../../../src/doors/http/read-request.ts';
import { refusal } from '../../../src/doors/http/request-refusals.ts';
import { Type } from '../../../src/doors/http/schema-builder.ts';
import { type Failure, SchemaValidator } from '../../../src/doors/http/validation.ts';
import { Strict } from '../../../src/doors/registrar-api/schemas.ts';
import type { NamedRefusal } from '../../../src/operations/named-refusal.ts';

const SCHEMA = Strict({
  name: Type.String(),
  hosts: Type.Optional(Type.Array(Strict({ host: Type.String() }))),
});
const unknown = (count: number): Record<string, unknown> =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`m${index}`, ' text ']));

/** The fields of the refusals of a body or query, and how many failures were described for them. */
function fieldsOf(read: (shape: SchemaValidator, dialect: Dialect, refusals: NamedRefusal[]) => unknown) {
  let described = 0;
  const refusalOf = ({ path, expected }: Failure): NamedRefusal => {
    described += 1;
    return refusal('wrongSyntax', { field: path.join('.'), expected });
  };
  const refusals: NamedRefusal[] = [];
  read(new SchemaValidator(SCHEMA, refusalOf), { isStrict: true, refusalOf, names: {} }, refusals);
  return { fields: refusals.map(({ field }) => field), described };
}
const fieldsOfBody = (body: unknown) =>
  fieldsOf((shape, dialect, refusals) => readBody(shape, body, dialect, (value) => ({ value }), refusals));

test('success: up to 20 unknown members are told beside all other failures', () => {
  const { fields } = fieldsOfBody(unknown(20));
  expect(fields).toHaveLength(21);
  expect(fields).toContain('name');
});

test('failure: of more than 20 the first 20 are told, the rest is neither described nor looked at', () => {
  const given = { name: 'a', ...unknown(20_000) };
  let looked = 0;
  const watched = new Proxy(given, {
    getOwnPropertyDescriptor: (target, name) => {
      looked += 1;
      return Reflect.getOwnPropertyDescriptor(target, name);
    },
  });
  const { fields, described } = fieldsOfBody(watched);
  expect(fields).toEqual(Array.from({ length: 20 }, (_, index) => `m${index}`));
  expect(described).toBeLessThan(25);
  expect(looked).toBeLessThan(100);
});

test('failure: they are counted over the items of lists', () => {
  const hosts = Array.from({ length: 30 }, (_, index) => ({ host: 'a', [`m${index}`]: 1 }));
  const { fields } = fieldsOfBody({ name: 'a', hosts });
  expect(fields).toEqual(Array.from({ length: 20 }, (_, index) => `hosts.${index}.m${index}`));
});

test('failure: an unknown member is told as one, whatever is in it', () => {
  expect(fieldsOfBody({ name: 'a', other: unknown(20_000), constructor: 1 }).fields).toEqual([
    'other',
    'constructor',
  ]);
});

test('failure: of unknown parameters of a query the first 20', () => {
  const { fields, described } = fieldsOf((shape, dialect, refusals) =>
    readQuery(shape, { name: 'a', ...unknown(500) }, dialect, refusals),
  );
  expect(fields).toHaveLength(20);
  expect(described).toBeLessThan(25);
});
