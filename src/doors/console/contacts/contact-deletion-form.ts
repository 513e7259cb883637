import { deleteContact } from '../../../registry/contacts/delete-contact.ts';
import { runRegistryOperation } from '../../../registry/run-registry-operation.ts';
import { isolated } from '../../html/language.ts';
import { defineConfirmed } from '../confirmed-form.ts';
import { contactAddress } from '../domains/domain-columns.ts';
import { onlyVersion } from '../only-version.ts';
import { consoleAddress } from '../console-page.ts';
import { CONTACT_FIELDS } from '../render-refusals.ts';
import { contactFormTexts } from './contact-form-texts.ts';
import { loadOwnContact } from './own-contact.ts';

const DELETED = { to: consoleAddress('/contacts'), notice: 'contactDeleted' } as const;

export const contactDeletion = defineConfirmed({
  path: '/contacts/:code/delete',
  right: 'objects',
  names: CONTACT_FIELDS,
  load: loadOwnContact,
  version: ({ version }) => version,
  texts: ({ code }, { lang }) => {
    const { delete: texts, back } = contactFormTexts(lang);
    return {
      title: texts.title(code),
      confirm: texts.confirm,
      back: { to: contactAddress(code), text: back },
    };
  },
  consequence: ({ name }, { lang }) => {
    const { fields, happens, delete: texts } = contactFormTexts(lang);
    return [
      [fields.name, isolated(name)],
      [happens, texts.happens],
    ];
  },
  read: (_form, { code }) => ({ value: { code } }),
  run: (database, input, context, version) =>
    runRegistryOperation(database, onlyVersion(deleteContact, version), input, context),
  done: () => DELETED,
  onceGone: DELETED,
});
