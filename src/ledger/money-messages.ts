import { type Fragment, sql } from '../platform/sql/statement.ts';
import { type Cents, toDecimal } from '../platform/values/money.ts';
import { fillIn, PLACEHOLDER } from '../platform/values/placeholders.ts';

/**
 * Poll messages about invoices and statements. They are here because billing writes them and does not know the
 * registry, whose catalogue of messages has them too.
 */
export const moneyMessageKinds = {
  invoice_issued: {
    attached: null,
    text: 'Invoice {number} over {total} {currency} was issued; it is due on {due}',
  },
  invoice_paid: { attached: null, text: 'Invoice {number} over {total} {currency} was paid' },
  invoice_overdue: {
    attached: null,
    text: 'Invoice {number} over {total} {currency} is overdue',
  },
  invoice_cancelled: {
    attached: null,
    text: 'Invoice {number} over {total} {currency} was cancelled and can no longer be paid',
  },
  invoice_refunded: { attached: null, text: 'Invoice {number} over {total} {currency} was refunded' },
  statement_ready: {
    attached: null,
    text: 'The statement of your account for {month} is ready: opening balance {opening} {currency}, closing balance {closing} {currency}',
  },
} as const;
export type MoneyMessageType = keyof typeof moneyMessageKinds;

type InvoiceValues = {
  readonly number: number;
  readonly total: Cents;
  readonly currency: string;
  /** Of a new invoice. */
  readonly due?: string;
};

export function invoiceText(
  type: Exclude<MoneyMessageType, 'statement_ready'>,
  { number, total, currency, due = '' }: InvoiceValues,
): string {
  return fillIn(moneyMessageKinds[type].text, { number, total: toDecimal(total), currency, due });
}

/** The text of a statement's message, from columns of a row; amounts are cents. */
export function statementText(
  columns: Readonly<Record<'month' | 'opening' | 'closing' | 'currency', Fragment>>,
): Fragment {
  const decimal = (cents: Fragment) => sql`to_char(${cents} / 100.0, 'FM999999999999990.00')`;
  const values: Readonly<Record<string, Fragment>> = {
    month: columns.month,
    currency: columns.currency,
    opening: decimal(columns.opening),
    closing: decimal(columns.closing),
  };
  return moneyMessageKinds.statement_ready.text
    .split(PLACEHOLDER)
    .map((part, place) => (place % 2 === 0 ? sql`${part}::text` : (values[part] ?? sql`''`)))
    .reduce((written, part) => sql`${written} || ${part}`);
}
