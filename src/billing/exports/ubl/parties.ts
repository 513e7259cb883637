import { type Xml, xml } from '../../../platform/values/xml.ts';
import type { Seller } from '../../../policy/policy.ts';
import type { Buyer } from '../buyer.ts';

/** A basic element; none where nothing is known. */
export const cbc = (name: string, text: string | null): Xml | undefined =>
  text ? xml(`cbc:${name}`, {}, text) : undefined;

export function supplierParty(seller: Seller): Xml {
  return xml('cac:AccountingSupplierParty', {}, [
    xml('cac:Party', {}, [
      address(seller.postalAddress),
      taxScheme(seller.vatNumber),
      legalEntity(seller.name, seller.registryCode),
      contact(seller.email),
    ]),
  ]);
}

/** The standard wants a name and a country of every buyer. */
export function customerParty(
  buyer: Buyer,
  { unnamed, country }: { readonly unnamed: string; readonly country: string },
): Xml {
  return xml('cac:AccountingCustomerParty', {}, [
    xml('cac:Party', {}, [
      address({ ...buyer, country: buyer.country ?? country }),
      taxScheme(buyer.vatNumber),
      legalEntity(buyer.name ?? unnamed, buyer.registryCode),
      contact(buyer.email),
    ]),
  ]);
}

type Address = Pick<Buyer, 'street' | 'city' | 'postalCode' | 'country'>;

const address = ({ street, city, postalCode, country }: Address): Xml =>
  xml('cac:PostalAddress', {}, [
    cbc('StreetName', street),
    cbc('CityName', city),
    cbc('PostalZone', postalCode),
    xml('cac:Country', {}, [cbc('IdentificationCode', country)]),
  ]);

const taxScheme = (vatNumber: string | null): Xml | undefined =>
  vatNumber === null
    ? undefined
    : xml('cac:PartyTaxScheme', {}, [
        cbc('CompanyID', vatNumber),
        xml('cac:TaxScheme', {}, [cbc('ID', 'VAT')]),
      ]);

const legalEntity = (name: string, registryCode: string | null): Xml =>
  xml('cac:PartyLegalEntity', {}, [cbc('RegistrationName', name), cbc('CompanyID', registryCode)]);

const contact = (email: string | null): Xml | undefined =>
  email === null ? undefined : xml('cac:Contact', {}, [cbc('ElectronicMail', email)]);
