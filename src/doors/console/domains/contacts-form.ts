import { searchKey } from '../../../registry/contacts/contact-fields.ts';
import type { ContactRole } from '../../../registry/domains/domain.ts';
import type { OwnDomain } from '../../../registry/domains/readings/read-own-domain.ts';
import { updateDomain } from '../../../registry/domains/update-domain.ts';
import { runRegistryOperation } from '../../../registry/run-registry-operation.ts';
import { contactPickerScript } from '../assets.ts';
import { refusal } from '../form-refusals.ts';
import { onlyVersion } from '../only-version.ts';
import type { FormInput } from '../console-page.ts';
import { definePreviewed } from '../previewed-form.ts';
import { DOMAIN_FIELDS } from '../render-refusals.ts';
import { changeTexts } from './change-form-texts.ts';
import { contactPicker } from './contact-search.ts';
import { domainAddress } from './domains-page.ts';
import { checkCodes, codesIn } from './list-fields.ts';
import { loadOwnDomain } from './own-domain.ts';
import { contactItem, listed, namesOf } from './preview-lists.ts';

const FIELDS: Readonly<Record<ContactRole, 'admins' | 'techs'>> = { admin: 'admins', tech: 'techs' };
const ROLES: readonly ContactRole[] = ['admin', 'tech'];

/** The administrative and technical contacts of a domain, as they shall be afterwards. */
export const contactsChange = definePreviewed({
  path: '/domains/:name/contacts',
  right: 'objects',
  longFields: ['admins', 'techs'],
  dryRun: { unless: [] },
  names: DOMAIN_FIELDS,
  load: loadOwnDomain,
  version: ({ version }) => version,
  texts: ({ name }, visit) => {
    const { contacts, back } = changeTexts(visit.lang);
    return {
      title: contacts.title(name),
      confirm: contacts.confirm,
      top: contactPicker(
        ROLES.map((role) => FIELDS[role]),
        visit,
      ),
      scripts: [contactPickerScript],
      back: { to: domainAddress(name), text: back },
    };
  },
  fields: (domain, values, { lang }) => {
    const { fields, hints } = changeTexts(lang);
    return ROLES.map((role) => ({
      name: FIELDS[role],
      label: fields[FIELDS[role]],
      hint: hints.codes,
      lines: 3,
      isOptional: true,
      value: values(FIELDS[role], presentCodes(domain, role).join('\n')),
    }));
  },
  read: (form, domain) => {
    const tooLong = ROLES.flatMap((role) => checkCodes(form, FIELDS[role]));
    if (tooLong.length > 0) return { refusals: tooLong };
    const changes = ROLES.map((role) => changesOf(form, domain, role));
    const remove = changes.flatMap(({ removed }) => removed);
    const add = changes.flatMap(({ added }) => added);
    return {
      value: {
        name: domain.name,
        remove: { contacts: remove },
        add: { contacts: add },
      },
    };
  },
  checkPreview: ({ remove, add }) =>
    remove.contacts.length + add.contacts.length === 0 ? [refusal('nothingChanges')] : [],
  run: (database, input, context, version) =>
    runRegistryOperation(database, onlyVersion(updateDomain, version), input, context),
  preview: async ({ remove, add }, _domain, visit, parts) => {
    const texts = changeTexts(visit.lang);
    const contacts = [...remove.contacts, ...add.contacts].map(({ code }) => code);
    const names = await namesOf(parts, contacts, visit);
    return ROLES.flatMap((role) =>
      ([['removed', remove] as const, ['added', add] as const] as const).map(([what, { contacts: list }]) => {
        const keys = list.filter((each) => each.role === role).map(({ code }) => searchKey(code));
        const items = names.filter(({ code }) => keys.includes(searchKey(code))).map(contactItem);
        return [`${texts.fields[FIELDS[role]]}: ${texts[what]}`, listed(items)] as const;
      }),
    );
  },
  done: (_answer, { name }) => ({ to: domainAddress(name), notice: 'domainChanged' }),
});

const presentCodes = ({ contacts }: OwnDomain, role: ContactRole): string[] =>
  contacts.filter((each) => each.role === role).map(({ code }) => code);

function changesOf(form: FormInput, domain: OwnDomain, role: ContactRole) {
  const field = FIELDS[role];
  const [wanted, present] = [codesIn(form.field(field)), presentCodes(domain, role)];
  const missingIn = (list: readonly string[], codes: readonly string[]) =>
    codes
      .filter((code) => !list.some((other) => searchKey(other) === searchKey(code)))
      .map((code, index) => ({ code, role, at: [field, index] as const }));
  return { removed: missingIn(wanted, present), added: missingIn(present, wanted) };
}
