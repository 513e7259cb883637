import type { ShownRequest } from '../../../registry/requests/answer-request.ts';
import type { Html, Piece } from '../../html/layout.ts';

export type Kind = ShownRequest['kind'];
/** What stands in sentences: names ready for the page, and the days for which a deleted domain can be brought back. */
export type Told = {
  readonly domain: Html;
  readonly registrar: Html;
  readonly newRegistrant: Html;
  readonly redemptionDays: number;
};
/** Why there is a page, but no request on it. */
export type Notice = 'unknown' | 'notUnderstood' | 'tooMany' | 'unavailable' | 'fault';

type Closed = Exclude<ShownRequest['state'], 'open'>;
type ByKind<T> = Readonly<Record<Kind, T>>;
/** What happened, then what that means. */
type Outcome = readonly [string, Piece];

/** Everything that the page says, in one language. */
export type Words = {
  readonly domain: string;
  readonly registrar: string;
  readonly registrant: string;
  readonly newRegistrant: string;
  readonly requestedAt: string;
  readonly answerBy: string;
  /** Stands in a sentence for a new registrant whose contact is gone. */
  readonly someNewRegistrant: string;
  readonly heading: ByKind<(domain: string) => string>;
  readonly asks: ByKind<(told: Told) => Html>;
  readonly ifConfirmed: ByKind<(told: Told) => Html>;
  readonly ifNot: ByKind<string>;
  readonly confirm: ByKind<string>;
  readonly reject: string;
  readonly surprised: string;
  readonly outcome: ByKind<Readonly<Record<Closed, (told: Told) => Outcome>>>;
  readonly backToRequest: string;
  readonly notice: Readonly<Record<Notice, readonly [heading: string, advice: string]>>;
};
