import { type Refusal, requireNone } from '../../../operations/refusal.ts';
import type { Policy } from '../../../policy/policy.ts';
import { refusal } from '../../billing-refusals.ts';
import type { Buyer } from '../buyer.ts';
import type { InvoiceDocument } from '../invoice-documents.ts';

/** The code of the VAT that an invoice bears: today every invoice bears that of the home country. */
export const invoicedVatCode = ({ billing }: Policy): string => billing.accounting.vatCodes.home;

/** The VAT code that a sale to this buyer demands, by country and by whether there is a VAT number. */
function demandedVatCode(
  { country, vatNumber }: Pick<Buyer, 'country' | 'vatNumber'>,
  { country: home, billing }: Policy,
): string {
  const { vatCodes } = billing.accounting;
  if (country === null || country === home) return vatCodes.home;
  const inUnion = vatCodes.union[country];
  if (inUnion === undefined) return vatCodes.outside;
  return vatNumber === null ? inUnion : vatCodes.reverseCharge;
}

/** An invoice whose buyer demands another VAT than it bears would be booked wrongly under either code. */
export function checkVatCode(
  { number, vatPercent, buyer }: Pick<InvoiceDocument, 'number' | 'vatPercent' | 'buyer'>,
  policy: Policy,
): Refusal[] {
  const [code, demanded] = [invoicedVatCode(policy), demandedVatCode(buyer, policy)];
  if (code === demanded) return [];
  const { country } = policy;
  return [refusal('otherVatDemanded', { at: ['invoices'], number, vatPercent, country, demanded })];
}

export const requireVatCodes = (documents: readonly InvoiceDocument[], policy: Policy): void =>
  requireNone(documents.flatMap((document) => checkVatCode(document, policy)));
