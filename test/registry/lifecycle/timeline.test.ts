import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { alpha, type Client } from '../../support/client.ts';
import { hosts, Registrant } from '../../support/domains.ts';
import { moveClock, takeMessageTypes } from '../../support/life.ts';
import { startRegistry, type TestRegistry } from '../../support/registry.ts';

type Seen = {
  readonly statuses?: readonly string[];
  readonly expire_time?: string;
  readonly outzone_at?: string | null;
  readonly delete_date?: string | null;
  readonly messages?: readonly string[];
  readonly gone?: true;
};

/**
 * The life of a domain that nobody renews: registered on `registered`, and what is seen at each moment (in the
 * registry's zone) that the clock is set to. Daylight saving begins on the last Sunday of March, ends on that of October.
 */
const LIVES = [
  {
    name: 'an ordinary year',
    registered: '2030-01-10T12:00:00+02:00',
    period: { period: 1, period_unit: 'y' },
    expiry: '2031-01-11T00:00:00+02:00',
    seen: [
      ['2031-01-10T23:59:00+02:00', { statuses: ['ok'], outzone_at: null, delete_date: null }],
      [
        '2031-01-11T00:00:00+02:00',
        {
          statuses: ['expired'],
          outzone_at: '2031-01-26T00:00:00.000+02:00',
          delete_date: '2031-02-25',
          messages: ['expired'],
        },
      ],
      ['2031-01-25T23:59:00+02:00', { statuses: ['expired'], messages: [] }],
      ['2031-01-26T00:00:00+02:00', { statuses: ['expired', 'serverHold'], messages: ['outzoned'] }],
      ['2031-02-24T23:59:00+02:00', { statuses: ['expired', 'serverHold'], messages: [] }],
      [
        '2031-02-25T00:00:00+02:00',
        { statuses: ['deleteCandidate', 'expired', 'serverHold'], messages: ['delete_candidate'] },
      ],
      ['2031-02-26T00:00:00+02:00', { gone: true, messages: ['deleted'] }],
    ],
  },
  {
    name: 'over the beginning of summer time',
    registered: '2031-03-01T09:00:00+02:00',
    period: { period: 1, period_unit: 'y' },
    expiry: '2032-03-02T00:00:00+02:00',
    seen: [
      [
        '2032-03-02T00:00:00+02:00',
        { outzone_at: '2032-03-17T00:00:00.000+02:00', delete_date: '2032-04-16', messages: ['expired'] },
      ],
      ['2032-04-15T23:59:00+03:00', { statuses: ['expired', 'serverHold'], messages: ['outzoned'] }],
      ['2032-04-16T00:00:00+03:00', { statuses: ['deleteCandidate', 'expired', 'serverHold'] }],
      ['2032-04-17T00:00:00+03:00', { gone: true }],
    ],
  },
  {
    name: 'with the outzone behind the change to summer time',
    registered: '2032-12-20T09:00:00+02:00',
    period: { period: 3, period_unit: 'm' },
    expiry: '2033-03-21T00:00:00+02:00',
    seen: [
      [
        '2033-03-21T00:00:00+02:00',
        { outzone_at: '2033-04-05T00:00:00.000+03:00', delete_date: '2033-05-05' },
      ],
      ['2033-04-04T23:59:00+03:00', { statuses: ['expired'] }],
      ['2033-04-05T00:00:00+03:00', { statuses: ['expired', 'serverHold'] }],
    ],
  },
  {
    name: 'over the end of summer time',
    registered: '2033-07-20T10:00:00+03:00',
    period: { period: 3, period_unit: 'm' },
    expiry: '2033-10-21T00:00:00+03:00',
    seen: [
      ['2033-10-20T23:59:00+03:00', { statuses: ['ok'] }],
      [
        '2033-10-21T00:00:00+03:00',
        { outzone_at: '2033-11-05T00:00:00.000+02:00', delete_date: '2033-12-05' },
      ],
      ['2033-11-04T23:59:00+02:00', { statuses: ['expired'] }],
      ['2033-11-05T00:00:00+02:00', { statuses: ['expired', 'serverHold'] }],
    ],
  },
  {
    name: 'registered on a leap day',
    registered: '2036-02-29T12:00:00+02:00',
    period: { period: 1, period_unit: 'y' },
    expiry: '2037-03-01T00:00:00+02:00',
    seen: [
      ['2037-02-28T23:59:00+02:00', { statuses: ['ok'] }],
      [
        '2037-03-01T00:00:00+02:00',
        { outzone_at: '2037-03-16T00:00:00.000+02:00', delete_date: '2037-04-15' },
      ],
      ['2037-04-16T00:00:00+03:00', { gone: true }],
    ],
  },
  {
    name: 'expiring just before a leap day',
    registered: '2039-02-26T12:00:00+02:00',
    period: { period: 1, period_unit: 'y' },
    expiry: '2040-02-27T00:00:00+02:00',
    seen: [
      [
        '2040-02-27T00:00:00+02:00',
        { outzone_at: '2040-03-13T00:00:00.000+02:00', delete_date: '2040-04-12' },
      ],
    ],
  },
] as const;

let registry: TestRegistry;
let client: Client;
beforeAll(async () => {
  registry = await startRegistry();
  client = alpha(registry.url);
});
afterAll(async () => {
  expect(registry.logged()).not.toContain('job failed');
  await registry.stop();
});

/** Contacts of the earlier cases are archived meanwhile, which is tested elsewhere. */
const typesOfDomain = async () =>
  (await takeMessageTypes(client)).filter((type) => type !== 'contact_archived');
const setClock = (moment: string) => moveClock(registry, { set: moment });

describe('the life of a domain that nobody renews', () => {
  for (const life of LIVES)
    test(`success: ${life.name}`, async () => {
      await setClock(life.registered);
      const mari = await Registrant.of(client);
      const name = await mari.register({
        ...life.period,
        nameservers_attributes: hosts('ns1.hoster.example', 'ns2.hoster.example'),
      });
      await takeMessageTypes(client);
      const { domain } = (await client.get(`/domains/${name}`)).body.data;
      expect(new Date(domain.expire_time)).toEqual(new Date(life.expiry));
      for (const [moment, seen] of life.seen as readonly (readonly [string, Seen])[]) {
        await setClock(moment);
        const { messages, gone, statuses, ...fields } = seen;
        const reply = await client.get(`/domains/${name}`);
        if (gone) expect([reply.status, reply.body.code], moment).toEqual([410, 2303]);
        else expect(reply.body.data.domain, moment).toMatchObject(fields);
        if (statuses)
          expect(Object.keys(reply.body.data.domain.statuses).toSorted(), moment).toEqual(statuses);
        if (messages) expect(await typesOfDomain(), moment).toEqual(messages);
      }
    });
});
