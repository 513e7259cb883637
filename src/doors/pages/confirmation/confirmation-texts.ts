import type { ShownRequest } from '../../../registry/requests/answer-request.ts';
import type { Html, HtmlValue } from '../../html/layout.ts';

export type Kind = ShownRequest['kind'];
/** Values in sentences: escaped names, and the days in which a deleted domain can be restored. */
export type RequestDetails = {
  readonly domain: Html;
  readonly registrar: Html;
  readonly newRegistrant: Html;
  readonly redemptionDays: number;
};
/** Why the page shows no request. */
export type Notice = 'unknown' | 'notUnderstood' | 'tooMany' | 'unavailable' | 'fault';

type Closed = Exclude<ShownRequest['state'], 'open'>;
type ByKind<T> = Readonly<Record<Kind, T>>;
/** The event and its consequence. */
type Outcome = readonly [string, HtmlValue];

/** All texts of the page in one language. */
export type ConfirmationTexts = {
  readonly domain: string;
  readonly registrar: string;
  readonly registrant: string;
  readonly newRegistrant: string;
  readonly requestedAt: string;
  readonly answerBy: string;
  /** Placeholder for a new registrant whose contact no longer exists. */
  readonly someNewRegistrant: string;
  readonly heading: ByKind<(domain: string) => string>;
  readonly asks: ByKind<(details: RequestDetails) => Html>;
  readonly ifConfirmed: ByKind<(details: RequestDetails) => Html>;
  /** Shown if the request changes more than the registrant. */
  readonly furtherChanges: string;
  readonly ifNot: ByKind<string>;
  readonly confirm: ByKind<string>;
  readonly reject: string;
  readonly surprised: string;
  readonly outcome: ByKind<Readonly<Record<Closed, (details: RequestDetails) => Outcome>>>;
  readonly backToRequest: string;
  readonly notice: Readonly<Record<Notice, readonly [heading: string, advice: string]>>;
};
