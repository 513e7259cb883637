import { findDomainsOfContact, previewTechReplacement } from '../../../registry/domains/bulk/replace-tech.ts';
import { inPrimaryListTurn } from '../../../registry/list-turns.ts';
import { refusal } from '../form-refusals.ts';
import { defineBulk } from './define-bulk.ts';
import { type ListedDomain, MAX_NAMES } from './name-list.ts';
import { taskTexts } from './task-texts.ts';

const namesOf = (listed: readonly ListedDomain[]) => listed.map(({ name }) => name);

/** Replaces one technical contact by another on many domains. */
export const techReplacement = defineBulk<'tech'>({
  kind: 'tech',
  path: '/bulk/tech-contact',
  texts: (lang) => taskTexts(lang).tech,
  prefilled: ['current', 'contact', 'next'],
  fields: (values, { lang }) => {
    const { current, next, hint } = taskTexts(lang).tech;
    return [
      // The filter of the list by which somebody came here.
      { name: 'current', label: current, hint, value: values('current', values('contact')), maxLength: 255 },
      { name: 'next', label: next, hint, value: values('next'), maxLength: 255 },
    ];
  },
  read: (form) => {
    const [current, next] = [form.field('current').trim(), form.field('next').trim()];
    const missing = Object.entries({ current, next }).filter(([, text]) => text === '');
    return missing.length > 0
      ? { refusals: missing.map(([field]) => refusal('fieldMissing', { field })) }
      : { value: { current, next } };
  },
  reverse: ({ current, next }) => ({ current: next, next: current }),
  valuesOf: ({ current, next }) => ({ current, next }),
  allOf: ({ database }, { current }, { principal }) =>
    inPrimaryListTurn(database, principal, (db) =>
      findDomainsOfContact(db, { code: current, role: 'tech' }, MAX_NAMES, principal),
    ),
  noneHas: 'noDomainHasContact',
  preview: ({ database }, input, listed, context) =>
    previewTechReplacement(database, input, namesOf(listed), context),
  describe: ({ after }, { lang }) =>
    taskTexts(lang).tech.have(
      after.contacts
        .filter(({ role }) => role === 'tech')
        .map(({ code }) => code)
        .join(', '),
    ),
});
