import Type from 'typebox';
import { statusMessages } from './long-reservations.ts';

/** What the calls of this API take and answer, for its document; tests hold every answer against them. */

const closed = { additionalProperties: false } as const;
const Name = Type.String({ description: 'domain name with its zone, in Unicode' });
const Code = Type.String({
  pattern: '^[0-9a-f]{32}$',
  description: 'registration code: whoever has it can register the name',
});
const Time = Type.String({
  pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}[+-]\\d\\d:\\d\\d$',
  description: 'when the reservation ends, with the offset of the registry',
});
export const UserUniqueId = Type.String({
  pattern: '^[0-9A-Za-z_-]{10}$',
  description: 'ties a user to his reservation; the portal stores it',
});
export const InvoiceNumber = Type.Integer({ minimum: 1, description: 'number of the invoice' });
const PaymentLink = Type.String({
  pattern: '^https?://',
  description: 'payment page; send the user there, as it is',
});

/** Unlike the registrar API this one ignores members that it does not know. */
export const NamesBody = Type.Object({
  domain_names: Type.Array(Name, { minItems: 1, maxItems: 20, description: 'what to reserve' }),
});
export const LongBody = Type.Object({
  domain_names: NamesBody.properties.domain_names,
  user_unique_id: Type.Optional(
    Type.String({ description: 'of a free reservation, whose own names then count as available' }),
  ),
});

export const Variants = Type.Object({ variants: Type.Array(Name) }, closed);

const Held = Type.Object({ name: Name, password: Code, expire_at: Time }, closed);
export const Reserved = Type.Object(
  { message: Type.String(), reserved_domains: Type.Array(Held), user_unique_id: UserUniqueId },
  closed,
);
export const Entries = Type.Array(
  Type.Union([
    Type.Object({ name: Name, status: Type.Literal('reserved'), password: Code, expire_at: Time }, closed),
    Type.Object({ name: Name, status: Type.Enum(['registered', 'expired']) }, closed),
  ]),
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
  closed,
);
const unpaid = Object.keys(statusMessages).filter((status) => status !== 'paid');
export const LongStatus = Type.Union([
  Type.Object({ status: Type.Literal('paid'), message: Type.String(), reserved_domains: Entries }, closed),
  Type.Object(
    {
      status: Type.Enum(unpaid),
      message: Type.String(),
      names: Type.Array(Name),
      linkpay_url: Type.Optional(PaymentLink),
    },
    { ...closed, description: 'the link as long as it can be paid by' },
  ),
]);

export const Failure = Type.Object({ error: Type.String() }, closed);
export const Pdf = Type.String({ contentMediaType: 'application/pdf', description: 'a document to print' });
