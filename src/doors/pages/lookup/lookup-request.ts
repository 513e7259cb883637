import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Clock } from '../../../platform/clock/clock.ts';
import type { Mode } from '../../../platform/config/config.ts';
import type { Logger } from '../../../platform/logging.ts';
import type { Metrics } from '../../../platform/metrics.ts';
import type { Database } from '../../../platform/database/database.ts';
import type { Policy } from '../../../policy/policy.ts';
import type { LookUp } from '../../../registry/lookup/look-up-domain.ts';
import type { ClientLimiters, LookupLimits } from '../../../registry/lookup/lookup-limits.ts';
import type { IsOwnOrigin } from '../../http/cross-site.ts';
import { type LookupSetting, MAX_ASKED } from './lookup-frame.ts';
import type { LookupNotice } from './lookup-texts.ts';

export type LookupDependencies = {
  readonly mode: Mode;
  readonly database: Database;
  readonly policy: Policy;
  readonly clock: Clock;
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly limits: LookupLimits;
  readonly messageLimiters: ClientLimiters;
  /** Look-ups go on during maintenance. */
  readonly refuseIfBusy: (request: FastifyRequest) => void;
  readonly refuseIfUnavailable: (request: FastifyRequest) => void;
  /** Where links in mails lead. */
  readonly publicUrl: () => string;
  readonly isOwnOrigin: IsOwnOrigin;
};

/** What the routes of these pages share. */
export type LookupPages = {
  readonly setting: (request: FastifyRequest) => LookupSetting;
  readonly sendNotice: (
    request: FastifyRequest,
    reply: FastifyReply,
    answer: { readonly notice: LookupNotice; readonly status: number },
  ) => FastifyReply;
  readonly lookUp: (name: string) => Promise<LookUp>;
  /**
   * Messages from clients that look up too much, with the seconds to wait: a form is read before it is refused, so that
   * what was written can be shown again.
   */
  readonly refusedForms: WeakMap<FastifyRequest, number>;
};

/** Methods of each page; undefined for what is none. */
export function methodsOf({ url }: FastifyRequest): readonly string[] | undefined {
  const [path = ''] = url.split('?', 1);
  if (/^\/lookup\/(?:contact|message\/[^/]+)$/.test(path)) return ['GET', 'HEAD', 'POST'];
  return /^\/lookup(?:\/|\/registrars|\/contact\/sent)?$/.test(path) ? ['GET', 'HEAD'] : undefined;
}

export const isMessageForm = ({ method, url }: FastifyRequest): boolean =>
  method === 'POST' && /^\/lookup\/contact(?:$|\?)/.test(url);

/** A parameter of the query that was given once; what is too long for anything is cut. */
export function textOf({ query }: FastifyRequest, name: string): string {
  const value = (query as Readonly<Record<string, unknown>>)[name];
  return typeof value === 'string' ? value.slice(0, MAX_ASKED).trim() : '';
}
