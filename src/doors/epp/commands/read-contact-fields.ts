import type { ContactText } from '../../../registry/contacts/contact-fields.ts';
import type { AddressText } from '../../../registry/contacts/postal-address.ts';
import type { CommandReader } from '../command-reader.ts';
import type { EisData } from '../extensions/eis.ts';
import type { XmlElement } from '../xml/element.ts';
import { readDisclose } from './contact-disclose.ts';

type Elements = {
  readonly postalInfo: readonly XmlElement[];
  readonly voice: XmlElement | undefined;
  readonly fax: XmlElement | undefined;
  readonly email: XmlElement | undefined;
  readonly authInfo: XmlElement | undefined;
  readonly disclose: XmlElement | undefined;
};

/** The fields that a create and a change of a contact have in common, as the registry's parser takes them. */
export function readContactFields(
  { postalInfo, voice, fax, email, authInfo, disclose }: Elements,
  { ident }: EisData,
  reader: CommandReader,
): ContactText {
  if (reader.optionalText(fax) !== undefined && fax) reader.refuse('unsupportedField', fax);
  const [first, second] = postalInfo;
  if (second) reader.refuse('unsupportedField', second);
  const authInfoText = reader.authInfo(authInfo, ['authInfo']);
  return {
    ...(first && readPostalInfo(first, reader)),
    ...(voice && { phone: reader.text(voice, ['phone']) }),
    ...(email && { email: reader.text(email, ['email']) }),
    ...(authInfoText !== undefined && { authInfo: authInfoText }),
    ...(ident && { ident }),
    ...(disclose && { disclosedAttributes: readDisclose(disclose, reader) }),
  };
}

function readPostalInfo(element: XmlElement, reader: CommandReader): Pick<ContactText, 'name' | 'address'> {
  reader.choice(element, 'type', ['int', 'loc'], 'int');
  const { name, org, addr } = reader.children(element, { name: 'maybe', org: 'maybe', addr: 'maybe' });
  if (org && reader.optionalText(org) !== undefined) reader.refuse('unsupportedField', org);
  return {
    ...(name && { name: reader.text(name, ['name']) }),
    ...(addr && { address: readAddress(addr, reader) }),
  };
}

function readAddress(element: XmlElement, reader: CommandReader): AddressText {
  const { street, city, sp, pc, cc } = reader.children(element, {
    ...({ street: 'list', city: 'one', sp: 'maybe', pc: 'maybe', cc: 'one' } as const),
  });
  reader.from(['address'], element);
  const lines = street.flatMap(
    (line, index) => reader.optionalText(line, ['address', 'street', index]) ?? [],
  );
  const [state, postalCode] = [
    reader.optionalText(sp, ['address', 'state']),
    reader.optionalText(pc, ['address', 'postalCode']),
  ];
  return {
    ...(lines.length > 0 && { street: lines }),
    city: reader.text(city, ['address', 'city']),
    ...(state !== undefined && { state }),
    ...(postalCode !== undefined && { postalCode }),
    countryCode: reader.text(cc, ['address', 'countryCode']),
  };
}
