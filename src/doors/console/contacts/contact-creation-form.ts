import { dayIn } from '../../../platform/values/dates.ts';
import { parseNewContact } from '../../../registry/contacts/contact-fields.ts';
import { createContact } from '../../../registry/contacts/create-contact.ts';
import { identTypes } from '../../../registry/contacts/ident.ts';
import { runRegistryOperation } from '../../../registry/run-registry-operation.ts';
import { contactAddress } from '../domains/domains-page.ts';
import { consoleAddress } from '../console-page.ts';
import { definePreviewed } from '../previewed-form.ts';
import { CONTACT_FIELDS } from '../render-refusals.ts';
import {
  contactFacts,
  countryChoices,
  furtherFields,
  personFields,
  readCommon,
  textField,
} from './contact-form.ts';
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
  fields: (_, values, { lang }, { policy }) => {
    const texts = contactFormTexts(lang);
    const kinds = identTypes.map((type) => [type, texts.identTypes[type]] as const);
    return [
      ...personFields(values, lang),
      {
        legend: texts.identification,
        fields: [
          textField('identType', values, lang, { choices: kinds }),
          textField('ident', values, lang, { autocomplete: 'off' }),
          textField('identCountry', values, lang, {
            initial: policy.country,
            choices: countryChoices(lang),
          }),
        ],
      },
      ...furtherFields(values, lang, policy),
      textField('id', values, lang, { isOptional: true, maxLength: policy.contacts.codeLength }),
    ];
  },
  read: (form, _, { policy }, { now }) => {
    const text = (name: string) => form.field(name).trim();
    const ident = {
      ident: text('ident'),
      type: text('identType'),
      countryCode: text('identCountry'),
    };
    const contact = { ...readCommon(form), ident, ...(text('id') !== '' && { code: text('id') }) };
    return parseNewContact(contact, policy, dayIn(policy.timeZone, now));
  },
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
