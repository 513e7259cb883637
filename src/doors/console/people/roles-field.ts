import { PERSON_ROLES, type PersonRole } from '../../../registry/people/person.ts';
import { checkboxes } from '../../html/choices.ts';
import { CHECKED } from '../../html/form.ts';
import type { Html, Language } from '../../html/layout.ts';
import { frameTexts } from '../frame-texts.ts';
import type { FormInput, RefusedForm } from '../console-page.ts';
import { peopleTexts } from './people-texts.ts';

/** The roles of a person as boxes of a form. */
export function rolesField(
  lang: Language,
  chosen: readonly PersonRole[],
  { value, fault }: RefusedForm,
): Html {
  const { roles, roleHints } = peopleTexts(lang);
  const { roles: names } = frameTexts(lang);
  const choices = PERSON_ROLES.map((role) => ({
    value: role,
    label: names[role],
    hint: roleHints[role],
    isChosen: value(`role-${role}`, chosen.includes(role) ? CHECKED : '') !== '',
  }));
  return checkboxes({ name: 'role', label: roles, fault: fault('role'), choices });
}

/** The names of the boxes, and of all of them together. */
export const ROLE_FIELDS: readonly string[] = ['role', ...PERSON_ROLES.map((role) => `role-${role}`)];

export const chosenRoles = ({ field }: FormInput): PersonRole[] =>
  PERSON_ROLES.filter((role) => field(`role-${role}`) !== '');
