import type { RegistrantRequest } from './state.ts';

/** The types of poll messages that a registrar decides by. */
export const WRONG_CODES = 'wrong_codes';
export const TRANSFERRED = 'domain_transferred';
export const DELETED = 'domain_deleted';

type Answer = 'confirmed' | 'rejected' | 'lapsed';
export const registrantAnswer = (kind: RegistrantRequest['kind'], answer: Answer): string =>
  `${kind === 'update' ? 'update' : 'deletion'}_${answer}`;
