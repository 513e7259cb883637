import type { Parsed } from '../../../operations/refusal.ts';
import { searchKey } from '../../../registry/contacts/contact-fields.ts';
import { createDomain, type NewDomain } from '../../../registry/domains/create-domain.ts';
import {
  createDomainWithContact,
  type NewContactRole,
} from '../../../registry/domains/create-domain-with-contact.ts';
import { parseNewDomain } from '../../../registry/domains/rules/parse-new-domain.ts';
import { firstExpiry, monthsOf } from '../../../registry/domains/rules/periods.ts';
import { runRegistryOperation } from '../../../registry/run-registry-operation.ts';
import { dayOfTime, isolated } from '../../html/language.ts';
import { CHECKED } from '../../html/form.ts';
import { html } from '../../html/layout.ts';
import { availabilityScript, contactPickerScript } from '../assets.ts';
import { refusal } from '../form-refusals.ts';
import { type ConsoleParts, consoleAddress, type FormInput, type Visit } from '../console-page.ts';
import { identText } from '../contacts/contact-query.ts';
import { definePreviewed } from '../previewed-form.ts';
import { DOMAIN_FIELDS } from '../render-refusals.ts';
import { changeTexts } from './change-form-texts.ts';
import {
  contactPicker,
  contactSearchView,
  registrantField,
  searchContacts,
  searchedAgain,
} from './contact-search.ts';
import { domainAddress } from './domains-page.ts';
import { checkCodes, checkLines, codesIn, keysIn, nameserverLine, nameserversIn } from './list-fields.ts';
import { availabilityAddress } from './name-availability.ts';
import {
  NEW_CONTACT_FIELDS,
  type NewContactSection,
  REGISTRANT_BOX,
  newContactSection,
  readNewContactSection,
} from './new-contact-section.ts';
import { loadPresets, presetButtons, presetChosen } from './nameserver-presets.ts';
import { readYears, yearsField } from './period-field.ts';
import { contactItem, listed, namesOf } from './preview-lists.ts';

const PATH = '/domains/register';

/** A registration, with a contact that is created for it. */
type Registration = { readonly domain: NewDomain; readonly added?: NewContactSection | undefined };

/** Registers a domain, for a contact that is chosen by its code or created with it. */
export const domainRegistration = definePreviewed({
  path: PATH,
  right: 'objects',
  prefilled: ['name', 'years', 'registrant'],
  longFields: ['admins', 'techs', 'nameservers', 'keys'],
  dryRun: { unless: ['reservationCode', 'contact-name'] },
  names: { ...DOMAIN_FIELDS, ...NEW_CONTACT_FIELDS },
  load: async (parts, visit, input) => {
    const [search, presets] = await Promise.all([
      searchContacts(parts, visit, input),
      loadPresets(parts, visit),
    ]);
    return { search, presets };
  },
  showsAgain: (form) => searchedAgain(form) ?? presetChosen(form),
  texts: (_, visit) => {
    const { register, backToList } = changeTexts(visit.lang);
    return {
      title: register.title,
      confirm: register.confirm,
      top: html`<p hidden role="status" class="availability" data-availability="${availabilityAddress}"></p>\n${contactPicker(['registrant', 'admins', 'techs'], visit)}`,
      scripts: [availabilityScript, contactPickerScript],
      back: { to: consoleAddress('/domains'), text: backToList },
    };
  },
  fields: ({ search, presets }, values, visit, { policy }) => {
    const { lang } = visit;
    const { register, fields, hints } = changeTexts(lang);
    const optional = (name: keyof typeof fields, hint: string, lines?: number) => ({
      name,
      label: fields[name],
      hint,
      value: values(name),
      isOptional: true,
      ...(lines !== undefined && { lines }),
    });
    return [
      { name: 'name', label: fields.name, hint: hints.name, value: values('name'), maxLength: 300 },
      yearsField(values, lang),
      {
        legend: register.holder,
        top: contactSearchView(search, visit),
        // Browsers must not demand it: the new contact can be the registrant.
        fields: [{ ...registrantField(search, values, lang), isOptional: true }],
      },
      newContactSection(values, visit, policy),
      {
        legend: register.contacts,
        fields: [optional('admins', hints.codes, 2), optional('techs', hints.codes, 2)],
      },
      {
        legend: register.technical,
        top: presetButtons(presets, visit),
        fields: [optional('nameservers', hints.nameservers, 4), optional('keys', hints.keys, 3)],
      },
      optional('reservationCode', hints.reservationCode),
    ];
  },
  read: (form, _, parts, visit) => readRegistration(form, parts, visit),
  run: (database, { domain, added }, context) =>
    added
      ? createDomainWithContact(database, { domain, ...added }, context)
      : runRegistryOperation(database, createDomain, domain, context),
  preview: async ({ domain, added }, _, visit, parts) => {
    const { register, fields, years, newContact } = changeTexts(visit.lang);
    const { name, months, registrant, admins, techs, nameservers, dnsKeys } = domain;
    const names = await namesOf(parts, [registrant, ...admins, ...techs], visit);
    const named = (codes: readonly string[], role: NewContactRole) => {
      const keys = codes.map(searchKey);
      const own = names.filter(({ code }) => keys.includes(searchKey(code))).map(contactItem);
      const isAdded = added?.roles.includes(role);
      return isAdded ? [...own, isolated(newContact.shown(added?.contact.name ?? ''))] : own;
    };
    const expiry = firstExpiry(visit.now, months, parts.policy);
    return [
      [fields.name, isolated(name.unicode)],
      [fields.registrant, named([registrant], 'registrant')],
      [fields.period, years(months / 12)],
      [register.expires, dayOfTime(visit.lang, expiry, parts.policy)],
      [fields.admins, listed(named(admins, 'admin'))],
      [fields.techs, listed(named(techs, 'tech'))],
      [newContact.legend, added && listed(contactLines(added, visit))],
      [fields.nameservers, listed(nameservers.map(nameserverLine))],
      [fields.keys, listed(dnsKeys.map(({ flags, alg, publicKey }) => `${flags} 3 ${alg} ${publicKey}`))],
    ];
  },
  done: (_answer, { domain: { name } }) => ({ to: domainAddress(name.unicode), notice: 'domainRegistered' }),
});

function contactLines({ contact: { name, email, phone, ident, code } }: NewContactSection, visit: Visit) {
  return [name, email, phone, identText(ident, visit), ...(code === undefined ? [] : [code])].map(isolated);
}

function readRegistration(form: FormInput, { policy }: ConsoleParts, { now }: Visit): Parsed<Registration> {
  const tooLong = [
    ...['admins', 'techs'].flatMap((field) => checkCodes(form, field)),
    ...['nameservers', 'keys'].flatMap((field) => checkLines(form, field)),
  ];
  if (tooLong.length > 0) return { refusals: tooLong };
  const text = (name: string) => form.field(name).trim();
  const { years, refusals } = readYears(form);
  const reservationCode = text('reservationCode');
  const added = readNewContactSection(form, policy, now);
  const isHolder = form.field(REGISTRANT_BOX) === CHECKED && added !== undefined;
  const missing = ['name', 'registrant'].filter(
    (name) => text(name) === '' && !(name === 'registrant' && isHolder),
  );
  const parsed = parseNewDomain(
    {
      name: text('name'),
      registrant: text('registrant'),
      months: monthsOf(years, 'y'),
      reservationCode: reservationCode === '' ? undefined : reservationCode,
      admins: codesIn(text('admins')),
      techs: codesIn(text('techs')),
      nameservers: nameserversIn(text('nameservers')),
      dnsKeys: keysIn(text('keys')),
    },
    policy,
  );
  const found = [
    ...(added && 'refusals' in added ? added.refusals : []),
    ...missing.map((field) => refusal('fieldMissing', { field })),
    ...refusals,
    ...('refusals' in parsed ? parsed.refusals : []).filter(
      ({ at }) => at?.[0] !== 'name' || !missing.includes('name'),
    ),
  ];
  if (found.length > 0 || 'refusals' in parsed) return { refusals: found };
  return { value: { domain: parsed.value, added: added && 'value' in added ? added.value : undefined } };
}
