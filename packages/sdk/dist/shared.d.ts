/** What every entry of the package has; nothing here needs more than a browser has. */
export type { Answer, Meta, RateLimit } from './answer.ts';
export { ConnectionError, CredentialsError, isCommonRefusal, Refusal, type RefusalEntry, type RefusalOf, RegistryError, UnavailableError, UnexpectedAnswerError, } from './errors.ts';
export { type FollowedEvent, followEvents, type FollowOptions } from './follow-events.ts';
export { EVENT_TYPES, type EventData } from './generated/events.ts';
export type * from './generated/types.ts';
export { List, type Page } from './list.ts';
export type { RetryPolicy } from './retry-policy.ts';
export type { Attempt } from './sender.ts';
export type { Call, CallOptions, Changed, ChangeOptions, Result } from './support-types.ts';
export type { Transport, TransportAnswer, TransportRequest } from './transport.ts';
export { VERSION } from './version.ts';
export { type EventOf, type EventType, isKnownEvent, type KnownEvent, type UnknownEvent, WebhookError, type WebhookEvent, type WebhookFailure, type WebhookRequest, } from './webhook-event.ts';
