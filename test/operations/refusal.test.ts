import { globSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { defineNamedRefusals, type Names, nameRefusal, naming } from '../../src/operations/named-refusal.ts';
import {
  type Catalogue,
  defineRefusals,
  type Refusal,
  Refused,
  requireNone,
} from '../../src/operations/refusal.ts';
import { catalogue as operators } from '../../src/registry/operator-refusals.ts';
import { catalogues, operatorCatalogues } from '../docs/generated-pages.ts';
import { ROOT } from '../docs/markdown.ts';

const catalogue = {
  plain: { code: 2306, kind: 'rule', text: 'Not so', when: 'never' },
  slow: { code: 2502, kind: 'limited', text: 'Wait {seconds} s', when: 'never' },
  named: { code: 2005, kind: 'syntax', text: '{field} must be {expected}, not the {member}', when: 'never' },
} as const satisfies Catalogue;
type Place = readonly ['name'] | readonly ['hosts', number, 'addresses', number];
const maker = defineRefusals<typeof catalogue, Place>(catalogue);
const refusal = maker.refusal;
const refuse: typeof maker.refuse = maker.refuse;

describe('the catalogues', () => {
  const all = [...operatorCatalogues, ...catalogues.map((each) => each.catalogue)];

  test('success: a name is in one catalogue only', () => {
    const names = all.flatMap((each) => Object.keys(each));
    expect(names.length).toBeGreaterThan(100);
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
  });

  test('success: no object of operators has a name that another has', async () => {
    const files = globSync('src/registry/*/*-operator-refusals.ts', { cwd: ROOT });
    const modules: Readonly<Record<string, Catalogue>>[] = await Promise.all(
      files.map((file) => import(path.join(ROOT, file))),
    );
    const names = modules.flatMap((each) => Object.values(each)).flatMap((each) => Object.keys(each));
    expect(names.toSorted()).toEqual(Object.keys(operators).toSorted());
  });

  test('success: every code is one of the EPP family', () => {
    const codes = all.flatMap((each) => Object.values(each).map(({ code }) => code));
    expect(codes.filter((code) => code < 2000 || code > 2599)).toEqual([]);
  });
});

describe('a refusal', () => {
  test('success: carries the text of the catalogue, its values and its place', () => {
    const { name, text, at, values } = refusal('named', { at: ['name'], expected: 'a text' });
    expect([name, text, at, values]).toEqual([
      'named',
      catalogue.named.text,
      ['name'],
      { expected: 'a text' },
    ]);
    expect(refusal('plain')).toMatchObject({ at: null, values: {} });
  });

  test('success: seconds in its text set Retry-After', () => {
    expect(refusal('slow', { seconds: 7 })).toMatchObject({ values: { seconds: 7 }, retryAfterSeconds: 7 });
    expect(refusal('plain')).not.toHaveProperty('retryAfterSeconds');
  });

  test('failure: thrown alone, or with all others; without any nothing is thrown', () => {
    expect(() => refuse('plain')).toThrow(new Refused(refusal('plain')));
    const both = [refusal('plain'), refusal('slow', { seconds: 1 })];
    expect(() => requireNone(both)).toThrow(expect.objectContaining({ refusals: both, message: 'Not so' }));
    expect(() => requireNone([])).not.toThrow();
  });

  test('failure: thrown with more others than a call may have arguments', () => {
    const many = new Array<Refusal>(500_000).fill(refusal('plain'));
    expect(() => requireNone(many)).toThrow(Refused);
  });
});

describe('a refusal in the words of an interface', () => {
  const names: Names<Place> = { name: 'domain.name', 'hosts.#.addresses.#': 'domain.hosts.#.ip.#' };

  test('success: its place has the name of the table, with its positions', () => {
    expect(nameRefusal(refusal('named', { at: ['name'], expected: 'a text' }), names)).toMatchObject({
      field: 'domain.name',
      message: 'domain.name must be a text, not the name',
    });
    const address = refusal('named', { at: ['hosts', 2, 'addresses', 0], expected: 'one' });
    expect(nameRefusal(address, names)).toMatchObject({
      field: 'domain.hosts.2.ip.0',
      message: 'domain.hosts.2.ip.0 must be one, not the ip',
    });
  });

  test('success: values of clients are no placeholders, and are not renamed', () => {
    const { message } = nameRefusal(refusal('named', { at: ['name'], expected: '{field} name' }), names);
    expect(message).toBe('domain.name must be {field} name, not the name');
  });

  test('success: without a place it has a text only; one of the interface itself stays as it is', () => {
    expect(nameRefusal(refusal('plain'), {})).toMatchObject({ field: null, message: 'Not so' });
    const own = defineNamedRefusals(catalogue).refusal('named', { field: 'x.y', expected: 'one' });
    expect(nameRefusal(own, {})).toBe(own);
    expect(own.message).toBe('x.y must be one, not the y');
  });

  test('failure: a place that the table does not have is a fault of ours', () => {
    expect(() => nameRefusal(refusal('named', { at: ['name'], expected: 'a text' }), {})).toThrow(
      'the interface has no name for name',
    );
  });

  test('success: what is thrown meanwhile is named; other errors pass', async () => {
    const named = naming(names, async () => refuse('named', { at: ['name'], expected: 'a text' }));
    await expect(named).rejects.toThrow('domain.name must be a text');
    await expect(naming(names, () => Promise.reject(new Error('another')))).rejects.toThrow('another');
  });
});
