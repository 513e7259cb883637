import type { OperatorOperation } from '../../../operations/operator-operation.ts';
import { createUser } from '../../../registry/users/create-user.ts';
import { disableUser } from '../../../registry/users/disable-user.ts';
import { dropOldPassword } from '../../../registry/users/drop-old-password.ts';
import { generatePassword } from '../../../registry/users/generate-password.ts';
import { replacePassword } from '../../../registry/users/replace-password.ts';
import { setUserRoles } from '../../../registry/users/set-user-roles.ts';
import { isUsername } from '../../../registry/users/user-rules.ts';
import { html } from '../../html/layout.ts';
import { carryOutFor } from '../account/person-change.ts';
import type { Notice } from '../notice-texts.ts';
import {
  type ChangeOutcome,
  type ConsoleChange,
  type ConsoleParts,
  consoleAddress,
  type FormInput,
  type View,
  type Visit,
} from '../page.ts';
import { accessView, loadAccess, type RefusedAccess } from './access-page.ts';
import { accessTexts } from './access-texts.ts';
import { loadUser, userAddress, userView } from './user-page.ts';
import { chosenUserRoles } from './user-roles.ts';

const DANGEROUS = { right: 'access', needsRecentLogin: true } as const;
/** Long enough to change the programs of an office one by one, as the command has it. */
const OLD_PASSWORD_MS = 86_400_000;

/** False if the registrar has no such user. */
type Run = (parts: ConsoleParts, visit: Visit, username: string, input: FormInput) => Promise<boolean | View>;

/** A change of one API user of the registrar; those of others are unknown. */
const userChange = (name: string, notice: Notice | undefined, run: Run): ConsoleChange => ({
  ...{ path: `/access/users/:user/${name}`, ...DANGEROUS },
  run: async (parts, visit, input) => {
    const { user = '' } = input.params;
    if (!isUsername(user)) return undefined;
    const outcome = await run(parts, visit, user, input);
    if (typeof outcome === 'object') return outcome;
    return outcome ? { to: userAddress(user), ...(notice && { notice }) } : undefined;
  },
});

const isDone = async <Input, Answer>(
  parts: ConsoleParts,
  visit: Visit,
  operation: OperatorOperation<Input, Answer>,
  input: Input,
): Promise<boolean> => 'answer' in (await carryOutFor(visit, parts, operation, input));

export const userChanges: readonly ConsoleChange[] = [
  { ...{ path: '/access/users', ...DANGEROUS }, run: create },
  userChange('roles', 'userRolesChanged', async (parts, visit, username, input) => {
    const roles = chosenUserRoles(input);
    if (roles.length > 0) return isDone(parts, visit, setUserRoles, { username, roles });
    const shown = await loadUser(parts, visit, input);
    const faults = { role: accessTexts(visit.lang).faults.roles };
    return shown ? { ...userView(shown, visit, parts, { faults }), status: 400 } : false;
  }),
  userChange('disable', 'userDisabled', (parts, visit, username) =>
    isDone(parts, visit, disableUser, { username, isDisabled: true }),
  ),
  userChange('enable', 'userEnabled', (parts, visit, username) =>
    isDone(parts, visit, disableUser, { username, isDisabled: false }),
  ),
  userChange('drop-old-password', 'oldPasswordDropped', (parts, visit, username) =>
    isDone(parts, visit, dropOldPassword, { username }),
  ),
  userChange('password', undefined, async (parts, visit, username, { field }) => {
    const password = generatePassword();
    const oldUntil = field('old') === 'none' ? undefined : new Date(visit.now.getTime() + OLD_PASSWORD_MS);
    const isChanged = await isDone(parts, visit, replacePassword, { username, password, oldUntil });
    return isChanged && shownOnce(visit, username, password, accessTexts(visit.lang).changed);
  }),
];

async function create(parts: ConsoleParts, visit: Visit, input: FormInput): Promise<ChangeOutcome> {
  const { faults: texts, created } = accessTexts(visit.lang);
  const username = input.field('username').trim();
  const roles = chosenUserRoles(input);
  const again = async (faults: RefusedAccess['faults'], status: number): Promise<ChangeOutcome> => ({
    ...accessView(await loadAccess(parts, visit), visit, parts, { username, roles, faults }),
    status,
  });
  if (!isUsername(username) || roles.length === 0)
    return again(
      {
        ...(!isUsername(username) && { username: texts.username }),
        ...(roles.length === 0 && { role: texts.roles }),
      },
      400,
    );
  const password = generatePassword();
  const { registrarCode: registrar } = visit.session;
  const outcome = await carryOutFor(visit, parts, createUser, { username, registrar, roles, password });
  return 'answer' in outcome
    ? shownOnce(visit, username, password, created)
    : again({ username: texts.taken }, 409);
}

/** Only its hash is stored. */
function shownOnce({ lang }: Visit, username: string, password: string, heading: string): View {
  const texts = accessTexts(lang);
  return {
    title: heading,
    body: html`<h1>${heading}</h1>
<p class="lead">${texts.passwordOnce(username)}</p>
<dl class="facts"><div><dt>${texts.username}</dt><dd>${username}</dd></div>
<div><dt>${texts.passwordWords}</dt><dd class="secret">${password}</dd></div></dl>
<p><a href="${userAddress(username)}">${username}</a></p>
<p><a href="${consoleAddress('/access')}">${texts.back}</a></p>
`,
  };
}
