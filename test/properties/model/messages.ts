import type { RegistrantRequest } from './state.ts';

/** The types of poll messages that a registrar decides by. */
export const WRONG_CODES = 'wrong_codes';
export const TRANSFERRED_AWAY = 'transferred_away';
export const TRANSFERRED_IN = 'transferred_in';
export const EXPIRED = 'expired';
export const OUTZONED = 'outzoned';
export const DELETE_CANDIDATE = 'delete_candidate';
export const REQUEST_WITHDRAWN = 'request_withdrawn';
export const DELETED = 'deleted';
export const ARCHIVED = 'contact_archived';

type Answer = 'confirmed' | 'rejected' | 'lapsed';
export const registrantAnswer = (kind: RegistrantRequest['kind'], answer: Answer): string =>
  `${kind === 'update' ? 'update' : 'deletion'}_${answer}`;
