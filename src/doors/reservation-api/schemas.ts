import type { Policy } from '../../policy/policy.ts';
import type { LongStatus } from '../../reservations/reserve-long-status.ts';
import { VERBATIM } from '../http/normalise-value.ts';
import { Type } from '../http/schema-builder.ts';

/** Request and answer schemas of this API for its document; tests validate every answer against them. */

const closed = { additionalProperties: false } as const;
const Name = Type.String({ description: 'domain name with its zone, in Unicode' });
/** With a space around it, a name has a character that no name has. */
const WantedName = Type.String({ description: 'domain name with its zone', ...VERBATIM });
const Code = Type.String({
  pattern: '^[0-9a-f]{32}$',
  description: 'registration code: anyone who has it can register the name',
});
const Time = Type.String({
  pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}[+-]\\d\\d:\\d\\d$',
  description: 'when the reservation ends, with the offset of the registry',
});
const UserUniqueId = Type.String({
  pattern: '^[0-9A-Za-z_-]{10}$',
  description: 'ties a user to a reservation; the portal stores it',
});
const InvoiceNumber = Type.Integer({ minimum: 1, description: 'number of the invoice' });
const PaymentLink = Type.String({
  pattern: '^https?://',
  description: 'payment page; send the user there, as it is',
});

/** Unlike the registrar API, this one ignores unknown members. */
export const namesBody = ({ reservations }: Policy) =>
  Type.Object(
    {
      domain_names: Type.Array(WantedName, {
        minItems: 1,
        maxItems: reservations.mostNames,
        description: 'what to reserve',
      }),
    },
    { 'x-component': 'ReservationRequest' },
  );
export type NamesBody = ReturnType<typeof namesBody>;

export const longBody = (policy: Policy) =>
  Type.Object(
    {
      ...namesBody(policy).properties,
      user_unique_id: Type.Optional(
        Type.Union([Type.String(), Type.Null()], {
          description: 'of a free reservation, whose own names then count as available',
        }),
      ),
    },
    { 'x-component': 'PaidReservationRequest' },
  );
export type LongBody = ReturnType<typeof longBody>;

const invoiceQuery = {
  invoice_number: Type.String({ pattern: '^\\d+$', description: 'number of the invoice' }),
  user_unique_id: Type.String({ minLength: 1, description: 'what the order was answered with' }),
};
export const InvoiceQuery = Type.Object(invoiceQuery);
const MAX_CUSTOMER_NAME_LENGTH = 255;
export const PrintQuery = Type.Object({
  customer_name: Type.Optional(
    Type.String({
      maxLength: MAX_CUSTOMER_NAME_LENGTH,
      pattern: '^\\P{Cc}*$',
      description: 'who stands on it as the buyer',
    }),
  ),
  ...invoiceQuery,
});

export const Variants = Type.Object({ variants: Type.Array(Name) }, closed);

const Held = Type.Object(
  { name: Name, password: Code, expire_at: Time },
  { ...closed, 'x-component': 'ReservedName' },
);
export const Reserved = Type.Object(
  { message: Type.String(), reserved_domains: Type.Array(Held), user_unique_id: UserUniqueId },
  { ...closed, 'x-component': 'Reservation' },
);
export const Entries = Type.Array(
  Type.Union(
    [
      Type.Object({ name: Name, status: Type.Literal('reserved'), password: Code, expire_at: Time }, closed),
      Type.Object({ name: Name, status: Type.Enum(['registered', 'expired']) }, closed),
    ],
    { 'x-component': 'ReservationEntry' },
  ),
  { description: 'in the order of the request' },
);

export const Ordered = Type.Object(
  {
    message: Type.String(),
    invoice_number: InvoiceNumber,
    user_unique_id: UserUniqueId,
    available_domains: Type.Array(Name, { minItems: 1, description: 'what the invoice is for' }),
    linkpay_url: PaymentLink,
  },
  { ...closed, 'x-component': 'PaidReservation' },
);
const UNPAID: readonly Exclude<LongStatus['status'], 'paid'>[] = [
  'pending',
  'unpaid',
  'failed',
  'error',
  'cancelled',
];
export const LongStatusAnswer = Type.Union(
  [
    Type.Object({ status: Type.Literal('paid'), message: Type.String(), reserved_domains: Entries }, closed),
    Type.Object(
      {
        status: Type.Enum([...UNPAID]),
        message: Type.String(),
        names: Type.Array(Name),
        linkpay_url: Type.Optional(PaymentLink),
      },
      { ...closed, description: 'the link as long as it can be paid by' },
    ),
  ],
  { 'x-component': 'PaidReservationStatus' },
);

export const Failure = Type.Object({ error: Type.String() }, { ...closed, 'x-component': 'Failure' });
export const Pdf = Type.String({ contentMediaType: 'application/pdf', description: 'a document to print' });
