export { ConnectionError, CredentialsError, isCommonRefusal, Refusal, RegistryError, UnavailableError, UnexpectedAnswerError, } from './errors.js';
export { followEvents } from './follow-events.js';
export { EVENT_TYPES } from './generated/events.js';
export { List } from './list.js';
export { VERSION } from './version.js';
export { isKnownEvent, WebhookError, } from './webhook-event.js';
