import { noAnswerText, TIME_IS_UP } from '../../platform/no-answer.ts';
import { TargetFailure, type TargetFault } from '../../platform/webhooks/post-to-target.ts';

/** The receiver answered, and did not take the event. */
export class NotTaken extends Error {
  readonly status: number;
  /** The beginning of the answer, as far as it may be shown. */
  readonly body: string;
  /** How long it asks to be left alone. */
  readonly retryAfterMs: number | undefined;
  constructor(status: number, body = '', retryAfterMs?: number) {
    super(`Answered ${status}`);
    this.status = status;
    this.body = body;
    this.retryAfterMs = retryAfterMs;
  }
}

/** What registrars are told, and nothing else: an error of the network may name addresses of the registry's own. */
const FAULT_TEXTS: Readonly<Record<TargetFault, string>> = {
  'target not allowed': 'The URL, or an address of its host, is not allowed',
  'name not resolved': 'The name of the host could not be resolved',
  'not connected': 'No connection could be made',
  'not secured': 'No secure connection could be made: the certificate is not trusted, or not of this host',
  'not answered': 'The connection ended without a valid answer',
  'time is up': noAnswerText(TIME_IS_UP),
};

/** Why an attempt failed, for the registrar; operators see the message of the error. */
export function failureReason(error: Error): string {
  if (error instanceof NotTaken) return error.message;
  return error instanceof TargetFailure ? FAULT_TEXTS[error.fault] : 'Not sent';
}
