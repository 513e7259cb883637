import { type Xml, xml } from '../../../platform/values/xml.ts';
import type { Seller } from '../../../policy/policy.ts';
import type { Buyer } from '../buyer.ts';

const EMAIL = /^[^\s@]+@[^\s@]+$/;

/** An element with a text; operators reject an empty one, so there is none where nothing is known. */
export const leaf = (name: string, text: string | null): Xml | undefined =>
  text ? xml(name, {}, text) : undefined;

/** At most so many characters. */
export const cut = (text: string, most: number): string => Array.from(text).slice(0, most).join('');

/** Where a transfer shall go. */
export const accountOf = ({ bankAccounts: [preferred] }: Seller): string | null => preferred?.iban ?? null;

export function sellerParty(seller: Seller): Xml {
  const { street, city, postalCode, country } = seller.postalAddress;
  return xml('SellerParty', {}, [
    leaf('Name', cut(seller.name, 100)),
    leaf('RegNumber', seller.registryCode),
    leaf('VATRegNumber', seller.vatNumber),
    contact(seller.email, { street, city, postalCode, country }),
    ...seller.bankAccounts.map(({ iban }) => xml('AccountInfo', {}, [leaf('AccountNumber', iban)])),
  ]);
}

export function buyerParty(buyer: Buyer): Xml {
  return xml('BuyerParty', {}, [
    leaf('Name', cut(buyer.name ?? '', 100)),
    leaf('RegNumber', buyer.registryCode),
    leaf('VATRegNumber', buyer.vatNumber),
    contact(buyer.email, buyer),
    buyer.iban === null ? undefined : xml('AccountInfo', {}, [leaf('AccountNumber', buyer.iban)]),
  ]);
}

function contact(
  email: string | null,
  { street, city, postalCode, country }: Pick<Buyer, 'street' | 'city' | 'postalCode' | 'country'>,
): Xml | undefined {
  const address =
    street !== null && city !== null
      ? xml('LegalAddress', {}, [
          leaf('PostalAddress1', street),
          leaf('City', city),
          leaf('PostalCode', postalCode),
          leaf('Country', country),
        ])
      : undefined;
  const mail = leaf('E-mailAddress', EMAIL.test(email ?? '') ? email : null);
  return mail || address ? xml('ContactData', {}, [mail, address]) : undefined;
}
