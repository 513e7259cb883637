import type { EInvoiceWishes } from '../../billing/exports/einvoice/wishes.ts';
import type { Wish } from '../../billing/exports/request.ts';
import { parseDay } from '../../platform/dates.ts';
import { type Fields, invoiceNumberOf } from './fields.ts';

const IBAN = /^[A-Z]{2}\d{2}[A-Z0-9]{8,30}$/;
const EMAIL = /^[^\s@]+@[^\s@]+$/;
const AMOUNT = /^(-?\d{1,10})(?:\.(\d{1,2}))?$/;

/** The body of e_invoice: who buys, and what the document is to be like. */
export function readEInvoice(fields: Fields): Wish {
  const invoice = fields.object('invoice');
  if (!fields.has('invoice')) fields.complain('invoice', 'is missing');
  const number = fields.has('invoice') ? invoiceNumberOf(invoice) : 0;
  const country = (fields.has('buyer_country_code') ? fields : invoice).country('buyer_country_code');
  const buyer = {
    name: invoice.shortText('buyer_name', 255),
    registryCode: invoice.shortText('buyer_reg_no', 15),
    vatNumber: invoice.shortText('buyer_vat_no', 15),
    street: invoice.shortText('buyer_street', 100),
    city: invoice.shortText('buyer_city', 100),
    postalCode: invoice.shortText('buyer_zip', 10),
    country,
    email: matching(fields, 'buyer_billing_email', EMAIL, 'an e-mail address'),
    iban: matching(fields, 'buyer_e_invoice_iban', IBAN, 'an IBAN'),
  };
  return {
    number,
    details: {
      buyer,
      payable: fields.flag('payable', true),
      monthly: invoice.flag('monthly_invoice', false),
      ...readBalance(fields),
    },
  };
}

const BALANCE = ['balance_date', 'balance_begin', 'inbound', 'outbound', 'balance_end'];

function readBalance(fields: Fields): Pick<EInvoiceWishes, 'balance'> {
  if (!BALANCE.some((name) => fields.has(name))) return {};
  const date = fields.optionalText('balance_date')?.slice(0, 10) ?? null;
  if (date !== null && !parseDay(date)) fields.complain('balance_date', 'must be a day such as 2030-01-31');
  return {
    balance: {
      date,
      begin: amount(fields, 'balance_begin'),
      inbound: amount(fields, 'inbound'),
      outbound: amount(fields, 'outbound'),
      end: amount(fields, 'balance_end'),
    },
  };
}

/** An amount, below zero too, as a text with two digits behind the point. */
function amount(fields: Fields, name: string): string | null {
  const text = fields.textOrNumber(name);
  if (text === null) return null;
  const [, whole, part = ''] = AMOUNT.exec(text) ?? [];
  if (whole === undefined) fields.complain(name, 'must be an amount such as 20.00');
  return whole === undefined ? null : `${whole}.${part.padEnd(2, '0')}`;
}

function matching(fields: Fields, name: string, pattern: RegExp, expected: string): string | null {
  const text = fields.shortText(name, 254)?.replaceAll(' ', '') ?? null;
  const read = pattern === IBAN ? (text?.toUpperCase() ?? null) : text;
  if (read === null || pattern.test(read)) return read;
  fields.complain(name, `must be ${expected}`);
  return null;
}
