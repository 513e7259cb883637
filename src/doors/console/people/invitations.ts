import type { Refusal } from '../../../operations/refusal.ts';
import { refusal as staffRefusal } from '../../../registry/operator-refusals.ts';
import { invitePerson } from '../../../registry/people/invite-person.ts';
import type { PersonLanguage } from '../../../registry/people/person.ts';
import { parsePersonEmail } from '../../../registry/people/person-email.ts';
import { parsePersonName } from '../../../registry/people/person-name.ts';
import { withdrawInvitation } from '../../../registry/people/withdraw-invitation.ts';
import { defineAtOnce } from '../at-once-form.ts';
import { asPerson } from '../form-context.ts';
import { refusal } from '../form-refusals.ts';
import { type ConsoleChange, consoleAddress } from '../console-page.ts';
import { peoplePage } from './people-page.ts';
import { chosenRoles, ROLE_FIELDS } from './roles-field.ts';

const DANGEROUS = { right: 'access', needsRecentLogin: true } as const;

/** By mail: a withdrawn invitation does not come back, so neither offers to undo it. */
export const invitationChanges: readonly ConsoleChange[] = [
  defineAtOnce({
    ...DANGEROUS,
    path: '/people/invite',
    page: peoplePage,
    fields: ['email', 'name', 'language', ...ROLE_FIELDS],
    names: { email: 'email', personName: 'name' },
    load: async () => ({}),
    read: (form, _people, { policy, wallClock, publicUrl }, { session }) => {
      const written = form.field('email');
      const email = parsePersonEmail(written, policy);
      const name = parsePersonName(form.field('name'));
      const roles = chosenRoles(form);
      const refusals: Refusal[] = [];
      if (email === undefined)
        refusals.push(staffRefusal('personEmailInvalid', { at: ['email'], email: written }));
      if (name === undefined) refusals.push(staffRefusal('personNameInvalid', { at: ['personName'] }));
      if (roles.length === 0) refusals.push(refusal('noRole', { field: 'role' }));
      if (email === undefined || name === undefined || refusals.length > 0) return { refusals };
      const language: PersonLanguage = form.field('language') === 'en' ? 'en' : 'et';
      const moment = { wallTime: wallClock.now(), publicUrl: publicUrl() };
      return { value: { email, name, language, registrar: session.registrarCode, roles, ...moment } };
    },
    run: asPerson(invitePerson),
    to: () => consoleAddress('/people'),
    done: 'personInvited',
  }),
  defineAtOnce({
    ...DANGEROUS,
    path: '/people/withdraw',
    page: peoplePage,
    load: async () => ({}),
    read: ({ field }, _people, { wallClock }, { session }) => ({
      value: { email: field('email'), registrar: session.registrarCode, wallTime: wallClock.now() },
    }),
    run: asPerson(withdrawInvitation),
    overtaken: ['invitationMissing'],
    to: () => consoleAddress('/people'),
    done: 'invitationWithdrawn',
  }),
];
