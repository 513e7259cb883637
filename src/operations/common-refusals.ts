import { type Catalogue, defineRefusals } from './refusal.ts';

/** Refusals common to all operations and their runner, and those of parsers in all modules. */
export const catalogue = {
  fieldMissing: {
    code: 2003,
    kind: 'syntax',
    text: 'Field is missing or empty: {field}',
    when: 'a required field is absent, null or empty',
  },
  outOfRange: {
    code: 2004,
    kind: 'syntax',
    text: '{field} must be {expected}',
    when: 'a number or a count lies outside its bounds',
  },
  wrongSyntax: {
    code: 2005,
    kind: 'syntax',
    text: '{field} must be {expected}',
    when: 'a value has the wrong type or form',
  },
  keyReused: {
    code: 2005,
    kind: 'syntax',
    text: '{field} was used before with another request',
    when: 'the same key came with another method, path or body',
  },
  maintenance: {
    code: 2400,
    kind: 'unavailable',
    text: 'The registry is under maintenance',
    when: 'an operator switched maintenance on',
    retryAfterSeconds: 60,
  },
  overload: {
    code: 2400,
    kind: 'unavailable',
    text: 'The registry is busy; try again',
    when: 'too many requests or too many lists of the registrar are under way, or a lock was not free or the answer not ready in time',
  },
  databaseAway: {
    code: 2400,
    kind: 'unavailable',
    text: 'The registry cannot reach its database; try again',
    when: 'the database cannot be reached',
  },
  clockWrong: {
    code: 2400,
    kind: 'unavailable',
    text: 'The registry does not know what time it is; try again',
    when: 'the clocks of this server and of its database disagree',
  },
  fault: {
    code: 2400,
    kind: 'fault',
    text: 'Command failed; request {requestId}',
    when: 'a fault of ours; the request id finds it in our logs',
  },
} as const satisfies Catalogue;

/** Of the request, beside its command. */
export type RequestPath = readonly ['requestKey'];

const maker = defineRefusals<typeof catalogue, RequestPath>(catalogue);
export const refusal = maker.refusal;
export const refuse: typeof maker.refuse = maker.refuse;
