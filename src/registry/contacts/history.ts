import type { ContactFields } from './fields.ts';

/** A contact as history keeps it: what people and companies are called and how they are reached, and no secret. */
export function shownInHistory({
  code,
  name,
  email,
  phone,
  ident,
}: Omit<ContactFields, 'id'> & { readonly code: string }): object {
  return {
    code,
    name,
    email,
    phone,
    ident: ident && { code: ident.ident, type: ident.type, country_code: ident.countryCode },
  };
}
