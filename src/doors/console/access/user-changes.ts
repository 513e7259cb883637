import type { Refusal } from '../../../operations/refusal.ts';
import { createUser } from '../../../registry/users/create-user.ts';
import { disableUser } from '../../../registry/users/disable-user.ts';
import { dropOldPassword } from '../../../registry/users/drop-old-password.ts';
import { generatePassword } from '../../../registry/users/generate-password.ts';
import { replacePassword } from '../../../registry/users/replace-password.ts';
import { setUserRoles } from '../../../registry/users/set-user-roles.ts';
import { checkUsername } from '../../../registry/users/user-rules.ts';
import { CHECKED } from '../../html/form.ts';
import { html } from '../../html/layout.ts';
import { copyAddress } from '../assets.ts';
import { copyButton } from '../copy-button.ts';
import { defineAtOnce } from '../at-once-form.ts';
import { asPerson } from '../form-context.ts';
import { refusal } from '../form-refusals.ts';
import {
  type ConsoleChange,
  consoleAddress,
  type FormInput,
  type View,
  type Visit,
} from '../console-page.ts';
import { accessPage } from './access-page.ts';
import { type AccessTexts, accessTexts } from './access-texts.ts';
import { loadUser, type ShownUser, userAddress, userPage } from './user-page.ts';
import { chosenUserRoles, USER_ROLE_FIELDS } from './user-roles.ts';

const DANGEROUS = { right: 'access', needsRecentLogin: true } as const;
/** Long enough to change the programs of an office one by one, as the command has it. */
const OLD_PASSWORD_MS = 86_400_000;

/** A change of one API user of the registrar; those of others are unknown. */
const OF_USER = {
  ...DANGEROUS,
  page: userPage,
  load: loadUser,
  to: ({ user }: ShownUser) => userAddress(user.username),
} as const;

const checkRoles = (form: FormInput): Refusal[] =>
  chosenUserRoles(form).length > 0 ? [] : [refusal('noRole', { field: 'role' })];

const switching = (name: string, isDisabled: boolean): ConsoleChange =>
  defineAtOnce({
    ...OF_USER,
    path: `/access/users/:user/${name}`,
    read: (_form, { user: { username } }) => ({ value: { username, isDisabled } }),
    run: asPerson(disableUser),
    done: isDisabled ? 'userDisabled' : 'userEnabled',
    undo: ({ user }) => ({
      path: `/access/users/${encodeURIComponent(user.username)}/${isDisabled ? 'enable' : 'disable'}`,
    }),
  });

export const userChanges: readonly ConsoleChange[] = [
  defineAtOnce({
    ...DANGEROUS,
    path: '/access/users',
    page: accessPage,
    fields: ['username', ...USER_ROLE_FIELDS],
    names: { username: 'username' },
    load: async () => ({}),
    read: (form, _users, _parts, { session }) => {
      const username = form.field('username').trim();
      const refusals = [...checkUsername(username), ...checkRoles(form)];
      if (refusals.length > 0) return { refusals };
      const [registrar, roles] = [session.registrarCode, chosenUserRoles(form)];
      return { value: { username, registrar, roles, password: generatePassword() } };
    },
    run: asPerson(createUser),
    to: () => consoleAddress('/access'),
    done: (_user, created, visit) => shownOnce('created', created, visit),
  }),
  defineAtOnce({
    ...OF_USER,
    path: '/access/users/:user/roles',
    fields: USER_ROLE_FIELDS,
    read: (form, { user: { username } }) => {
      const refusals = checkRoles(form);
      return refusals.length > 0 ? { refusals } : { value: { username, roles: chosenUserRoles(form) } };
    },
    run: asPerson(setUserRoles),
    done: 'userRolesChanged',
    undo: ({ user: { username, roles } }) => ({
      path: `/access/users/${encodeURIComponent(username)}/roles`,
      fields: Object.fromEntries(roles.map((role) => [`role-${role}`, CHECKED])),
    }),
  }),
  switching('disable', true),
  switching('enable', false),
  // A password is stored as its hash only, so what ends or replaces one cannot be taken back.
  defineAtOnce({
    ...OF_USER,
    path: '/access/users/:user/drop-old-password',
    read: (_form, { user: { username } }) => ({ value: { username } }),
    run: asPerson(dropOldPassword),
    done: 'oldPasswordDropped',
  }),
  defineAtOnce({
    ...OF_USER,
    path: '/access/users/:user/password',
    fields: ['old'],
    read: ({ field }, { user: { username } }, _parts, { now }) => {
      const oldUntil = field('old') === 'none' ? undefined : new Date(now.getTime() + OLD_PASSWORD_MS);
      return { value: { username, password: generatePassword(), oldUntil } };
    },
    run: asPerson(replacePassword),
    done: (_user, changed, visit) => shownOnce('changed', changed, visit),
  }),
];

type NewPassword = { readonly username: string; readonly password: string };

/** Only its hash is stored. */
function shownOnce(
  heading: keyof Pick<AccessTexts, 'created' | 'changed'>,
  { username, password }: NewPassword,
  { lang }: Visit,
): View {
  const texts = accessTexts(lang);
  const title = texts[heading];
  return {
    title,
    body: html`<h1>${title}</h1>
<p class="lead">${texts.passwordOnce(username)}</p>
<dl class="facts"><div><dt>${texts.username}</dt><dd>${username}</dd></div>
<div><dt>${texts.passwordWords}</dt><dd class="secret">${password}${copyButton(password, lang, texts.passwordWords)}</dd></div></dl>
<p><a href="${userAddress(username)}">${username}</a></p>
<p><a href="${consoleAddress('/access')}">${texts.back}</a></p>
`,
    scripts: [copyAddress],
  };
}
