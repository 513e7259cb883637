import type { OperatorContext } from '../../operations/operator-operation.ts';
import type { Refusal } from '../../operations/refusal.ts';
import { sql } from '../../platform/sql/statement.ts';
import type { Role } from '../actor.ts';
import { refusal } from '../operator-refusals.ts';
import { isPasswordLength, MAX_PASSWORD_LENGTH, MIN_PASSWORD_LENGTH } from './password-length.ts';

export const USER_ROLES: readonly Role[] = ['super', 'epp', 'billing'];
export const isUsername = (text: string): boolean => /^[A-Za-z0-9._@-]{1,64}$/.test(text);

/** Each user has a rate limit of its own: more of them would give a registrar any rate. */
const MAX_USERS = 50;

export type RegistrarsUsers = {
  readonly code: string;
  /** That are not shut out. */
  readonly users: number;
};
/** For a row `r` of registrars. */
export const ACTIVE_USERS = sql`(select count(*) from api_users where registrar_id = r.id and disabled_at is null)`;

/** Applies to people of the registrar; its registry may make more. */
export const checkUserCount = (
  { code, users }: RegistrarsUsers,
  { registrarId }: Pick<OperatorContext, 'registrarId'>,
): Refusal[] =>
  registrarId === undefined || users < MAX_USERS
    ? []
    : [refusal('tooManyUsers', { registrar: code, most: MAX_USERS })];

export const checkUsername = (username: string): Refusal[] =>
  isUsername(username) ? [] : [refusal('usernameInvalid', { at: ['username'] })];

export const checkUserPassword = (password: string): Refusal[] =>
  isPasswordLength(password)
    ? []
    : [refusal('userPasswordLength', { least: MIN_PASSWORD_LENGTH, most: MAX_PASSWORD_LENGTH })];
