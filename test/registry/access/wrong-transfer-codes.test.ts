import { describe, expect, test } from 'vitest';
import { ee } from '../../../src/policy/ee.ts';
import { requireRightCode, WrongCode } from '../../../src/registry/access/wrong-transfer-codes.ts';
import { contextOf, OTHER_REGISTRAR, OUR_REGISTRAR, refusalsOf } from '../../support/decisions.ts';

/** How guesses are counted, over HTTP: see the tests of transfers. */
describe('requireRightCode', () => {
  const LIMIT = ee.domains.wrongCodesPerHour;
  const context = contextOf();
  const domain = { name: 'example.ee', id: 1, transferCode: 'right' };
  const check = (code: string | undefined, count = 0, registrarId = OTHER_REGISTRAR) =>
    requireRightCode(
      { ...domain, registrarId, wrongCodes: { count, secondsLeft: count > 0 ? 60 : null } },
      code,
      context,
    );

  test('success: the right code, also after some wrong ones', () => {
    expect(refusalsOf(() => check('right'))).toEqual([]);
    expect(refusalsOf(() => check('right', LIMIT - 1))).toEqual([]);
  });

  test('success: the sponsor needs none', () => {
    expect(refusalsOf(() => check(undefined, LIMIT, OUR_REGISTRAR))).toEqual([]);
    expect(refusalsOf(() => check('wrong', LIMIT, OUR_REGISTRAR))).toEqual([]);
  });

  test('failure: none, which does not count; a wrong one, which does', () => {
    expect(refusalsOf(() => check(undefined))).toEqual([['codeMissing', 'transferCode']]);
    expect(() => check(undefined)).not.toThrow(WrongCode);
    expect(refusalsOf(() => check('wrong'))).toEqual([['wrongCode', 'transferCode']]);
    expect(() => check('wrong')).toThrow(WrongCode);
  });

  test.each(['right', 'wrong', undefined])('failure: after too many wrong ones, whether given %s', (code) => {
    expect(refusalsOf(() => check(code, LIMIT))).toEqual([['tooManyWrongCodes', null]]);
    expect(() => check(code, LIMIT)).not.toThrow(WrongCode);
  });
});
