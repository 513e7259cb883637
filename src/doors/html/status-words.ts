import type { DomainStatus } from '../../registry/domains/rules/domain-statuses.ts';

/** Every status that a page can show. */
export type ShownStatus = DomainStatus | 'ok' | 'inactive' | 'disputed';
/** What the status is called, and explanation a domain has it. */
export type StatusWords = { readonly title: string; readonly explanation: string };
export type StatusTexts = Readonly<Record<ShownStatus, StatusWords>>;
