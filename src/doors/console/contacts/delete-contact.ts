import { deleteContact } from '../../../registry/contacts/delete.ts';
import { runRegistryOperation } from '../../../registry/run-registry-operation.ts';
import { isolated } from '../../html/language.ts';
import { contactAddress } from '../domains/domains-page.ts';
import { onlyVersion } from '../only-version.ts';
import { defineOperation } from '../operation-form.ts';
import { consoleAddress } from '../page.ts';
import { CONTACT_FIELDS } from '../render-refusals.ts';
import { contactFormTexts } from './contact-form-texts.ts';
import { loadOwnContact } from './own-contact.ts';

export const contactDeletion = defineOperation({
  ...{ path: '/contacts/:code/delete', right: 'objects' },
  names: CONTACT_FIELDS,
  load: loadOwnContact,
  version: ({ version }) => version,
  texts: ({ code }, { lang }) => {
    const { delete: texts, back } = contactFormTexts(lang);
    return {
      ...{ title: texts.title(code), confirm: texts.confirm, lead: texts.happens },
      back: { to: contactAddress(code), text: back },
    };
  },
  fields: () => [],
  read: (_form, { code }) => ({ value: { code } }),
  run: (database, input, context, version) =>
    runRegistryOperation(database, onlyVersion(deleteContact, version), input, context),
  preview: (_input, { name }, { lang }) => {
    const { fields, happens, delete: texts } = contactFormTexts(lang);
    return [
      [fields.name, isolated(name)],
      [happens, texts.happens],
    ];
  },
  done: () => ({ to: consoleAddress('/contacts'), notice: 'contactDeleted' }),
});
