import type { Policy } from '../../../policy/policy.ts';
import type { Buyer } from '../buyer.ts';

/** How the accounting service books the tax of a sale: by the country of the buyer, and by whether he has a VAT number. */
export function vatCodeOf({ country, vatNumber }: Buyer, { country: home, billing }: Policy): string {
  const { vatCodes } = billing.accounting;
  if (country === null || country === home) return vatCodes.home;
  const inUnion = vatCodes.union[country];
  if (inUnion === undefined) return vatCodes.outside;
  return vatNumber === null ? inUnion : vatCodes.reverseCharge;
}
