import type { Database } from '../../platform/database/database.ts';
import { toDecimal } from '../../platform/values/money.ts';
import type { Policy } from '../../policy/policy.ts';
import { unitsOf } from '../../registry/domains/rules/periods.ts';
import { checkNames } from '../../registry/names/availability.ts';
import { pricesInZones, readPriceSchedule, type ZonePrice } from '../../registry/prices/price-schedule.ts';
import { Type } from '../http/schema-builder.ts';
import { NameCheck, PeriodUnit } from './domain-schemas.ts';
import { endpoint, type RegistrarEndpoint } from './endpoint.ts';
import { Money, Strict, Text } from './schemas.ts';

type Dependencies = { readonly database: Database; readonly policy: Policy };
const MAX_NAMES = 100;

const PRICE = {
  operation: Type.Enum(['create', 'renew']),
  period: Type.Integer({ description: 'number of units' }),
  period_unit: PeriodUnit,
  price: Money,
  currency: Type.String(),
};

const OperationPrice = Type.Object(PRICE, { additionalProperties: false, 'x-component': 'OperationPrice' });

const Price = Type.Object(
  {
    zone: Type.String(),
    ...PRICE,
    valid_from: Type.String({ description: 'the first day with this price, yyyy-mm-dd' }),
    valid_until: Type.Union([Type.String(), Type.Null()], {
      description: 'the first day without it, yyyy-mm-dd; null if no end is known',
    }),
  },
  { additionalProperties: false, 'x-component': 'Price' },
);

const CheckedName = Type.Object(
  { ...NameCheck, prices: Type.Array(OperationPrice) },
  { additionalProperties: false, 'x-component': 'CheckedName' },
);

const renderPrice = ({ operation, months, amount }: ZonePrice, { currency }: Policy) => {
  const { period, unit } = unitsOf(months);
  return { operation, period, period_unit: unit, price: toDecimal(amount), currency };
};

export function priceEndpoints({ database, policy }: Dependencies): RegistrarEndpoint[] {
  return [
    endpoint({
      id: 'listPrices',
      method: 'GET',
      path: '/prices',
      group: 'Billing',
      right: 'money',
      summary: 'What registration and renewal cost today, and announced prices',
      data: Type.Object({ prices: Type.Array(Price) }, { additionalProperties: false }),
      refusals: [],
      example: {
        data: {
          prices: [
            {
              zone: 'ee',
              operation: 'create',
              period: 1,
              period_unit: 'y',
              price: '9.00',
              currency: 'EUR',
              valid_from: '2026-01-01',
              valid_until: null,
            },
          ],
        },
      },
      async handle({ context }) {
        const schedule = await readPriceSchedule(database.reads, context);
        return {
          data: {
            prices: schedule.map(({ zone, validFrom, validUntil, ...price }) => ({
              zone,
              ...renderPrice({ zone, ...price }, policy),
              valid_from: validFrom,
              valid_until: validUntil,
            })),
          },
        };
      },
    }),

    endpoint({
      id: 'checkDomains',
      method: 'POST',
      path: '/domains/check',
      isRead: true,
      group: 'Domains',
      right: 'objects',
      summary: `Whether names can be registered, and what they cost; up to ${MAX_NAMES}`,
      body: Strict({ domains: Type.Array(Text('name'), { minItems: 1, maxItems: MAX_NAMES }) }),
      data: Type.Object({ domains: Type.Array(CheckedName) }, { additionalProperties: false }),
      refusals: ['outOfRange'],
      example: {
        body: { domains: ['example.ee'] },
        data: {
          domains: [
            {
              name: 'example.ee',
              available: true,
              reason: null,
              prices: [
                { operation: 'create', period: 1, period_unit: 'y', price: '9.00', currency: 'EUR' },
                { operation: 'renew', period: 1, period_unit: 'y', price: '9.00', currency: 'EUR' },
              ],
            },
          ],
        },
      },
      async handle({ input: { domains }, context }) {
        const checks = await checkNames(database.reads, domains, context);
        const zones = new Set(checks.flatMap(({ zone }) => zone ?? []));
        const prices = Map.groupBy(
          await pricesInZones(database.reads, [...zones], context),
          ({ zone }) => zone,
        );
        const rendered = new Map(
          [...prices].map(([zone, own]) => [zone, own.map((price) => renderPrice(price, policy))]),
        );
        return {
          data: {
            domains: checks.map(({ zone = '', ...check }) => ({
              ...check,
              prices: rendered.get(zone) ?? [],
            })),
          },
        };
      },
    }),
  ];
}
