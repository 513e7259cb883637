import type { Database } from '../../../platform/database/database.ts';
import type { Sql } from '../../../platform/sql/executor.ts';
import { timeIn } from '../../../platform/values/dates.ts';
import { isLengthWithin } from '../../../platform/values/normalise-text.ts';
import type { Policy } from '../../../policy/policy.ts';
import type { DomainResult } from '../../../registry/domains/domain.ts';
import { listStatements } from '../../../registry/list-turns.ts';
import { parseIdn } from '../../../registry/names/name.ts';
import type { Context } from '../../../registry/operation.ts';
import type { CommandReader } from '../command-reader.ts';
import type { Dialect } from '../namespaces.ts';
import type { ObjectRequest } from '../epp-request.ts';
import type { Success } from '../response.ts';
import type { XmlElement } from '../xml/element.ts';

/** A command about objects with everything that is needed to carry it out. */
export type Call = ObjectRequest & {
  readonly database: Database;
  readonly policy: Policy;
  readonly context: Context;
  readonly reader: CommandReader;
  /** The element of an extension by its qualified name, such as `secDNS:create`. */
  readonly extension: (name: string) => XmlElement | undefined;
  /** Whether the client expects an extension in answers: it named it at its login, or speaks the dialect of .ee. */
  readonly isExpected: (namespace: string) => boolean;
};

export type ObjectHandler = {
  /** The extensions that the command may have; others are refused. */
  readonly extensions: readonly string[];
  readonly handle: (call: Call) => Promise<Success>;
};

/** So many objects are looked up in the time of a short read. */
const MAX_SHORT_CHECK = 20;

/** A longer check waits for the registrar's turn as a list does: behind it on their connections short reads would wait. */
export const statementsFor = (objects: number, database: Database, { principal }: Context): Sql =>
  objects > MAX_SHORT_CHECK ? listStatements(database, principal) : database.reads;

type Shown = { readonly dialect: Dialect; readonly policy: Policy };

/** A name is shown as A-label, in the dialect of .ee in Unicode. */
export const shownName = (name: string, { dialect }: Pick<Shown, 'dialect'>): string =>
  dialect === 'ee' ? name : (parseIdn(name)?.ascii ?? name);

/** A time is shown in UTC, in the dialect of .ee with the offset of the registry's zone. */
export function shownTime(at: Date | string, { dialect, policy }: Shown): string {
  const time = typeof at === 'string' ? new Date(at) : at;
  return dialect === 'ee' ? timeIn(policy.timeZone, time) : time.toISOString();
}

/** The length that the schemas allow for a code; that of .ee has no maximum. */
const CODE_LENGTH = { ietf: { min: 3, max: 16 }, ee: { min: 3, max: Infinity } } as const;

/** Whether a code can be written in the dialect: a longer or shorter one would make the answer invalid. */
export const isShownCode = (code: string, { dialect }: Pick<Shown, 'dialect'>): boolean =>
  isLengthWithin(code, CODE_LENGTH[dialect]);

/** What a refusal of such a code says. */
export const codeLengthOf = ({ dialect }: Pick<Shown, 'dialect'>): string =>
  dialect === 'ee' ? 'of 3 or more characters' : 'of 3 to 16 characters';

/** A registrar's code as answers must have it: codes given before there was EPP may be shorter or longer. */
export const shownRegistrar = (code: string, { dialect }: Pick<Shown, 'dialect'>): string =>
  code.padEnd(CODE_LENGTH[dialect].min, '_').slice(0, CODE_LENGTH[dialect].max);

/** Of the schema. A client of the REST API chooses the id of its request in other bounds. */
const TRANSACTION_ID_LENGTH = { min: 3, max: 64 };

/** The id of a transaction of the server; `registry` for one that has none or none that can be shown. */
export const shownTransactionId = (requestId: string | null): string =>
  requestId === null || requestId.length < TRANSACTION_ID_LENGTH.min
    ? 'registry'
    : requestId.slice(0, TRANSACTION_ID_LENGTH.max);

/** 1001 while the registrant's confirmation is pending. */
export const successCode = ({ isPending }: DomainResult): 1000 | 1001 => (isPending ? 1001 : 1000);
