import Type from 'typebox';
import { expect, test } from 'vitest';
import { readBody } from '../../../src/doors/http/read-request.ts';
import { refusal } from '../../../src/doors/http/request-refusals.ts';
import { SchemaValidator } from '../../../src/doors/http/validation.ts';
import type { NamedRefusal } from '../../../src/operations/named-refusal.ts';

test('failure: any number of wrong items is refused', () => {
  const refusalOf = ({ path }: { readonly path: readonly string[] }) =>
    refusal('wrongSyntax', { field: path.join('.'), expected: 'a text' });
  const shape = new SchemaValidator(Type.Object({ items: Type.Array(Type.String()) }), refusalOf);
  const refusals: NamedRefusal[] = [];
  const body = { items: Array.from({ length: 200_000 }, () => 1) };
  const read = readBody(
    shape,
    body,
    { isStrict: true, refusalOf, names: {} },
    (value) => ({ value }),
    refusals,
  );
  expect([read, refusals.length]).toEqual([undefined, 200_000]);
});

test('failure: each failed item of a list, whether its schema or its parser refuses it', () => {
  const refusalOf = ({ path }: { readonly path: readonly string[] }) =>
    refusal('wrongSyntax', { field: path.join('.'), expected: 'another' });
  const Host = Type.Object({ host: Type.String(), ip: Type.Optional(Type.Array(Type.String())) });
  const shape = new SchemaValidator(Type.Object({ hosts: Type.Array(Host) }), refusalOf);
  const parse = (value: unknown) => {
    const { hosts } = value as { hosts: { host?: string; ip?: string[] }[] };
    const wrong = hosts.flatMap(({ host = '', ip = [] }, index) => [
      ...(host === 'good' ? [] : [`hosts.${index}.host`]),
      ...ip.flatMap((address, place) => (address === '::1' ? [] : [`hosts.${index}.ip.${place}`])),
    ]);
    return { refusals: wrong.map((field) => refusal('wrongSyntax', { field, expected: 'another' })) };
  };
  const hosts = [{ ip: ['x'] }, { host: 'bad' }, 5, { host: 'good', ip: ['x', 5, '::1'] }, { host: 'good' }];
  const refusals: NamedRefusal[] = [];
  readBody(shape, { hosts }, { isStrict: true, refusalOf, names: {} }, parse, refusals);
  expect(refusals.map(({ field }) => field)).toEqual([
    'hosts.0.host',
    'hosts.0.ip.0',
    'hosts.1.host',
    'hosts.2',
    'hosts.3.ip.0',
    'hosts.3.ip.1',
  ]);
});
