import { noAnswerText, TIME_IS_UP } from '../../platform/no-answer.ts';
import {
  type TargetAnswer,
  TargetFailure,
  type TargetFault,
} from '../../platform/webhooks/post-to-target.ts';

/** What an attempt came to that was no success. */
export type FailedAttempt = TargetAnswer | { readonly error: Error };

/** What registrars are told, and nothing else: an error of the network may name addresses of the registry's own. */
const FAULT_TEXTS: Readonly<Record<TargetFault, string>> = {
  'target not allowed': 'The URL, or an address of its host, is not allowed',
  'name not resolved': 'The name of the host could not be resolved',
  'not connected': 'No connection could be made',
  'not secured': 'No secure connection could be made: the certificate is not trusted, or not of this host',
  'not answered': 'The connection ended without a valid answer',
  'time is up': noAnswerText(TIME_IS_UP),
};

/** Why an attempt failed, for the registrar. */
export function failureReason(failed: FailedAttempt): string {
  if ('status' in failed) return `Answered ${failed.status}`;
  return failed.error instanceof TargetFailure ? FAULT_TEXTS[failed.error.fault] : 'Not sent';
}

/** The same for operators. */
export const failureDetail = (failed: FailedAttempt): string =>
  'status' in failed ? failureReason(failed) : failed.error.message;
