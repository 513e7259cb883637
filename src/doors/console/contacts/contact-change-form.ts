import { dayIn } from '../../../platform/values/dates.ts';
import { parseContactChange } from '../../../registry/contacts/contact-fields.ts';
import { updateContact } from '../../../registry/contacts/update-contact.ts';
import { runRegistryOperation } from '../../../registry/run-registry-operation.ts';
import { contactAddress } from '../domains/domain-columns.ts';
import { onlyVersion } from '../only-version.ts';
import { definePreviewed } from '../previewed-form.ts';
import { CONTACT_FIELDS } from '../render-refusals.ts';
import { contactFacts, furtherFields, personFields, readCommon } from './contact-form.ts';
import { contactFormTexts } from './contact-form-texts.ts';
import { loadOwnContact } from './own-contact.ts';

/** Everything about a contact but its code and identification, which never change. */
export const contactChange = definePreviewed({
  path: '/contacts/:code/change',
  right: 'objects',
  names: CONTACT_FIELDS,
  load: loadOwnContact,
  version: ({ version }) => version,
  texts: ({ code }, { lang }) => {
    const { change, back } = contactFormTexts(lang);
    return {
      title: change.title(code),
      confirm: change.confirm,
      back: { to: contactAddress(code), text: back },
    };
  },
  fields: (contact, values, { lang }, { policy }) => [
    ...personFields(values, lang, contact),
    ...furtherFields(values, lang, policy, contact),
  ],
  read: (form, contact, { policy }, { now }) => {
    const parsed = parseContactChange(readCommon(form, contact), policy, dayIn(policy.timeZone, now));
    return 'refusals' in parsed ? parsed : { value: { code: contact.code, fields: parsed.value } };
  },
  run: (database, input, context, version) =>
    runRegistryOperation(database, onlyVersion(updateContact, version), input, context),
  preview: ({ fields }, _contact, { lang }) => contactFacts(fields, lang),
  done: (_answer, { code }) => ({ to: contactAddress(code), notice: 'contactChanged' }),
});
