import type { Parsed, Refusal } from '../../operations/refusal.ts';
import type { Database } from '../../platform/database/database.ts';
import { parseDay } from '../../platform/values/dates.ts';
import type { Policy } from '../../policy/policy.ts';
import { BULK_PERIODS, monthsOf, parseBulkPeriod } from '../../registry/domains/rules/periods.ts';
import { renewDomain } from '../../registry/domains/renew-domain.ts';
import { renewMany } from '../../registry/domains/bulk/renew-many.ts';
import { storedNames } from '../../registry/names/name-lists.ts';
import { runRegistryOperation } from '../../registry/run-registry-operation.ts';
import { Type } from '../http/schema-builder.ts';
import { perform } from './answers.ts';
import { nameIn } from './domain-path.ts';
import { Charged, PeriodUnit, period, WholeDomain } from './domain-schemas.ts';
import { endpoint, type RegistrarEndpoint } from './endpoint.ts';
import { wholeDomainExample } from './examples.ts';
import { agreeing, expectedPrice } from './expected-price.ts';
import { refusal } from './registrar-api-refusals.ts';
import { BULK_RENEWAL_NAMES, RENEWAL_NAMES } from './render-refusals.ts';
import { renderRenewed } from './render-results.ts';
import { Changed, Strict, Text } from './schemas.ts';
import { performOnDomain } from './whole-answers.ts';

type Dependencies = { readonly database: Database; readonly policy: Policy };
const MAX_DOMAINS = 1000;

export function renewalEndpoints(dependencies: Dependencies): RegistrarEndpoint[] {
  const { database, policy } = dependencies;
  return [
    endpoint({
      id: 'renewDomain',
      names: RENEWAL_NAMES,
      method: 'POST',
      path: '/domains/:domain_name/renew',
      group: 'Domains',
      right: 'objects',
      summary: 'Renew a domain; exp_date guards against renewing twice',
      body: Strict({
        renews: Strict(
          {
            period: period('number of units', policy),
            period_unit: PeriodUnit,
            exp_date: Text('the present expiry date, yyyy-mm-dd'),
            expected_price: expectedPrice(),
          },
          { 'x-component': 'Renewal' },
        ),
      }),
      data: Changed({ domain: WholeDomain, charged: Charged }),
      refusals: [
        'objectMissing',
        'objectGone',
        'notSponsor',
        'statusProhibits',
        'expiryMismatch',
        'noPrice',
        'otherPrice',
        'noFunds',
        'expiryTooFar',
        'expiryPast',
        'outOfRange',
      ],
      example: {
        params: { domain_name: 'example.ee' },
        body: { renews: { period: 1, period_unit: 'y', exp_date: '2027-11-16' } },
        data: { domain: wholeDomainExample, charged: '9.00' },
      },
      parse: ({ renews }) => {
        const { period = 0, period_unit: unit = 'y', exp_date: expDate = '' } = renews ?? {};
        const wrong = expDate !== '' && !parseDay(expDate);
        if (wrong)
          return {
            refusals: [refusal('wrongSyntax', { field: 'renews.exp_date', expected: 'a day yyyy-mm-dd' })],
          };
        const order = { months: monthsOf(period, unit === 'm' ? 'm' : 'y'), expDate };
        return agreeing({ value: order }, renews?.expected_price);
      },
      handle: async ({ params, input: { order, agreedPrice }, context }) =>
        performOnDomain(dependencies, { ...context, agreedPrice }, (keyed) =>
          runRegistryOperation(database, renewDomain, { name: nameIn(params, policy), ...order }, keyed),
        ),
    }),

    endpoint({
      id: 'renewDomains',
      names: BULK_RENEWAL_NAMES,
      method: 'POST',
      path: '/domains/renew/bulk',
      isBulk: true,
      group: 'Bulk actions',
      right: 'objects',
      summary: 'Renew many domains, all or none',
      body: Strict({
        domains: Type.Array(Text('name'), { minItems: 1, maxItems: MAX_DOMAINS }),
        renew_period: Text(BULK_PERIODS),
        expected_price: expectedPrice('the total that you expect; another one is refused'),
      }),
      data: Changed({ updated_domains: Type.Array(Type.String()) }),
      refusals: [
        'notSponsor',
        'bodyObjectMissing',
        'statusProhibits',
        'noPrice',
        'otherPrice',
        'noFunds',
        'expiryTooFar',
        'expiryPast',
        'domainTwice',
        'outOfRange',
      ],
      example: {
        body: { domains: ['example.ee', 'näide.ee'], renew_period: '1y' },
        data: { updated_domains: ['example.ee', 'näide.ee'] },
      },
      parse: async ({ domains = [], renew_period: period = '', expected_price: expected }) =>
        agreeing(await parseBulk(domains, period, policy), expected),
      handle: async ({ input: { order, agreedPrice }, context }) =>
        perform({ ...context, agreedPrice }, renderRenewed, (keyed) => renewMany(database, order, keyed)),
    }),
  ];
}

async function parseBulk(
  texts: readonly string[],
  period: string,
  policy: Policy,
): Promise<Parsed<{ names: string[]; months: number }>> {
  const refusals: Refusal[] = [];
  const names = new Set<string>();
  for (const [index, name] of (await storedNames(texts, policy)).entries()) {
    if (names.has(name)) refusals.push(refusal('domainTwice', { name, field: `domains.${index}` }));
    names.add(name);
  }
  const months = parseBulkPeriod(period);
  if (months === undefined)
    refusals.push(refusal('wrongSyntax', { field: 'renew_period', expected: BULK_PERIODS }));
  return refusals.length > 0 || months === undefined
    ? { refusals }
    : { value: { names: [...names], months } };
}
