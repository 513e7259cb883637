import type { Role } from '../../../registry/actor.ts';
import { USER_ROLES } from '../../../registry/users/user-rules.ts';
import { checkboxes } from '../../html/choices.ts';
import type { Html, Language } from '../../html/layout.ts';
import type { FormInput } from '../page.ts';
import { accessTexts } from './access-texts.ts';

/** The roles of an API user as boxes of a form. */
export function userRolesField(lang: Language, chosen: readonly Role[], fault?: string): Html {
  const { roles, roleNames } = accessTexts(lang);
  const choices = USER_ROLES.map((role) => ({
    ...{ value: role, label: role, hint: roleNames[role], isChosen: chosen.includes(role) },
  }));
  return checkboxes({ name: 'role', label: roles, fault, choices });
}

export const chosenUserRoles = ({ field }: FormInput): Role[] =>
  USER_ROLES.filter((role) => field(`role-${role}`) !== '');
