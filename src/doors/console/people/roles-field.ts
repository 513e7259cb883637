import { PERSON_ROLES, type PersonRole } from '../../../registry/people/person.ts';
import { checkboxes } from '../../html/choices.ts';
import type { Html, Language } from '../../html/layout.ts';
import { frameTexts } from '../frame-texts.ts';
import type { FormInput } from '../page.ts';
import { peopleTexts } from './people-texts.ts';

/** The roles of a person as boxes of a form. */
export function rolesField(lang: Language, chosen: readonly PersonRole[], fault?: string): Html {
  const { roles, roleHints } = peopleTexts(lang);
  const { roles: names } = frameTexts(lang);
  const choices = PERSON_ROLES.map((role) => ({
    ...{ value: role, label: names[role], hint: roleHints[role], isChosen: chosen.includes(role) },
  }));
  return checkboxes({ name: 'role', label: roles, fault, choices });
}

export const chosenRoles = ({ field }: FormInput): PersonRole[] =>
  PERSON_ROLES.filter((role) => field(`role-${role}`) !== '');
