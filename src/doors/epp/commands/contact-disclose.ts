import type { DisclosedAttribute } from '../../../policy/policy.ts';
import type { CommandReader } from '../command-reader.ts';
import type { XmlElement } from '../xml/element.ts';
import { type Markup, xml } from '../xml/write.ts';

/**
 * What a contact discloses. A `disclose` of RFC 5733 lists exceptions to what the registry does otherwise, which is to
 * disclose nothing: so flag 1 discloses the elements in it, and flag 0 nothing, whatever is in it.
 */
export function readDisclose(element: XmlElement, reader: CommandReader): DisclosedAttribute[] {
  const read = reader.children(element, {
    ...({ name: 'list', org: 'list', addr: 'list', voice: 'maybe', fax: 'maybe', email: 'maybe' } as const),
  });
  // There is one postal address: its form makes no difference, and what the registry does not store is never disclosed.
  for (const each of [...read.name, ...read.org, ...read.addr])
    reader.choice(each, 'type', ['int', 'loc'], 'int');
  for (const each of element.children) reader.empty(each);
  if (!isAllowing(element, reader)) return [];
  return [
    ...(read.name.length > 0 ? (['name'] as const) : []),
    ...(read.email ? (['email'] as const) : []),
    ...(read.voice ? (['phone'] as const) : []),
    ...(read.addr.length > 0 ? (['address'] as const) : []),
  ];
}

function isAllowing(element: XmlElement, reader: CommandReader): boolean {
  if (element.attributes.flag === undefined) reader.wrong(element, 'an attribute flag');
  return ['1', 'true'].includes(reader.choice(element, 'flag', ['0', '1', 'false', 'true'], '0'));
}

/** In the order of the schema; nothing for a contact that discloses nothing. */
export function discloseInfo(attributes: readonly string[]): Markup | undefined {
  const shown = (attribute: DisclosedAttribute, element: Markup) => attributes.includes(attribute) && element;
  return attributes.length === 0
    ? undefined
    : xml`<contact:disclose flag="1">${shown('name', xml`<contact:name type="int"/>`)}${shown('address', xml`<contact:addr type="int"/>`)}${shown('phone', xml`<contact:voice/>`)}${shown('email', xml`<contact:email/>`)}</contact:disclose>`;
}
