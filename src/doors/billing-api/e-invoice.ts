import type { Static } from 'typebox';
import type { EInvoiceOptions } from '../../billing/exports/einvoice/e-invoice-xml.ts';
import type { ExportItem } from '../../billing/exports/request-exports.ts';
import type { Initiator } from '../../billing/invoices/invoice.ts';
import type { Parsed, Refusal } from '../../operations/refusal.ts';
import type { Unfinished } from '../http/read-request.ts';
import { Type } from '../http/schema-builder.ts';
import { SchemaValidator } from '../http/validation.ts';
import { checkInitiator, dialect, parsed } from './endpoint.ts';
import { prepareBody } from './prepare-body.ts';
import {
  InvoiceNumberOrNumber,
  MAX_NAME_LENGTH,
  MAX_TEXT_LENGTH,
  numberedUnless,
  OptionalCountry,
  OptionalFlag,
  OptionalSignedAmount,
  OptionalText,
  OwnInitiator,
} from './schemas.ts';

const MAX_EMAIL_LENGTH = 254;

/** The body of e_invoice: the buyer and options of the document. */
export const EInvoice = Type.Object(
  {
    initiator: OptionalText(OwnInitiator),
    buyer_country_code: OptionalCountry,
    invoice: Type.Object(
      {
        number: Type.Optional(InvoiceNumberOrNumber),
        invoice_number: Type.Optional(InvoiceNumberOrNumber),
        buyer_country_code: Type.Optional(
          Type.Unknown({ description: 'country of the buyer, where it is not told beside the invoice' }),
        ),
        buyer_name: OptionalText('name of the buyer', MAX_NAME_LENGTH),
        buyer_reg_no: OptionalText('registration number of the buyer', 15),
        buyer_vat_no: OptionalText('VAT number of the buyer', 15),
        buyer_street: OptionalText('street and house of the buyer', 100),
        buyer_city: OptionalText('city of the buyer', 100),
        buyer_zip: OptionalText('postal code of the buyer', 10),
        monthly_invoice: OptionalFlag('whether it is the summary of a month'),
      },
      { ...numberedUnless('number'), 'x-component': 'EInvoiceBuyer' },
    ),
    buyer_billing_email: OptionalText('e-mail address of the buyer', MAX_EMAIL_LENGTH, {
      format: 'email',
      'x-expected': 'an e-mail address',
    }),
    buyer_e_invoice_iban: OptionalText('account of the buyer', MAX_EMAIL_LENGTH, {
      format: 'iban',
      'x-expected': 'an IBAN',
    }),
    payable: OptionalFlag('whether the bank of the buyer offers to pay it'),
    balance_date: OptionalText('day of the balance', MAX_TEXT_LENGTH, {
      format: 'day',
      'x-expected': 'a day such as 2030-01-31',
    }),
    balance_begin: OptionalSignedAmount('balance before'),
    inbound: OptionalSignedAmount('what came in'),
    outbound: OptionalSignedAmount('what went out'),
    balance_end: OptionalSignedAmount('balance after'),
  },
  { 'x-component': 'EInvoiceRequest' },
);
type Body = Unfinished<Static<typeof EInvoice>>;

export function parseEInvoice(body: Body, { caller }: { readonly caller: Initiator }): Parsed<ExportItem> {
  const { invoice } = body;
  const number = invoice?.number ?? invoice?.invoice_number;
  const { country, wrong } = countryOf(body);
  const buyer = {
    name: invoice?.buyer_name ?? null,
    registryCode: invoice?.buyer_reg_no ?? null,
    vatNumber: invoice?.buyer_vat_no ?? null,
    street: invoice?.buyer_street ?? null,
    city: invoice?.buyer_city ?? null,
    postalCode: invoice?.buyer_zip ?? null,
    country,
    email: withoutSpaces(body.buyer_billing_email),
    iban: withoutSpaces(body.buyer_e_invoice_iban)?.toUpperCase() ?? null,
  };
  const monthly = invoice?.monthly_invoice ?? false;
  return parsed(
    {
      number: Number(number),
      details: { buyer, payable: body.payable ?? true, monthly, ...balanceOf(body) },
    },
    checkInitiator('initiator', body.initiator, caller),
    wrong,
  );
}

const withoutSpaces = (text: string | undefined): string | null => text?.replaceAll(' ', '') ?? null;

/** The buyer's country inside the invoice is read only if it is missing beside it. */
const Inside = Type.Object({ invoice: Type.Object({ buyer_country_code: OptionalCountry }) });
const inside = new SchemaValidator(Inside, dialect.refusalOf);

function countryOf(body: Body): { readonly country: string | null; readonly wrong: Refusal[] } {
  if (body.buyer_country_code !== undefined)
    return { country: body.buyer_country_code.toUpperCase(), wrong: [] };
  const { value } = prepareBody({ invoice: body.invoice ?? {} }, inside.schema);
  const wrong = inside.check(value);
  const { buyer_country_code: text } = (value as Static<typeof Inside>).invoice;
  return { country: wrong.length > 0 ? null : (text?.toUpperCase() ?? null), wrong };
}

function balanceOf(body: Body): Pick<EInvoiceOptions, 'balance'> {
  const { balance_date: date, balance_begin: begin, inbound, outbound, balance_end: end } = body;
  if ([date, begin, inbound, outbound, end].every((value) => value === undefined)) return {};
  return {
    balance: {
      date: date?.slice(0, 10) ?? null,
      begin: decimalOf(begin),
      inbound: decimalOf(inbound),
      outbound: decimalOf(outbound),
      end: decimalOf(end),
    },
  };
}

/** An amount, possibly negative, with two digits after the point. */
function decimalOf(text: string | undefined): string | null {
  if (text === undefined) return null;
  const [whole, part = ''] = text.split('.');
  return `${whole}.${part.padEnd(2, '0')}`;
}
