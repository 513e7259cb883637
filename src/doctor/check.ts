import type { PaymentProvider } from '../billing/provider/provider.ts';
import type { Config } from '../platform/config/config.ts';
import type { Sql } from '../platform/sql/executor.ts';

/** A finding and its remedy. A problem prevents operation; a warning may be intended. */
export type Finding =
  | { readonly state: 'ok'; readonly says: string }
  | { readonly state: 'warning' | 'problem'; readonly says: string; readonly todo: string };

export const ok = (says: string): Finding => ({ state: 'ok', says });
export const warning = (says: string, todo: string): Finding => ({ state: 'warning', says, todo });
export const problem = (says: string, todo: string): Finding => ({ state: 'problem', says, todo });

/** External services that a check may call. */
export type ExternalServices = {
  /** Undefined if none is configured. */
  readonly openProvider: (config: Config) => PaymentProvider | undefined;
};
/** Examines the settings and external services, without a database. */
export type ServiceCheck = {
  readonly name: string;
  examine(config: Config, services: ExternalServices): Promise<Finding[]>;
};

export type AuthorityKeys = {
  /** The private key of our own authority with this fingerprint; undefined if it is not on this machine. */
  readonly findAuthorityKey: (config: Config, fingerprint: string) => Promise<unknown>;
};

export type CheckContext = AuthorityKeys & {
  readonly config: Config;
  readonly sql: Sql;
  readonly now: Date;
};
/** Examines a database whose schema is up to date. */
export type DatabaseCheck = { readonly name: string; examine(context: CheckContext): Promise<Finding[]> };
