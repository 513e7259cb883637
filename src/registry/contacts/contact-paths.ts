/** Every place in a command about contacts that a refusal is about. */
export type ContactPath =
  | readonly [
      'code' | 'name' | 'email' | 'phone' | 'ident' | 'address' | 'authInfo' | 'reference' | 'legalDocument',
    ]
  | readonly ['ident', 'ident' | 'type' | 'countryCode']
  | readonly ['address', 'street' | 'city' | 'state' | 'postalCode' | 'countryCode']
  | readonly ['address', 'street', number]
  | readonly ['disclosedAttributes', number]
  | readonly ['legalDocument', 'type']
  | readonly ['addStatuses' | 'removeStatuses', number];
