import type { PaymentProvider } from '../billing/provider/provider.ts';
import type { Config } from '../platform/config/config.ts';
import type { Sql } from '../platform/sql/executor.ts';

/** What was found, and what to do about it. A problem keeps the registry from its work; a warning may be meant. */
export type Finding =
  | { readonly state: 'ok'; readonly says: string }
  | { readonly state: 'warning' | 'problem'; readonly says: string; readonly todo: string };

export const fine = (says: string): Finding => ({ state: 'ok', says });
export const warning = (says: string, todo: string): Finding => ({ state: 'warning', says, todo });
export const problem = (says: string, todo: string): Finding => ({ state: 'problem', says, todo });

/** The services outside that a check may call. */
export type OutsideServices = {
  /** Undefined where none is configured. */
  readonly openProvider: (config: Config) => PaymentProvider | undefined;
};
/** Examines the settings and the services outside; it needs no database. */
export type OutsideCheck = {
  readonly name: string;
  examine(config: Config, services: OutsideServices): Promise<Finding[]>;
};

export type Patient = { readonly config: Config; readonly sql: Sql; readonly now: Date };
/** Looks at the database, whose schema is at this version. */
export type InsideCheck = { readonly name: string; examine(patient: Patient): Promise<Finding[]> };
