import type { Parsed, Refusal } from '../../../operations/refusal.ts';
import {
  type ContactListChange,
  previewContactLists,
} from '../../../registry/domains/bulk/change-contact-lists.ts';
import { findDomainsOfContact } from '../../../registry/domains/bulk/replace-tech.ts';
import { codesOf } from '../../../registry/domains/domain.ts';
import { inPrimaryListTurn } from '../../../registry/list-turns.ts';
import type { FormInput } from '../console-page.ts';
import { checkCodes, codesIn } from '../domains/list-fields.ts';
import { refusal } from '../form-refusals.ts';
import { defineBulk } from './define-bulk.ts';
import { MAX_NAMES } from './name-list.ts';
import { taskTexts } from './task-texts.ts';

const ROLES = ['admin', 'tech'] as const;
const CHANGES = ['set', 'replace', 'add', 'remove'] as const;

/** Sets, adds, removes or replaces the contacts of many domains in one role. */
export const contactLists = defineBulk<'contacts'>({
  kind: 'contacts',
  path: '/bulk/contacts',
  texts: (lang) => taskTexts(lang).contacts,
  prefilled: ['role', 'how', 'current', 'contact', 'contacts'],
  longFields: ['contacts', 'current'],
  fields: (values, { lang }) => {
    const texts = taskTexts(lang).contacts;
    return [
      {
        name: 'role',
        label: texts.role,
        value: values('role', 'admin'),
        choices: ROLES.map((role) => [role, texts.roles[role]] as const),
      },
      {
        name: 'how',
        label: texts.how,
        value: values('how', 'set'),
        choices: CHANGES.map((how) => [how, texts.changes[how]] as const),
      },
      {
        name: 'contacts',
        label: texts.next,
        hint: texts.hint,
        lines: 2,
        isOptional: true,
        value: values('contacts'),
      },
      {
        name: 'current',
        label: texts.current,
        hint: texts.currentHint,
        lines: 2,
        isOptional: true,
        // The filter of the list by which somebody came here.
        value: values('current', values('contact')),
      },
    ];
  },
  read: readChange,
  valuesOf: ({ role, remove, add }) => ({
    role,
    how: remove === 'all' ? 'set' : add.length === 0 ? 'remove' : remove.length === 0 ? 'add' : 'replace',
    contacts: add.join('\n'),
    current: remove === 'all' ? '' : remove.join('\n'),
  }),
  allOf: async ({ database }, { role, remove }, { principal }) => {
    if (remove === 'all' || remove.length === 0) return undefined;
    const found = new Set<string>();
    for (const code of remove) {
      const { names } = await inPrimaryListTurn(database, principal, (db) =>
        findDomainsOfContact(db, { code, role }, MAX_NAMES + 1, principal),
      );
      for (const name of names) found.add(name);
    }
    const names = [...found].toSorted();
    return { names: names.slice(0, MAX_NAMES), isMore: names.length > MAX_NAMES };
  },
  noneHas: 'noDomainHasContact',
  preview: ({ database }, change, listed, context) =>
    previewContactLists(
      database,
      listed.map(({ name }) => name),
      change,
      context,
    ),
  describe: ({ before, after }, { lang }, _parts, { role }) => {
    const texts = taskTexts(lang).contacts;
    if (before === after) return texts.same;
    const codes = ({ contacts }: typeof before) => codesOf(contacts, role).join(', ');
    return texts.become(codes(before), codes(after));
  },
});

function readChange(form: FormInput): Parsed<ContactListChange> {
  const role = ROLES.find((known) => known === form.field('role'));
  const how = CHANGES.find((known) => known === form.field('how'));
  if (!role || !how)
    return {
      refusals: [
        ...(role ? [] : [refusal('wrongSyntax', { field: 'role', expected: ROLES.join(', ') })]),
        ...(how ? [] : [refusal('wrongSyntax', { field: 'how', expected: CHANGES.join(', ') })]),
      ],
    };
  const added = how === 'remove' ? NONE : readCodes(form, 'contacts');
  const removed = how === 'replace' || how === 'remove' ? readCodes(form, 'current') : NONE;
  const refusals = [...added.refusals, ...removed.refusals];
  if (refusals.length > 0) return { refusals };
  return { value: { role, remove: how === 'set' ? 'all' : removed.codes, add: added.codes } };
}

const NONE = { codes: [], refusals: [] };

function readCodes(
  form: FormInput,
  field: string,
): { readonly codes: readonly string[]; readonly refusals: readonly Refusal[] } {
  const tooLong = checkCodes(form, field);
  if (tooLong.length > 0) return { codes: [], refusals: tooLong };
  const codes = codesIn(form.field(field));
  return codes.length > 0
    ? { codes, refusals: [] }
    : { codes, refusals: [refusal('fieldMissing', { field })] };
}
