import { isBlank } from '../platform/values/normalise-text.ts';
import type { Policy } from '../policy/policy.ts';
import { type Catalogue, defineRefusals, type Refusal } from './refusal.ts';

/** Why an operator changes something. All of it is kept in history. */
export type Reason = {
  /** For the file: registrars do not see it. */
  readonly text?: string | undefined;
  /** One of the reasons of the policy. */
  readonly code?: string | undefined;
  /** What the registrar concerned is told. */
  readonly forRegistrar?: string | undefined;
  readonly caseNumber?: string | undefined;
};

export type ReasonPath = readonly ['reason', keyof Reason];

export const catalogue = {
  reasonEmpty: {
    code: 2003,
    kind: 'syntax',
    text: '{field} must not be empty: it is kept',
    when: 'an operator gives a reason, or a part of it, without visible characters',
  },
  reasonTooLong: {
    code: 2004,
    kind: 'syntax',
    text: '{field} has at most {most} characters',
    when: 'an operator gives a reason that is too long',
  },
  reasonUnknown: {
    code: 2005,
    kind: 'syntax',
    text: '{field} is one of {reasons}',
    when: 'an operator gives the code of a reason that the policy does not have',
  },
} as const satisfies Catalogue;

const { refusal } = defineRefusals<typeof catalogue, ReasonPath>(catalogue);

const MAX_LENGTH = { text: 2_000, forRegistrar: 500, caseNumber: 64 } as const;

export function checkReason(reason: Reason | undefined, { reasons }: Pick<Policy, 'reasons'>): Refusal[] {
  if (!reason) return [];
  const { code } = reason;
  const isKnown = code === undefined || reasons.includes(code);
  return [
    ...(isKnown ? [] : [refusal('reasonUnknown', { at: ['reason', 'code'], reasons: reasons.join(', ') })]),
    ...(['text', 'forRegistrar', 'caseNumber'] as const).flatMap((member) => checkText(reason, member)),
  ];
}

function checkText(reason: Reason, member: keyof typeof MAX_LENGTH): Refusal[] {
  const [text, most] = [reason[member], MAX_LENGTH[member]];
  const at = ['reason', member] as const;
  if (text === undefined) return [];
  if (isBlank(text)) return [refusal('reasonEmpty', { at })];
  return text.length > most ? [refusal('reasonTooLong', { at, most })] : [];
}
