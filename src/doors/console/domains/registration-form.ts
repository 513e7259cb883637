import type { Parsed } from '../../../operations/refusal.ts';
import { searchKey } from '../../../registry/contacts/contact-fields.ts';
import { createDomain, type NewDomain } from '../../../registry/domains/create-domain.ts';
import { parseNewDomain } from '../../../registry/domains/rules/parse-new-domain.ts';
import { firstExpiry, monthsOf } from '../../../registry/domains/rules/periods.ts';
import { runRegistryOperation } from '../../../registry/run-registry-operation.ts';
import { dayOfTime, isolated } from '../../html/language.ts';
import { html } from '../../html/layout.ts';
import { availabilityScript } from '../assets.ts';
import { refusal } from '../form-refusals.ts';
import { type ConsoleParts, consoleAddress, type FormInput } from '../console-page.ts';
import { definePreviewed } from '../previewed-form.ts';
import { DOMAIN_FIELDS } from '../render-refusals.ts';
import { changeTexts } from './change-form-texts.ts';
import { contactSearchView, registrantField, searchContacts, searchedAgain } from './contact-search.ts';
import { domainAddress } from './domains-page.ts';
import { checkCodes, checkLines, codesIn, keysIn, nameserverLine, nameserversIn } from './list-fields.ts';
import { availabilityAddress } from './name-availability.ts';
import { loadPresets, presetButtons, presetChosen } from './nameserver-presets.ts';
import { readYears, yearsField } from './period-field.ts';
import { contactItem, listed, namesOf } from './preview-lists.ts';

const PATH = '/domains/register';

/** Registers a domain, for a contact that is chosen by its code. */
export const domainRegistration = definePreviewed({
  path: PATH,
  right: 'objects',
  prefilled: ['name', 'years', 'registrant'],
  longFields: ['admins', 'techs', 'nameservers', 'keys'],
  names: DOMAIN_FIELDS,
  load: async (parts, visit, input) => {
    const [search, presets] = await Promise.all([
      searchContacts(parts, visit, input),
      loadPresets(parts, visit),
    ]);
    return { search, presets };
  },
  showsAgain: (form) => searchedAgain(form) ?? presetChosen(form),
  texts: ({ search }, visit) => {
    const { register, backToList } = changeTexts(visit.lang);
    return {
      title: register.title,
      confirm: register.confirm,
      top: html`${contactSearchView(search, visit)}<p hidden role="status" class="availability" data-availability="${availabilityAddress}"></p>\n`,
      script: availabilityScript,
      back: { to: consoleAddress('/domains'), text: backToList },
    };
  },
  fields: ({ search, presets }, values, visit) => {
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
      registrantField(search, values, lang),
      { name: 'name', label: fields.name, hint: hints.name, value: values('name'), maxLength: 300 },
      yearsField(values, lang),
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
  read: (form, _, { policy }) => readRegistration(form, policy),
  run: (database, input, context) => runRegistryOperation(database, createDomain, input, context),
  preview: async (input, _, visit, parts) => {
    const { register, fields, years } = changeTexts(visit.lang);
    const { name, months, registrant, admins, techs, nameservers, dnsKeys } = input;
    const names = await namesOf(parts, [registrant, ...admins, ...techs], visit);
    const named = (codes: readonly string[]) => {
      const keys = codes.map(searchKey);
      return names.filter(({ code }) => keys.includes(searchKey(code))).map(contactItem);
    };
    const expiry = firstExpiry(visit.now, months, parts.policy);
    return [
      [fields.name, isolated(name.unicode)],
      [fields.registrant, named([registrant])],
      [fields.period, years(months / 12)],
      [register.expires, dayOfTime(visit.lang, expiry, parts.policy)],
      [fields.admins, listed(named(admins))],
      [fields.techs, listed(named(techs))],
      [fields.nameservers, listed(nameservers.map(nameserverLine))],
      [fields.keys, listed(dnsKeys.map(({ flags, alg, publicKey }) => `${flags} 3 ${alg} ${publicKey}`))],
    ];
  },
  done: (_answer, { name }) => ({ to: domainAddress(name.unicode), notice: 'domainRegistered' }),
});

function readRegistration(form: FormInput, policy: ConsoleParts['policy']): Parsed<NewDomain> {
  const tooLong = [
    ...['admins', 'techs'].flatMap((field) => checkCodes(form, field)),
    ...['nameservers', 'keys'].flatMap((field) => checkLines(form, field)),
  ];
  if (tooLong.length > 0) return { refusals: tooLong };
  const text = (name: string) => form.field(name).trim();
  const { years, refusals } = readYears(form);
  const reservationCode = text('reservationCode');
  const missing = ['name', 'registrant'].filter((name) => text(name) === '');
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
    ...missing.map((field) => refusal('fieldMissing', { field })),
    ...refusals,
    ...('refusals' in parsed ? parsed.refusals : []).filter(
      ({ at }) => at?.[0] !== 'name' || !missing.includes('name'),
    ),
  ];
  return found.length > 0 || 'refusals' in parsed ? { refusals: found } : parsed;
}
