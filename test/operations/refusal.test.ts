import { describe, expect, test } from 'vitest';
import { defineRefusals, type Refusal, Refused, requireNone } from '../../src/operations/refusal.ts';
import { catalogues } from '../docs/generated-pages.ts';

const { refusal, refuse } = defineRefusals({
  plain: { code: 2306, kind: 'rule', text: 'Not so', when: 'never' },
  slow: { code: 2502, kind: 'limited', text: 'Wait {seconds} s', when: 'never' },
  named: { code: 2005, kind: 'syntax', text: '{field} must be {expected}', when: 'never' },
});

describe('the catalogues', () => {
  test('success: a name is in one catalogue only', () => {
    const names = catalogues.flatMap(({ catalogue }) => Object.keys(catalogue));
    expect(names.length).toBeGreaterThan(100);
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
  });

  test('success: every code is one of the EPP family', () => {
    const codes = catalogues.flatMap(({ catalogue }) => Object.values(catalogue).map(({ code }) => code));
    expect(codes.filter((code) => code < 2000 || code > 2599)).toEqual([]);
  });
});

describe('a refusal', () => {
  test('success: has the text of the catalogue with the values in place of the placeholders', () => {
    expect(refusal('named', { field: 'name', expected: 'a text' })).toMatchObject({
      ...{ name: 'named', code: 2005, kind: 'syntax', field: 'name', message: 'name must be a text' },
    });
    expect(refusal('plain')).toMatchObject({ message: 'Not so', field: null });
  });

  test('success: seconds in its text set Retry-After', () => {
    expect(refusal('slow', { seconds: 7 })).toMatchObject({ message: 'Wait 7 s', retryAfterSeconds: 7 });
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
