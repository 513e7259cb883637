import { requireNone } from '../../../operations/refusal.ts';
import { type ContactRecord, readContactRecord } from '../../../registry/contacts/read-contact-record.ts';
import { repositoryId } from '../../../registry/repository-id.ts';
import { identInfo } from '../extensions/eis.ts';
import { refuse } from '../frame-refusals.ts';
import { NAMESPACES } from '../namespaces.ts';
import { type Markup, xml } from '../xml/write.ts';
import { type Call, isShownCode, type ObjectHandler, shownRegistrar, shownTime } from './object-handler.ts';
import { discloseInfo } from './contact-disclose.ts';
import { meantCode } from './meant-contacts.ts';

export const infoContact: ObjectHandler = {
  extensions: [],
  async handle(call) {
    const { element, reader, database, policy, context } = call;
    const { id, authInfo } = reader.children(element, { id: 'one', authInfo: 'maybe' });
    const given = reader.text(id, ['code']);
    reader.authInfo(authInfo);
    requireNone(reader.refusals);
    const code = await meantCode(call, given);
    if (!isShownCode(code, call)) refuse('objectMissing');
    const contact = await readContactRecord(database.reads, code, policy, context.principal);
    return {
      code: 1000,
      data: contactInfo(contact, call),
      extensions: [call.isExpected(NAMESPACES.eis) ? identInfo(contact.ident) : undefined],
    };
  },
};

/** Of the schema. */
const MAX_STATUSES = 7;

function contactInfo(contact: ContactRecord, call: Call): Markup {
  const { updater } = contact;
  const sponsor = shownRegistrar(contact.sponsor, call);
  const isChanged = contact.updatedAt > contact.createdAt;
  return xml`<contact:infData xmlns:contact="${call.namespace}"><contact:id>${contact.code}</contact:id><contact:roid>${repositoryId('C', contact.id, call.policy)}</contact:roid>${contact.statuses
    .slice(0, MAX_STATUSES)
    .map(
      (status) => xml`<contact:status s="${status}"/>`,
    )}<contact:postalInfo type="int"><contact:name>${contact.name}</contact:name>${addressInfo(contact, call)}</contact:postalInfo><contact:voice>${contact.phone}</contact:voice><contact:email>${contact.email}</contact:email><contact:clID>${sponsor}</contact:clID><contact:crID>${sponsor}</contact:crID><contact:crDate>${shownTime(contact.createdAt, call)}</contact:crDate>${
    isChanged && updater !== null && xml`<contact:upID>${shownRegistrar(updater, call)}</contact:upID>`
  }${
    isChanged && xml`<contact:upDate>${shownTime(contact.updatedAt, call)}</contact:upDate>`
  }<contact:authInfo><contact:pw>${contact.authInfo}</contact:pw></contact:authInfo>${
    // The schema of the other dialect has no element for it.
    call.dialect !== 'ee' && discloseInfo(contact.disclosedAttributes)
  }</contact:infData>`;
}

/** The standard dialect requires an address: without one it is the country of the identification. */
function addressInfo({ address, ident }: ContactRecord, { dialect }: Call): Markup | undefined {
  if (!address)
    return dialect === 'ee'
      ? undefined
      : xml`<contact:addr><contact:city>-</contact:city><contact:cc>${ident.countryCode}</contact:cc></contact:addr>`;
  const { street, city, state, postalCode, countryCode } = address;
  return xml`<contact:addr>${street?.map((line) => xml`<contact:street>${line}</contact:street>`)}<contact:city>${city}</contact:city>${
    state !== undefined && xml`<contact:sp>${state}</contact:sp>`
  }${
    postalCode !== undefined && xml`<contact:pc>${postalCode}</contact:pc>`
  }<contact:cc>${countryCode}</contact:cc></contact:addr>`;
}
