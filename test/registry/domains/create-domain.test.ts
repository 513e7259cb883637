import { describe, expect, test } from 'vitest';
import { keyIn } from '../../../src/doors/registrar-api/read-objects.ts';
import { ee } from '../../../src/policy/ee.ts';
import { WrongCode } from '../../../src/registry/access/wrong-transfer-codes.ts';
import { createDomain } from '../../../src/registry/domains/create-domain.ts';
import { type NewDomainText, parseNewDomain } from '../../../src/registry/domains/rules/parse-new-domain.ts';
import { monthsOf } from '../../../src/registry/domains/rules/periods.ts';
import {
  CHILD,
  contextOf,
  FIRM,
  type Found,
  JAAN,
  MARI,
  persons,
  refusalsOf,
  taken,
  withPolicy,
} from '../../support/decisions.ts';
import { hosts, KEY as SENT_KEY, OTHER_KEY as SENT_OTHER_KEY } from '../../support/domains.ts';

const KEY = keyIn(SENT_KEY);
const OTHER_KEY = keyIn(SENT_OTHER_KEY);

type Loaded = Parameters<typeof createDomain.decide>[0];
type State = Loaded['state'];
const many = persons(11);
const codes = many.map(({ code }) => code);
const FREE: State = {
  name: 'example.ee',
  registered: false,
  blocked: false,
  reservationCode: null,
  disputeCode: null,
};
const LOADED: Loaded = {
  state: FREE,
  wrongCodes: { count: 0, secondsLeft: null },
  contacts: [MARI, JAAN, FIRM, CHILD, ...many],
  price: '900',
  funds: { balance: '900', debt: '0' },

  transferCode: 'generated-code',
};

function decide(changes: Partial<NewDomainText> = {}, loaded: Partial<Loaded> = {}, context = contextOf()) {
  const text = { name: 'example.ee', registrant: 'mari', months: 12, ...changes };
  return createDomain.decide({ ...LOADED, ...loaded }, taken(parseNewDomain(text, ee)), context);
}
const state = (changes: Partial<State>): Partial<Loaded> => ({ state: { ...FREE, ...changes } });

const keys = (count: number) =>
  Array.from({ length: count }, (_, index) => ({
    ...KEY,
    publicKey: Buffer.alloc(64, index + 1).toString('base64'),
  }));
const NAMESERVERS = 'nameservers';
const KEYS = 'dnsKeys';

const REFUSED: readonly [string, Partial<NewDomainText>, Partial<Loaded>, Found][] = [
  ['a name that exists', {}, state({ registered: true }), ['nameTaken', 'name']],
  ['a blocked name', {}, state({ blocked: true }), ['nameBlocked', 'name']],
  ['a zone itself', { name: 'com.ee' }, state({ name: 'com.ee' }), ['nameBlocked', 'name']],
  ['an unknown registrant', { registrant: 'nobody' }, {}, ['bodyObjectMissing', 'registrant']],
  ['an unknown admin', { admins: ['mari', 'nobody'] }, {}, ['bodyObjectMissing', 'admins.1']],
  ['an unknown tech', { techs: ['nobody'] }, {}, ['bodyObjectMissing', 'techs.0']],
  ['a period without a price', { months: 132 }, { price: null }, ['noPrice', 'period']],
  ['an organisation as admin', { admins: ['firm'] }, {}, ['adminNotPerson', 'admins']],
  ['a minor as admin', { admins: ['child'] }, {}, ['adminTooYoung', 'admins']],
  ['an admin twice, ignoring case', { admins: ['mari', 'MARI'] }, {}, ['contactTwice', 'admins.1']],
  ['a tech twice', { techs: ['mari', 'mari'] }, {}, ['contactTwice', 'techs.1']],
  ['eleven admins', { admins: codes }, {}, ['tooMany', 'admins']],
  ['eleven techs', { techs: codes }, {}, ['tooMany', 'techs']],
  ['one nameserver', { nameservers: hosts('ns1.example.net') }, {}, ['nameserverCount', NAMESERVERS]],
  [
    'twelve nameservers',
    { nameservers: hosts(...Array.from({ length: 12 }, (_, i) => `ns${i}.example.net`)) },
    {},
    ['nameserverCount', NAMESERVERS],
  ],
  [
    'a nameserver twice',
    { nameservers: hosts('ns1.example.net', 'ns2.example.net', 'NS1.example.net.') },
    {},
    ['nameserverTaken', `${NAMESERVERS}.2.hostname`],
  ],
  [
    'a host below the domain without an address',
    { nameservers: hosts('ns.example.net', 'ns1.example.ee') },
    {},
    ['glueMissing', `${NAMESERVERS}.1`],
  ],
  ['ten keys', { dnsKeys: keys(10) }, {}, ['tooMany', KEYS]],
  ['a key twice', { dnsKeys: [KEY, KEY] }, {}, ['dnsKeyTaken', `${KEYS}.1.publicKey`]],
  ['a cent too little', {}, { funds: { balance: '899', debt: '0' } }, ['noFunds', null]],
  ['a debt of a cent', {}, { funds: { balance: '100000', debt: '1' } }, ['noFunds', null]],
];

describe('refusals of a registration', () => {
  test.each(REFUSED)('failure: %s', (_what, changes, loaded, expected) => {
    expect(refusalsOf(() => decide(changes, loaded))).toEqual([expected]);
  });

  test('failure: all of it at once, in the order of the document', () => {
    const changes = {
      dnsKeys: [KEY, KEY],
      nameservers: hosts('ns1.example.net'),
      techs: ['nobody'],
      admins: ['no one', 'firm'],
      registrant: 'unknown',
    };
    expect(refusalsOf(() => decide(changes, { ...state({ blocked: true }), price: null }))).toEqual([
      ['nameBlocked', 'name'],
      ['bodyObjectMissing', 'registrant'],
      ['noPrice', 'period'],
      ['bodyObjectMissing', 'admins.0'],
      ['adminNotPerson', 'admins'],
      ['bodyObjectMissing', 'techs.0'],
      ['nameserverCount', NAMESERVERS],
      ['dnsKeyTaken', `${KEYS}.1.publicKey`],
    ]);
  });

  test('failure: an admin is required of an organisation where the policy says so', () => {
    const required = withPolicy({ adminRequired: true });
    const refused = (changes: Partial<NewDomainText>) => refusalsOf(() => decide(changes, {}, required));
    expect(refused({ registrant: 'firm' })).toEqual([['adminRequired', 'admins']]);
    expect(refused({ registrant: 'firm', admins: ['mari'] })).toEqual([]);
    expect(refused({ registrant: 'mari' })).toEqual([]);
  });
});

describe('the codes of reserved and disputed names', () => {
  const reserved = state({ reservationCode: 'the code' });
  const disputed = state({ disputeCode: 'of the dispute' });
  const both = state({ reservationCode: 'the code', disputeCode: 'of the dispute' });
  const FIELD = 'reservationCode';

  test.each([
    ['a reserved name without it', reserved, undefined, [['reservationCodeMissing', FIELD]]],
    ['a reserved name with a wrong one', reserved, 'another', [['wrongCode', FIELD]]],
    ['a reserved name with it', reserved, 'the code', []],
    ['a disputed name without it', disputed, undefined, [['reservationCodeMissing', FIELD]]],
    ['a disputed name with it', disputed, 'of the dispute', []],
    ['a name that is both, with the code of the reservation', both, 'the code', [['wrongCode', FIELD]]],
    ['a name that is both, with the code of the dispute', both, 'of the dispute', []],
    ['a free name with a code that it does not need', {}, 'another', []],
    [
      'a registered name that is disputed',
      state({ registered: true, disputeCode: 'x' }),
      'y',
      [['nameTaken', 'name']],
    ],
  ])('success: %s', (_what, loaded, reservationCode, expected) => {
    const changes = reservationCode === undefined ? {} : { reservationCode };
    expect(refusalsOf(() => decide(changes, loaded))).toEqual(expected);
  });

  test('failure: a wrong code comes first and counts as a guess at the name', () => {
    const guess = () => decide({ reservationCode: 'another', registrant: 'nobody' }, reserved);
    expect(refusalsOf(guess)).toEqual([
      ['wrongCode', FIELD],
      ['bodyObjectMissing', 'registrant'],
    ]);
    expect(guess).toThrow(WrongCode);
  });

  test.each([
    ['nine wrong ones', 9, []],
    ['ten wrong ones', 10, [['tooManyWrongCodes', null]]],
  ])('failure: the right code after %s', (_what, count, expected) => {
    const wrongCodes = { count, secondsLeft: 100 };
    const refused = (loaded: Partial<Loaded>) =>
      refusalsOf(() => decide({ reservationCode: 'the code' }, { ...loaded, wrongCodes }));
    expect(refused(reserved)).toEqual(expected);
    expect(refused({})).toEqual([]);
  });
});

describe('the result of a registration', () => {
  test('success: one charge of the price; the code that was chosen, or the generated one', () => {
    const { charge, domain, answer } = decide();
    expect(charge).toEqual({ amount: 900n, operation: 'create', description: 'Create example.ee' });
    const result = { name: 'example.ee', isPending: false, charged: 900n };
    expect([answer, domain.transferCode]).toMatchObject([result, 'generated-code']);
    expect(decide({ transferCode: 'my-own-code' }).domain.transferCode).toBe('my-own-code');
  });

  test('success: ten admins, an organisation and a minor as tech contacts, nine keys, eleven nameservers', () => {
    const { domain } = decide({
      admins: codes.slice(1),
      techs: ['firm', 'child', 'mari'],
      nameservers: hosts(...Array.from({ length: 11 }, (_, i) => `ns${i}.example.net`)),
      dnsKeys: keys(9),
    });
    const inRole = (wanted: string) =>
      domain.contacts.filter(({ role }) => role === wanted).map(({ code }) => code);
    expect([inRole('admin'), inRole('tech')]).toEqual([codes.slice(1), ['firm', 'child', 'mari']]);
    expect([domain.nameservers.length, domain.dnsKeys.length]).toEqual([11, 9]);
  });

  test('success: the DS record is computed with the name in punycode', () => {
    const [key] = decide({ name: 'näide.ee', dnsKeys: [OTHER_KEY] }).domain.dnsKeys;
    const [same] = decide({ name: 'xn--nide-loa.ee', dnsKeys: [OTHER_KEY] }).domain.dnsKeys;
    const [other] = decide({ name: 'naide.ee', dnsKeys: [OTHER_KEY] }).domain.dnsKeys;
    expect(key).toEqual(same);
    expect(key?.digest).not.toBe(other?.digest);
  });

  test.each([
    ['2027-03-27T23:30:00+02:00', 1, 'y', '2028-03-28T00:00:00+03:00'],
    ['2027-03-27T23:30:00+02:00', 12, 'm', '2028-03-28T00:00:00+03:00'],
    ['2027-03-27T23:30:00+02:00', 3, 'm', '2027-06-28T00:00:00+03:00'],
    ['2027-11-30T12:00:00+02:00', 3, 'm', '2028-03-01T00:00:00+02:00'],
    ['2028-02-29T12:00:00+02:00', 1, 'y', '2029-03-01T00:00:00+02:00'],
  ])(
    'success: at %s for %d%s it expires at %s, the start of a day in Tallinn',
    (now, period, unit, expiry) => {
      const { domain } = decide(
        { months: monthsOf(period, unit === 'm' ? 'm' : 'y') },
        {},
        contextOf({ now: new Date(now) }),
      );
      expect(domain.expireTime).toEqual(new Date(expiry));
    },
  );
});
