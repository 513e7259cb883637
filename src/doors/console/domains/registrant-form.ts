import { searchKey } from '../../../registry/contacts/contact-fields.ts';
import { updateDomain } from '../../../registry/domains/update-domain.ts';
import { runRegistryOperation } from '../../../registry/run-registry-operation.ts';
import { CHECKED } from '../../html/form.ts';
import { html } from '../../html/layout.ts';
import { contactPickerScript } from '../assets.ts';
import { refusal } from '../form-refusals.ts';
import { onlyVersion } from '../only-version.ts';
import { definePreviewed } from '../previewed-form.ts';
import { DOMAIN_FIELDS } from '../render-refusals.ts';
import { changeTexts } from './change-form-texts.ts';
import {
  contactCreationLink,
  contactPicker,
  contactSearchView,
  registrantField,
  searchContacts,
  searchedAgain,
} from './contact-search.ts';
import { domainAddress } from './domains-page.ts';
import { loadOwnDomain, storedDomain } from './own-domain.ts';
import { contactItem, namesOf } from './preview-lists.ts';

/** Another registrant: at once if the present one has agreed, otherwise after its confirmation. */
export const registrantChange = definePreviewed({
  path: '/domains/:name/registrant',
  right: 'objects',
  needsRecentLogin: true,
  prefilled: ['registrant'],
  names: DOMAIN_FIELDS,
  load: async (parts, visit, input) => {
    const domain = await loadOwnDomain(parts, visit, input);
    return domain && { domain, search: await searchContacts(parts, visit, input) };
  },
  showsAgain: searchedAgain,
  version: ({ domain }) => domain.version,
  texts: ({ domain: { name }, search }, visit) => {
    const { registrant, back } = changeTexts(visit.lang);
    return {
      title: registrant.title(name),
      confirm: registrant.confirm,
      top: html`${contactSearchView(search, visit)}${contactCreationLink(visit)}${contactPicker(['registrant'], visit)}`,
      scripts: [contactPickerScript],
      back: { to: domainAddress(name), text: back },
    };
  },
  fields: ({ domain: { statuses }, search }, values, { lang }) => {
    const { fields, hints, registrant } = changeTexts(lang);
    const disputeCode = {
      name: 'disputeCode',
      label: fields.disputeCode,
      hint: hints.disputeCode,
      value: values('disputeCode'),
    };
    return [
      registrantField(search, values, lang),
      {
        name: 'verified',
        type: 'checkbox',
        label: registrant.verified,
        hint: registrant.verifiedHint,
        value: values('verified'),
      },
      ...('disputed' in statuses ? [disputeCode] : []),
    ];
  },
  read: (form, { domain: { name } }) => {
    const [code, disputeCode] = [form.field('registrant').trim(), form.field('disputeCode').trim()];
    if (code === '') return { refusals: [refusal('fieldMissing', { field: 'registrant' })] };
    return {
      value: {
        name,
        registrant: { code, verified: form.field('verified') === CHECKED },
        ...(disputeCode !== '' && { disputeCode }),
      },
    };
  },
  checkPreview: ({ registrant: { code } }, { domain: { contacts, statuses } }) => {
    const isPresent = contacts.some(
      (each) => each.role === 'registrant' && searchKey(each.code) === searchKey(code),
    );
    return isPresent && !('disputed' in statuses) ? [refusal('sameContact', { field: 'registrant' })] : [];
  },
  run: (database, input, context, version) =>
    runRegistryOperation(database, onlyVersion(updateDomain, version), input, context),
  preview: async ({ registrant: { code } }, { domain }, visit, parts, { isPending }) => {
    const { registrant, fields, happens } = changeTexts(visit.lang);
    const present = domain.contacts.find(({ role }) => role === 'registrant');
    const [next] = await namesOf(parts, [code], visit);
    return [
      [registrant.present, present && contactItem(present)],
      [fields.registrant, next && contactItem(next)],
      [happens, isPending ? registrant.pending(parts.policy.domains.confirmationHours) : registrant.atOnce],
    ];
  },
  stored: storedDomain,
  done: ({ domain }, { name }) => ({
    to: domainAddress(name),
    notice: domain.pending ? 'confirmationRequested' : 'registrantChanged',
  }),
});
