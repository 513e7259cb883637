import type { Refusal } from '../../operations/refusal.ts';
import type { Role } from '../actor.ts';
import { refusal } from '../operator-refusals.ts';
import { isPasswordLength, MAX_PASSWORD_LENGTH, MIN_PASSWORD_LENGTH } from './password-length.ts';

export const USER_ROLES: readonly Role[] = ['super', 'epp', 'billing'];
export const isUsername = (text: string): boolean => /^[A-Za-z0-9._@-]{1,64}$/.test(text);

export const checkUsername = (username: string): Refusal[] =>
  isUsername(username) ? [] : [refusal('usernameInvalid', { at: ['username'] })];

export const checkUserPassword = (password: string): Refusal[] =>
  isPasswordLength(password)
    ? []
    : [refusal('userPasswordLength', { least: MIN_PASSWORD_LENGTH, most: MAX_PASSWORD_LENGTH })];
