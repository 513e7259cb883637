import { createContact } from '../../../registry/contacts/create-contact.ts';
import { runRegistryOperation } from '../../../registry/run-registry-operation.ts';
import { contactAddress } from '../domains/domain-columns.ts';
import { consoleAddress } from '../console-page.ts';
import { definePreviewed } from '../previewed-form.ts';
import { CONTACT_FIELDS } from '../render-refusals.ts';
import { contactFacts, newContactFields, readNewContact } from './contact-form.ts';
import { contactFormTexts } from './contact-form-texts.ts';
import { identText } from './contact-query.ts';

/** A new contact. No code of a contact has a tilde, so that its address is nobody's page. */
export const contactCreation = definePreviewed({
  path: '/contacts/~create',
  right: 'objects',
  names: CONTACT_FIELDS,
  load: async () => ({}),
  texts: (_, { lang }) => {
    const { create, backToList } = contactFormTexts(lang);
    const back = { to: consoleAddress('/contacts'), text: backToList };
    return { title: create.title, confirm: create.confirm, back };
  },
  fields: (_, values, { lang }, { policy }) => newContactFields(values, lang, policy),
  read: (form, _, { policy }, { now }) => readNewContact(form, policy, now),
  run: (database, input, context) => runRegistryOperation(database, createContact, input, context),
  preview: (contact, _, visit) => {
    const { fields, create, identification } = contactFormTexts(visit.lang);
    return [
      [fields.id, contact.code ?? create.codeLater],
      ...contactFacts(contact, visit.lang),
      [identification, identText(contact.ident, visit)],
    ];
  },
  stored: ({ code }) => ({ contact: { code } }),
  done: ({ contact }) => ({ to: contactAddress(contact.code), notice: 'contactCreated' }),
});
