import type { ContactRole } from '../../../registry/domains/domain.ts';
import type { CommandReader } from '../command-reader.ts';
import type { XmlElement } from '../xml/element.ts';

type ReadContact = { readonly code: string; readonly element: XmlElement };

/** `<contact type="admin">` and `tech`; there are no billing contacts. */
export function readContacts(
  elements: readonly XmlElement[],
  reader: CommandReader,
): Readonly<Record<ContactRole, readonly ReadContact[]>> {
  const read: Record<ContactRole, ReadContact[]> = { admin: [], tech: [] };
  for (const element of elements) {
    const type = reader.choice(element, 'type', ['admin', 'tech', 'billing'], 'admin');
    const code = reader.text(element);
    if (type === 'billing') reader.refuse('unsupportedField', element);
    else read[type].push({ code, element });
  }
  return read;
}
