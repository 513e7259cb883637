import type { Catalogue } from '../../operations/refusal.ts';

/** Why the registry's staff cannot do something about API users. */
export const userRefusals = {
  userMissing: {
    code: 2303,
    kind: 'missing',
    text: 'There is no user {username}',
    when: 'no API user has the name, or it is one of another registrar',
  },
  usernameInvalid: {
    code: 2005,
    kind: 'syntax',
    text: 'A username has 1 to 64 letters, digits and . _ @ -',
    when: 'a new API user is to have a name that is none',
  },
  usernameTaken: {
    code: 2302,
    kind: 'rule',
    text: 'User {username} was not made: username taken',
    when: 'a new API user is to have the name of another',
  },
  userRegistrarMissing: {
    code: 2303,
    kind: 'rule',
    text: 'User {username} was not made: no such registrar',
    when: 'a new API user is to act for a registrar that does not exist',
  },
  tooManyUsers: {
    code: 2308,
    kind: 'rule',
    text: 'Registrar {registrar} has {most} users that are not shut out',
    when: 'a person of the registrar makes one more API user than it may have, or lets one in; the registry may',
  },
  userPasswordLength: {
    code: 2004,
    kind: 'syntax',
    text: 'A password has {least} to {most} characters',
    when: 'the password that an operator gives an API user is too short or too long',
  },
} as const satisfies Catalogue;
