import type { Refusal } from '../../operations/refusal.ts';
import { refusal } from '../operator-refusals.ts';

const NAME = /^[a-z0-9]([a-z0-9.-]{0,61}[a-z0-9])?$/;

/** Names of secondaries and of keys, which messages carry as names of the DNS. */
export const checkName = (name: string): Refusal[] =>
  NAME.test(name) && !name.includes('..') ? [] : [refusal('secondaryNameInvalid')];
