import { describe, expect, test } from 'vitest';
import { WrongCode } from '../../../src/registry/access/wrong-transfer-codes.ts';
import type { Domain } from '../../../src/registry/domains/domain.ts';
import {
  checkTransfer,
  type TransferCandidate,
  transferredDomain,
} from '../../../src/registry/transfers/check-transfer.ts';
import { decideTransfers } from '../../../src/registry/transfers/transfer-many.ts';
import {
  byOther,
  CODE,
  contextOf,
  domainOf,
  FIRM,
  JAAN,
  linked,
  MARI,
  MARI_AGAIN,
  OTHER_REGISTRAR,
  OUR_REGISTRAR,
  persons,
  refusalsOf,
} from '../../support/decisions.ts';

/** A domain of our registrar, and the number of wrong codes that the requesting one has sent. */
const found = (changes: Partial<Domain> = {}, count = 0): TransferCandidate => ({
  domain: domainOf(changes),
  sponsorName: 'Alpha Registrar',
  sponsorCode: 'ALPHA',
  wrongCodes: { count, secondsLeft: 100 },
});
const [sponsor, otherRegistrar] = [contextOf(), byOther()];
const refused = (from: TransferCandidate, transferCode: string, context = otherRegistrar) =>
  refusalsOf(() => checkTransfer(from, { name: from.domain.name, transferCode }, context)).map(
    ([name]) => name,
  );

/** Statuses that prohibit it are tested in statuses.test.ts. */
describe('refusals of a transfer', () => {
  test.each([
    [CODE.toUpperCase()],
    [` ${CODE}`],
    [`${CODE} `],
    [CODE.slice(1)],
    [`${CODE}0`],
    [''],
    ['wrong'],
  ])('failure: the code "%s", whatever other refusal applies, also from the sponsor', (code) => {
    for (const statuses of [{}, { pendingDelete: '' }, { deleteCandidate: '' }])
      for (const context of [sponsor, otherRegistrar]) {
        const guess = () =>
          checkTransfer(found({ statuses }), { name: 'example.ee', transferCode: code }, context);
        expect(refusalsOf(guess)).toEqual([['wrongCode', 'transferCode']]);
        expect(guess).toThrow(WrongCode);
      }
  });

  test('failure: with the right code: its own domain, then one that is being deleted, then a status', () => {
    expect(refused(found(), CODE, sponsor)).toEqual(['alreadySponsor']);
    expect(refused(found({ statuses: { deleteCandidate: '' } }), CODE, sponsor)).toEqual(['alreadySponsor']);
    expect(refused(found({ statuses: { pendingDelete: '' } }), CODE, sponsor)).toEqual(['alreadySponsor']);
    const both = found({ statuses: { deleteCandidate: '', pendingDelete: '' } });
    expect(refused(both, CODE)).toEqual(['notTransferable']);
    expect(refused(found({ statuses: { pendingDelete: '' } }), CODE)).toEqual(['statusProhibits']);
  });

  test.each([
    [9, CODE, []],
    [9, 'wrong', ['wrongCode']],
    [10, CODE, ['tooManyWrongCodes']],
    [10, 'wrong', ['tooManyWrongCodes']],
  ])('failure: after %i wrong codes "%s" is answered %j', (count, code, expected) => {
    expect(refused(found({}, count), code)).toEqual(expected);
    expect(refused(found({}, count), 'wrong', sponsor)).toEqual(['wrongCode']);
  });

  test('success: despite a dispute, and with a code beyond ASCII', () => {
    expect(refused(found({ disputed: true }), CODE)).toEqual([]);
    expect(refused(found({ transferCode: 'šokolaad-ž' }), 'šokolaad-ž')).toEqual([]);
    expect(refused(found({ transferCode: 'šokolaad-ž' }), 'sokolaad-z')).toEqual(['wrongCode']);
  });
});

describe('many transfers in one request', () => {
  const domains = new Map(
    [
      found({ name: 'a.ee' }),
      found({ name: 'b.ee' }),
      found({ name: 'held.ee', statuses: { serverTransferProhibited: '' } }),
      found({ name: 'dying.ee', statuses: { deleteCandidate: '' } }),
      found({ name: 'own.ee', registrarId: OTHER_REGISTRAR }),
      found({ name: 'guessed.ee' }, 9),
    ].map((item) => [item.domain.name, item]),
  );
  const decide = (...requests: [name: string, code: string][]) => {
    const { accepted, failures } = decideTransfers(
      requests.map(([name, transferCode]) => ({ name, transferCode })),
      domains,
      otherRegistrar,
    );
    return {
      accepted: [...accepted.keys()],
      failed: failures.map(({ name, reason, wrongCode }) => [name, reason.name, wrongCode !== undefined]),
    };
  };

  test('success: each separately, in the order of the request', () => {
    expect(
      decide(
        ['a.ee', 'wrong'],
        ['b.ee', CODE],
        ['none.ee', CODE],
        ['held.ee', CODE],
        ['own.ee', CODE],
        ['dying.ee', CODE],
      ),
    ).toEqual({
      accepted: ['b.ee'],
      failed: [
        ['a.ee', 'wrongCode', true],
        ['none.ee', 'objectMissing', false],
        ['held.ee', 'statusProhibits', false],
        ['own.ee', 'alreadySponsor', false],
        ['dying.ee', 'notTransferable', false],
      ],
    });
  });

  test('failure: a name twice is transferred once', () => {
    expect(decide(['a.ee', CODE], ['a.ee', CODE], ['a.ee', 'wrong'])).toEqual({
      accepted: ['a.ee'],
      failed: [
        ['a.ee', 'domainTwice', false],
        ['a.ee', 'domainTwice', false],
      ],
    });
  });

  test('success: a name twice, first with a wrong code: the second is tried', () => {
    expect(decide(['a.ee', 'wrong'], ['a.ee', CODE])).toEqual({
      accepted: ['a.ee'],
      failed: [['a.ee', 'wrongCode', true]],
    });
  });

  test('failure: ten guesses in one request are ten guesses; the right code after them comes too late', () => {
    const guesses = Array.from({ length: 12 }, (_, index): [string, string] => ['a.ee', `guess ${index}`]);
    const { accepted, failed } = decide(...guesses, ['a.ee', CODE], ['b.ee', CODE]);
    expect(accepted).toEqual(['b.ee']);
    expect(failed.map(([, reason]) => reason)).toEqual([
      ...Array(10).fill('wrongCode'),
      ...Array(3).fill('tooManyWrongCodes'),
    ]);
  });

  test('failure: those of earlier requests count too', () => {
    expect(decide(['guessed.ee', 'wrong'], ['guessed.ee', CODE])).toEqual({
      accepted: [],
      failed: [
        ['guessed.ee', 'wrongCode', true],
        ['guessed.ee', 'tooManyWrongCodes', false],
      ],
    });
  });
});

describe('a transferred domain', () => {
  const [copy, other] = persons(2);
  if (!copy || !other) throw new Error('no copies');
  const contacts = [
    linked(MARI, 'admin'),
    linked(MARI, 'tech'),
    linked(MARI_AGAIN, 'tech'),
    linked(JAAN, 'tech'),
  ];
  const copies = new Map([
    [MARI.id, copy],
    [MARI_AGAIN.id, copy],
    [JAAN.id, other],
  ]);

  test('success: has another sponsor and code, and its contacts are copied; two equal ones become one', () => {
    const { before, after } = transferredDomain(found({ contacts }), copies, 'another-code', otherRegistrar);
    expect(after).toEqual({
      ...before,
      registrarId: OTHER_REGISTRAR,
      transferCode: 'another-code',
      registrant: copy,
      contacts: [linked(copy, 'admin'), linked(copy, 'tech'), linked(other, 'tech')],
    });
  });

  test('success: both registrars are notified, the losing one with its former contacts', () => {
    const tell = (item: TransferCandidate) =>
      transferredDomain(item, copies, 'x', otherRegistrar).messages?.map(({ registrarId, text }) => [
        registrarId,
        text,
      ]);
    expect(tell(found({ contacts }))).toEqual([
      [
        OUR_REGISTRAR,
        'Domain example.ee was transferred to Beta Registrar; its registrant was mari, its contacts mari, mari-again, jaan',
      ],
      [OTHER_REGISTRAR, 'Domain example.ee was transferred to you from Alpha Registrar'],
    ]);
    expect(tell(found())?.[0]?.[1]).toMatch(/its contacts none$/);
  });

  test('failure: a contact that was not taken over is a fault of ours', () => {
    const domain = found({ registrant: FIRM });
    expect(() => transferredDomain(domain, copies, 'x', otherRegistrar)).toThrow('was not taken over');
  });
});
