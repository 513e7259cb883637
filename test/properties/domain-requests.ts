import fc from 'fast-check';
import { ee } from '../../src/policy/ee.ts';
import { dayOf, firstExpiry } from '../../src/registry/domains/rules/periods.ts';
import { KEY, OTHER_KEY } from '../support/domains.ts';
import { type Call, call, header, requestsOf } from './any-request.ts';
import { alphaCodes, betaCodes } from './contact-requests.ts';
import { escaped, junk, mostly } from './strange-values.ts';

/** Domains that exist before the run; the others are made by the run itself. */
export const alphaNames = ['fuzz-alpha-1.ee', 'fuzz-alpha-2.ee', 'õun-alpha.pri.ee'];
export const betaNames = ['fuzz-beta-1.ee', 'fuzz-beta-2.ee'];
/** Every transfer code that a request chooses begins like this, followed by its caller. */
export const CHOSEN = 'chosen-by-';

/** With many parts, each must be valid more often than elsewhere, or hardly any request would be valid. */
const likely = <T>(valid: fc.Arbitrary<T>) => mostly(valid, 25);

const name = fc.oneof(
  fc.constantFrom('fuzz-CALLER-1.ee', 'fuzz-CALLER-2.ee'),
  fc.constantFrom(...alphaNames, ...betaNames, 'FUZZ-Alpha-1.EE', 'xn--un-alpha-85a.pri.ee'),
  fc.integer({ min: 1, max: 40 }).map((n) => `fuzz-made-${n}.ee`),
  fc.constantFrom('reserved.ee', 'blocked.ee', 'ee', 'com.ee', 'deep.fuzz.ee', 'fuzz.com', 'ab--cd.ee'),
);
const code = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom('fuzz-CALLER-1', 'FUZZ-CALLER-2') },
  { weight: 1, arbitrary: fc.constantFrom(...alphaCodes, ...betaCodes) },
);
const transferCode = fc.integer({ min: 1, max: 5 }).map((n) => `${CHOSEN}CALLER-${n}`);
const host = fc.oneof(
  fc.integer({ min: 1, max: 5 }).map((n) => `ns${n}.fuzz.example`),
  fc.constantFrom('ns1.fuzz-alpha-1.ee', 'NS1.Fuzz.Example.', 'ns1.õun-alpha.pri.ee', 'fuzz-alpha-1.ee'),
);
const addresses = (...valid: string[]) =>
  likely(fc.array(likely(fc.constantFrom(...valid)), { maxLength: 3 }));
const nameserver = fc.record(
  {
    hostname: likely(host),
    ipv4: addresses('192.0.2.1', '192.0.2.2'),
    ipv6: addresses('2001:db8::1', '2001:DB8::2'),
    surplus: junk,
  },
  { requiredKeys: ['hostname'] },
);
const key = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(KEY, OTHER_KEY) as fc.Arbitrary<unknown> },
  {
    weight: 1,
    arbitrary: fc.record({
      flags: likely(fc.constantFrom('257', 256)),
      protocol: likely(fc.constantFrom('3', 3)),
      alg: likely(fc.constantFrom('13', 8, '15')),
      public_key: likely(fc.constantFrom(KEY.public_key, OTHER_KEY.public_key, 'AwEAAQ==')),
    }),
  },
);
const listOf = <T>(item: fc.Arbitrary<T>, maxLength: number) => likely(fc.array(likely(item), { maxLength }));
const period = likely(fc.constantFrom(1, 2, 3, 6, 12, 0, -1, 99));
const unit = likely(fc.constantFrom('y', 'm'));

/** One that is valid if its name is free and its contact the caller's; and one of arbitrary values. */
const plain = fc.record({
  name,
  registrant: code,
  period: fc.constant(1),
  period_unit: fc.constant('y'),
  transfer_code: transferCode,
});
const arbitraryDomain = fc.record(
  {
    name: likely(name),
    registrant: likely(code),
    period,
    period_unit: unit,
    transfer_code: likely(transferCode),
    reserved_pw: likely(fc.constantFrom('reserved-sandbox-code', 'guess')),
    admin_contacts: listOf(code, 4),
    tech_contacts: listOf(code, 4),
    nameservers_attributes: listOf(nameserver, 4),
    dnskeys_attributes: listOf(key, 3),
    PROTO: junk,
    surplus: junk,
  },
  { requiredKeys: ['name', 'registrant', 'period', 'period_unit'] },
);
const inside = (member: string, value: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> =>
  fc.oneof(
    { weight: 25, arbitrary: value.map((item) => ({ [member]: item })) },
    { weight: 1, arbitrary: fc.record({ [member]: junk, more: junk }) },
    { weight: 1, arbitrary: junk },
  );
const newDomain = inside('domain', fc.oneof(plain, likely(arbitraryDomain)));
const update = inside(
  'domain',
  fc.record(
    {
      registrant: likely(fc.record({ code: likely(code), verified: likely(fc.boolean()) })),
      transfer_code: likely(transferCode),
    },
    { requiredKeys: [] },
  ),
);
const deletion = inside(
  'domain',
  likely(fc.record({ delete: likely(fc.record({ verified: likely(fc.boolean()) })) })),
);
const roles = inside(
  'contacts',
  listOf(fc.record({ code: likely(code), type: likely(fc.constantFrom('admin', 'tech')) }), 3),
);

/** What a domain expires on after one, two or three years. */
const now = new Date();
const expiries = [12, 24, 36].map((months) => dayOf(firstExpiry(now, months, ee), ee));
const renewal = inside(
  'renews',
  fc.record({ period, period_unit: unit, exp_date: likely(fc.constantFrom(...expiries, '2026-02-30')) }),
);
const bulk = fc.record({
  domains: mostly(fc.array(mostly(name), { maxLength: 4 })),
  renew_period: likely(fc.constantFrom('1y', '3m', '10y', '2m')),
});
/** Some of the codes chosen by the other registrar are right. */
const known = fc.constantFrom(
  ...['alpha', 'beta'].flatMap((who) => [1, 2, 3].map((n) => `${CHOSEN}${who}-${n}`)),
);
const transfer = inside('transfer', likely(fc.record({ transfer_code: likely(known) })));
const transfers = inside(
  'data',
  likely(
    fc.record({
      domain_transfers: listOf(fc.record({ domain_name: likely(name), transfer_code: likely(known) }), 4),
    }),
  ),
);
const techs = likely(fc.record({ current_contact_id: likely(code), new_contact_id: likely(code) }));
const replacement = inside(
  'data',
  fc.record(
    {
      type: likely(fc.constant('nameserver')),
      id: likely(host),
      domains: listOf(name, 4),
      attributes: likely(nameserver),
    },
    { requiredKeys: ['type', 'id', 'attributes'] },
  ),
);
const reading = inside('notification', likely(fc.record({ read: likely(fc.constant(true)) })));

const pathName = fc.oneof(
  { weight: 8, arbitrary: name.map(encodeURIComponent) },
  { weight: 1, arbitrary: escaped },
);
const of = (rest: string) => pathName.map((text) => `/domains/${text}${rest}`);
const ofHost = fc
  .tuple(of('/nameservers/'), fc.oneof(host.map(encodeURIComponent), escaped))
  .map((both) => both.join(''));
const ofStatus = fc
  .tuple(of('/statuses/'), fc.oneof(fc.constantFrom('clientHold', 'serverHold', 'ok'), escaped))
  .map((both) => both.join(''));
const message = fc
  .oneof(fc.integer({ min: 1, max: 12 }).map(String), escaped)
  .map((id) => `/registrar/notifications/${id}`);
const at = (path: string) => fc.constant(path);

/** Each call of the document with its weight; the last are paths and methods that do not fit. */
const calls: fc.Arbitrary<Call> = fc.oneof(
  ...(
    [
      [10, call('POST', at('/domains'), newDomain)],
      [2, call('GET', at('/domains'))],
      [3, call('GET', of(''))],
      [
        1,
        call(
          'GET',
          pathName.map((text) => `/domains/check/${text}`),
        ),
      ],
      [4, call('PUT', of(''), update)],
      [1, call('DELETE', of(''), deletion)],
      [1, call('GET', of('/contacts'))],
      [2, call('POST', of('/contacts'), roles)],
      [2, call('DELETE', of('/contacts'), roles)],
      [1, call('GET', of('/nameservers'))],
      [3, call('POST', of('/nameservers'), inside('nameservers', listOf(nameserver, 4)))],
      [1, call('DELETE', of('/nameservers'))],
      [1, call('DELETE', ofHost)],
      [1, call('GET', of('/dnssec'))],
      [2, call('POST', of('/dnssec'), inside('dns_keys', listOf(key, 3)))],
      [1, call('DELETE', of('/dnssec'), inside('dns_keys', listOf(key, 3)))],
      [2, call('PUT', ofStatus)],
      [2, call('DELETE', ofStatus)],
      [3, call('POST', of('/renew'), renewal)],
      [2, call('POST', at('/domains/renew/bulk'), likely(bulk))],
      [1, call('GET', of('/transfer_info'))],
      [3, call('POST', of('/transfer'), transfer)],
      [2, call('POST', at('/domains/transfer'), transfers)],
      [1, call('PATCH', at('/domains/contacts'), techs)],
      [2, call('PUT', at('/registrar/nameservers'), replacement)],
      [2, call('GET', at('/accounts/balance'))],
      [1, call('GET', at('/registrar/notifications'))],
      [1, call('GET', at('/registrar/notifications/all_notifications'))],
      [1, call('GET', message)],
      [2, call('PUT', message, reading)],
      [
        2,
        fc.record({
          method: fc.constantFrom('GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'HEAD'),
          path: fc.oneof(at('/domains'), of(''), of('/renew'), message, of('/statuses/clientHold/more')),
          value: newDomain,
        }),
      ],
    ] as const
  ).map(([weight, arbitrary]) => ({ weight, arbitrary })),
);
const pair = fc.oneof(
  fc.constantFrom(
    'limit=5',
    'limit=0',
    'offset=2',
    'offset=1000000000',
    'q=FUZZ',
    'q=%C3%B5',
    'details=true',
  ),
  fc.constantFrom(
    'sort=-name',
    'sort=expire_time',
    'sort=-created_at',
    'detailed=true',
    'detailed=1',
    'simple=true',
  ),
  fc.constantFrom(
    'from=2026-01-01',
    'until=2026-02-30',
    'until=9999-12-31',
    'from=0001-01-01',
    'from=',
    '__proto__=1',
  ),
  fc
    .tuple(fc.oneof(fc.constantFrom('q', 'limit', 'sort', 'from', 'until', 'detailed'), escaped), escaped)
    .map((both) => both.join('=')),
);

export const domainRequests = requestsOf({
  calls,
  pair,
  headers: [header('Auth-Code', `${CHOSEN}alpha-1`, `${CHOSEN}beta-2`, 'guessed-code', '')],
});
