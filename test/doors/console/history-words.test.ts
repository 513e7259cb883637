import { globSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { changedFields } from '../../../src/doors/console/history/changed-fields.ts';
import { operationWords } from '../../../src/doors/console/history/operation-words.ts';
import type { Visit } from '../../../src/doors/console/console-page.ts';
import type { Language } from '../../../src/doors/html/layout.ts';
import { policy } from '../../../src/policy/installed.ts';
import { storedStatuses } from '../../../src/registry/domains/rules/domain-statuses.ts';

/** The operations that sources name, of objects that belong to registrars. */
const SOURCES = [
  'src/registry/{bulk-jobs,certificates,contacts,domains,events,lifecycle,people,registrars}/**/*.ts',
  'src/registry/{requests,sessions,transfers,users,webhooks}/**/*.ts',
  'src/registry/names/*dispute*.ts',
  'src/billing/{invoices,payments}/**/*.ts',
];
/** Of certificate authorities and of the whole installation. */
const OF_THE_REGISTRY = ['trust', 'retire', 'sign revocation list', 'reconcile payments', 'custom'];
const NAMED =
  /(?:operation(?::| =)|recordPersonChange\(|recordMembershipChange\(|OPERATION =)\s*'([a-z][\w -]+)'/g;

const operations = new Set(
  SOURCES.flatMap((pattern) => globSync(pattern))
    .flatMap((file) => [...readFileSync(file, 'utf8').matchAll(NAMED)])
    .map(([, operation = '']) => operation),
);
for (const other of OF_THE_REGISTRY) operations.delete(other);
/** Those that sources put together. */
const COMPOSED = [
  ...storedStatuses.flatMap((status) => [`set ${status}`, `cancel ${status}`, `remove ${status}`]),
  ...['confirmed', 'rejected', 'lapsed', 'failed', 'withdraw', 'ask again for'].flatMap((verb) => [
    `${verb} registrant change`,
    `${verb} deletion`,
  ]),
  ...['allow', 'disallow'].flatMap((verb) => [`${verb} addresses`, `${verb} console addresses`]),
  'add nameserver',
  'replace nameserver',
  'roles',
  'roles epp, billing',
  'enable',
  'disable',
  'suspend',
  'activate',
  'update by registrant',
  'log in by password and code',
];

const LANGUAGES: readonly Language[] = ['en', 'et'];

describe('operations of history', () => {
  test('success: the sources name them', () => {
    expect(operations.size).toBeGreaterThan(60);
  });

  test.each([...new Set([...operations, ...COMPOSED])])('success: %s has words', (operation) => {
    for (const lang of LANGUAGES)
      expect(operationWords('domain', operation, lang), `${lang}: ${operation}`).not.toBe(undefined);
  });

  test('failure: one of a later version has none', () => {
    for (const operation of ['teleport', 'set clientTeleport', 'toString'])
      expect(operationWords('domain', operation, 'en')).toBe(undefined);
  });
});

const visit = (lang: Language, mayChange = true): Visit =>
  ({ lang, may: (right: string) => right !== 'objects' || mayChange }) as unknown as Visit;
const NAMES = new Map([['A:1', 'Õie Saar']]);
type Snapshot = Readonly<Record<string, unknown>>;
const told = (before: Snapshot, after: Snapshot, lang: Language = 'en', mayChange = true) =>
  changedFields(before, after, {
    visit: visit(lang, mayChange),
    policy,
    contactNames: NAMES,
    toldStatus: undefined,
  }).map(String);
const words = (...asked: Parameters<typeof told>) =>
  told(...asked).map((sentence) => sentence.replaceAll(/<[^>]*>/g, '').replaceAll('&quot;', '"'));

describe('changed fields', () => {
  test.each<[string, unknown, unknown, string]>([
    [
      'expire_time',
      '2026-11-18T22:00:00.000Z',
      '2027-11-18T22:00:00.000Z',
      'Expires: 19 Nov 2026 → 19 Nov 2027',
    ],
    ['outzone_at', null, '2027-01-03T22:00:00.000Z', 'Leaves the zone: 4 Jan 2027'],
    ['outzone_at', '2027-01-03T22:00:00.000Z', null, 'Leaves the zone: 4 Jan 2027 → none'],
    ['delete_date', '2027-02-18', '2027-02-20', 'Will be deleted: 18 Feb 2027 → 20 Feb 2027'],
    ['registrant', 'A:1', 'A:2', 'Registrant: Õie Saar (A:1) → A:2'],
    [
      'tech_contacts',
      ['A:1', 'A:2'],
      ['A:2', 'A:3'],
      'Technical contacts: added A:3; removed Õie Saar (A:1)',
    ],
    ['statuses', {}, { serverHold: 'court order' }, 'Status: added On hold by the registry (court order)'],
    ['statuses', { clientHold: '' }, { later: '' }, 'Status: added later; removed On hold by you'],
    [
      'nameservers',
      [{ hostname: 'ns1.a.ee', ipv4: ['192.0.2.1'], ipv6: [] }],
      [{ hostname: 'ns1.a.ee', ipv4: ['192.0.2.2'], ipv6: ['2001:db8::1'] }],
      'Nameservers: added ns1.a.ee (192.0.2.2, 2001:db8::1); removed ns1.a.ee (192.0.2.1)',
    ],
    [
      'dnssec_keys',
      [],
      [{ flags: 257, protocol: 3, alg: 13, public_key: 'mdsswUyr3DPW132mOi8V9xESWE8jTo0d' }],
      'DNSSEC keys: added 257 13 mdsswUyr3DPW…',
    ],
    ['email', 'old@example.ee', 'new@example.ee', 'Email address: old@example.ee → new@example.ee'],
    ['disclosed_attributes', undefined, ['email'], 'The public may see: added Email address'],
    [
      'address',
      { street: ['Pikk 1'], city: 'Tartu', country_code: 'EE' },
      { city: 'Riga', postal_code: '1010', country_code: 'LV' },
      'Postal address: Pikk 1, Tartu, Estonia → Riga, 1010, Latvia',
    ],
    [
      'ident',
      { code: '38001085718', type: 'priv', country_code: 'EE' },
      { code: '12345678', type: 'org', country_code: 'EE' },
      'Identification: 38001085718 (priv, EE) → 12345678 (org, EE)',
    ],
  ])('success: %s', (name, before, after, sentence) => {
    expect(words({ [name]: before }, { [name]: after })).toEqual([sentence]);
    expect(words({ [name]: before }, { [name]: after }, 'et')).toHaveLength(1);
  });

  test('success: a forced deletion by its dates and reason, without the marks of the registry', () => {
    const order = { kind: 'soft', reason: 'wrong data', start: '2027-01-01', date: '2027-02-15' };
    const marks = { added: ['serverForceDelete'], taken: {}, warned: false, held: false };
    expect(words({}, { force_delete: { ...order, ...marks } })).toEqual([
      'Forced deletion: at the end of the registration year',
      'Reason of the forced deletion: wrong data',
      'Forced deletion from: 1 Jan 2027',
      'Will be deleted by force: 15 Feb 2027',
    ]);
    const before = { force_delete: { ...order, ...marks }, hold_causes: ['registry'] };
    expect(words(before, { force_delete: { ...order, ...marks, warned: true } })).toEqual([]);
  });

  test('success: exact times, codes of statuses and whole keys are on hover', () => {
    const [sentence = ''] = told({ outzone_at: null }, { outzone_at: '2027-01-03T22:00:00.000Z' });
    expect(sentence).toMatch(/<time datetime="2027-01-03T22:00:00.000Z" title="4 January 2027[^"]+">/);
    const [status = ''] = told({ statuses: {} }, { statuses: { clientHold: '' } });
    expect(status).toContain('<span title="clientHold">On hold by you</span>');
  });

  test('success: the status that an operation is named after is told once', () => {
    const reader = { visit: visit('en'), policy, contactNames: NAMES, toldStatus: 'clientHold' };
    expect(changedFields({ statuses: {} }, { statuses: { clientHold: '' } }, reader)).toEqual([]);
  });

  test('success: who may not change contacts reads no personal codes', () => {
    const ident = (code: unknown) => ({ ident: { code, type: 'priv', country_code: 'EE' } });
    expect(words(ident('38001085718'), ident('49002124277'), 'en', false)).toEqual([
      'Identification: ••• (priv, EE) → ••• (priv, EE)',
    ]);
    expect(words(ident('38001085718'), ident(7), 'en', false).join('')).not.toContain('"code"');
  });

  test('failure: fields and values of a later version are shown as they are stored', () => {
    expect(told({ shade: 'red' }, { shade: { r: 1 } })).toEqual([
      '<code>shade</code>: <bdi>red</bdi> → <bdi>{&quot;r&quot;:1}</bdi>',
    ]);
    expect(
      words({ expire_time: 'soon', delete_date: 'then' }, { expire_time: 'late', delete_date: 7 }),
    ).toEqual(['Expires: soon → late', 'Will be deleted: then → 7']);
    expect(words({ nameservers: [] }, { nameservers: ['ns1', 2] })).toEqual(['Nameservers: added "ns1", 2']);
    expect(words({ address: null, dnssec_keys: 1 }, { address: 'x', dnssec_keys: [{}] })).toEqual([
      'Postal address: "x"',
      'DNSSEC keys: added {}',
    ]);
    expect(
      changedFields(
        null,
        { name: 'a' },
        { visit: visit('en'), policy, contactNames: NAMES, toldStatus: undefined },
      ),
    ).toEqual([]);
  });
});
