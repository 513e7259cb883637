import type { Role } from '../../../registry/actor.ts';
import { USER_ROLES } from '../../../registry/users/user-rules.ts';
import { checkboxes } from '../../html/choices.ts';
import { CHECKED } from '../../html/form.ts';
import type { Html, Language } from '../../html/layout.ts';
import type { FormInput, RefusedForm } from '../console-page.ts';
import { accessTexts } from './access-texts.ts';

/** The roles of an API user as boxes of a form. */
export function userRolesField(lang: Language, chosen: readonly Role[], { value, fault }: RefusedForm): Html {
  const { roles, roleNames } = accessTexts(lang);
  const choices = USER_ROLES.map((role) => ({
    value: role,
    label: role,
    hint: roleNames[role],
    isChosen: value(`role-${role}`, chosen.includes(role) ? CHECKED : '') !== '',
  }));
  return checkboxes({ name: 'role', label: roles, fault: fault('role'), choices });
}

/** The names of the boxes, and of all of them together. */
export const USER_ROLE_FIELDS: readonly string[] = ['role', ...USER_ROLES.map((role) => `role-${role}`)];

export const chosenUserRoles = ({ field }: FormInput): Role[] =>
  USER_ROLES.filter((role) => field(`role-${role}`) !== '');
