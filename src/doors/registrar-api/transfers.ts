import type { Database } from '../../platform/database/database.ts';
import type { Policy } from '../../policy/policy.ts';
import { identTypes } from '../../registry/contacts/ident.ts';
import { storedNames } from '../../registry/names/name-lists.ts';
import { transferDomain } from '../../registry/transfers/transfer-domain.ts';
import { readTransferInfo } from '../../registry/transfers/transfer-info.ts';
import { transferMany } from '../../registry/transfers/transfer-many.ts';
import { JsonText } from '../http/http-answer.ts';
import { VERBATIM } from '../http/normalise-value.ts';
import { Type } from '../http/schema-builder.ts';
import { perform } from './answers.ts';
import { nameIn } from './domain-path.ts';
import { Charged, WHOLE_DOMAIN } from './domain-schemas.ts';
import { endpoint, type RegistrarEndpoint } from './endpoint.ts';
import { wholeDomainExample } from './examples.ts';
import { agreeing, expectedPrice } from './expected-price.ts';
import { AUTH_CODE_NAMES, TRANSFER_NAMES } from './render-refusals.ts';
import { renderTransfer, renderTransfers, TRANSFER } from './render-results.ts';
import { Changed, Strict, Text } from './schemas.ts';
import { TRANSFER_INFO } from './transfer-json.ts';
import { performOnDomain } from './whole-answers.ts';

type Dependencies = { readonly database: Database; readonly policy: Policy };
const MAX_DOMAINS = 1000;

const MaybeText = Type.Union([Type.String(), Type.Null()]);
const Person = Type.Object(
  {
    code: Type.String(),
    phone: Type.String(),
    email: Type.String(),
    ident: Type.String(),
    ident_type: Type.Enum(identTypes),
    name: Type.String(),
    ident_country_code: Type.String(),
    city: MaybeText,
    street: MaybeText,
    zip: MaybeText,
    country_code: MaybeText,
    statuses: Type.Array(Type.String()),
  },
  { additionalProperties: false, 'x-component': 'TransferContact' },
);
const person = {
  code: 'mari',
  phone: '+372.5551234',
  email: 'mari@example.ee',
  ident: '60001019906',
  ident_type: 'priv',
  name: 'Mari Maasikas',
  ident_country_code: 'EE',
  city: null,
  street: null,
  zip: null,
  country_code: null,
  statuses: ['ok', 'linked'],
};
const Item = { type: Type.Literal(TRANSFER), domain_name: Type.String() };
const success = [{ type: TRANSFER, domain_name: 'example.ee' }];

export function transferEndpoints(dependencies: Dependencies): RegistrarEndpoint[] {
  const { database, policy } = dependencies;
  const byName = { params: { domain_name: 'example.ee' } };
  return [
    endpoint({
      id: 'readTransferInfo',
      names: AUTH_CODE_NAMES,
      method: 'GET',
      path: '/domains/:domain_name/transfer_info',
      group: 'Transfers',
      right: 'objects',
      summary: 'The people behind a domain, for its sponsor and for anyone who has its code',
      headers: { 'Auth-Code': "the domain's transfer code; its sponsor needs none" },
      data: Type.Object(
        {
          domain: Type.String(),
          registrant: Person,
          admin_contacts: Type.Array(Person),
          tech_contacts: Type.Array(Person),
        },
        { additionalProperties: false },
      ),
      refusals: ['objectMissing', 'objectGone', 'codeMissing', 'wrongCode', 'tooManyWrongCodes'],
      example: {
        ...byName,
        data: { domain: 'example.ee', registrant: person, admin_contacts: [], tech_contacts: [person] },
      },
      handle: async ({ params, context, headers }) => ({
        data: new JsonText(
          await readTransferInfo(
            database,
            { name: nameIn(params, policy), transferCode: headers['auth-code'] },
            TRANSFER_INFO,
            context,
          ),
        ),
      }),
    }),

    endpoint({
      id: 'transferDomain',
      names: TRANSFER_NAMES,
      method: 'POST',
      path: '/domains/:domain_name/transfer',
      group: 'Transfers',
      right: 'objects',
      summary: 'Take a domain over with its transfer code; its contacts are copied, its expiry stays',
      body: Strict({
        transfer: Strict({
          transfer_code: Text("the domain's transfer code", { maxLength: 255, ...VERBATIM }),
          expected_price: expectedPrice('the price that you expect: 0.00; another one is refused'),
        }),
      }),
      data: Changed({
        domain: Type.Object(
          { ...WHOLE_DOMAIN, type: Type.Literal(TRANSFER) },
          { additionalProperties: false, 'x-component': 'Transfer' },
        ),
        charged: Charged,
      }),
      refusals: [
        'objectMissing',
        'objectGone',
        'wrongCode',
        'tooManyWrongCodes',
        'otherPrice',
        'alreadySponsor',
        'statusProhibits',
        'notTransferable',
      ],
      example: {
        ...byName,
        body: { transfer: { transfer_code: '98765abcde98765abcde98765abcde98' } },
        data: { domain: { ...wholeDomainExample, type: TRANSFER }, charged: '0.00' },
      },
      parse: ({ transfer }) => agreeing({ value: transfer?.transfer_code ?? '' }, transfer?.expected_price),
      handle: async ({ params, input: { order: transferCode, agreedPrice }, context }) =>
        performOnDomain(
          dependencies,
          { ...context, agreedPrice },
          (keyed) => transferDomain(database, { name: nameIn(params, policy), transferCode }, keyed),
          renderTransfer,
        ),
    }),

    endpoint({
      id: 'transferDomains',
      method: 'POST',
      path: '/domains/transfer',
      isBulk: true,
      group: 'Bulk actions',
      right: 'objects',
      summary: 'Take many domains over, each by itself',
      body: Strict({
        data: Strict({
          domain_transfers: Type.Array(
            Strict({
              domain_name: Text('name', { maxLength: 255 }),
              transfer_code: Text("the domain's transfer code", { maxLength: 255, ...VERBATIM }),
            }),
            { minItems: 1, maxItems: MAX_DOMAINS },
          ),
        }),
      }),
      data: Changed({
        success: Type.Array(Type.Object(Item, { additionalProperties: false })),
        failed: Type.Array(
          Type.Object(
            {
              ...Item,
              errors: Type.Object(
                { code: Type.String(), msg: Type.String() },
                { additionalProperties: false },
              ),
            },
            { additionalProperties: false },
          ),
        ),
      }),
      refusals: ['outOfRange'],
      example: {
        body: {
          data: {
            domain_transfers: [
              { domain_name: 'example.ee', transfer_code: '98765abcde98765abcde98765abcde98' },
              { domain_name: 'näide.ee', transfer_code: 'a guess' },
            ],
          },
        },
        data: {
          success,
          failed: [
            {
              type: TRANSFER,
              domain_name: 'näide.ee',
              errors: { code: '2202', msg: 'Invalid authorization information: wrong transfer_code' },
            },
          ],
        },
      },
      parse: async ({ data }) => {
        const requests = data?.domain_transfers ?? [];
        const texts = requests.map(({ domain_name: text = '' }) => text);
        const names = await storedNames(texts, policy);
        return {
          value: requests.map(({ transfer_code: transferCode = '' }, index) => ({
            name: names[index] ?? '',
            transferCode,
          })),
        };
      },
      handle: async ({ input, context }) =>
        perform(context, renderTransfers, (keyed) => transferMany(database, input, keyed)),
    }),
  ];
}
