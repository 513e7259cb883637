import type { TSchema } from 'typebox';
import type { NamedRefusal } from '../../operations/named-refusal.ts';
import type { Catalogue } from '../../operations/refusal.ts';
import type { DescribedEndpoint } from './endpoint.ts';
import type { RefusalRenderer } from './http-answer.ts';
import type { Json } from './openapi-components.ts';
import type { CausedEvent, DescribedEvent } from './openapi-events.ts';

/** The parts of an OpenAPI document that do not come from the endpoints. */
export type ApiDescription<Name extends string> = {
  readonly prefix: string;
  readonly title: string;
  readonly summary: string;
  readonly description: string;
  /** The path of the page that explains it. */
  readonly guide: string;
  readonly securitySchemes: Readonly<Record<string, Json>>;
  /** Groups of calls in order, with their descriptions. */
  readonly groups: Readonly<Record<string, string>>;
  readonly pathParameters: Readonly<Record<string, string>>;
  /** Headers of every call that changes something. */
  readonly changeHeaders: readonly Json[];
  readonly catalogue: Catalogue & Readonly<Record<Name, unknown>>;
  /** Refusals of every call. */
  readonly everyCall: readonly Name[];
  /** Refusals that a call has by its form, besides those of every call and its own. */
  readonly commonRefusals: (endpoint: DescribedEndpoint) => readonly Name[];
  /** A refusal as any call has it, or as this one does. */
  readonly exampleOf: (name: Name, endpoint?: DescribedEndpoint<Name>) => NamedRefusal;
  readonly renderRefusals: RefusalRenderer;
  readonly statusTexts: Readonly<Record<number, string>>;
  /** The schema of these refusals with this status, of one call or of all that have them. */
  readonly failureSchema: (
    status: number,
    named: { readonly call: string | undefined; readonly refusals: readonly Name[] },
  ) => TSchema;
  /** Wraps the schema of the data in that of a success. */
  readonly successSchema?: (data: Json) => Json;
  readonly successExample?: (data: object) => object;
  /** Whether a call needs no credentials. */
  readonly isOpen?: (endpoint: DescribedEndpoint) => boolean;
  /** Events that are posted to the client, and the group that they belong to. */
  readonly events?: {
    readonly group: string;
    readonly list: () => readonly DescribedEvent[];
    /** Which of them the calls cause, by operation. */
    readonly ofCalls: Readonly<Record<string, readonly CausedEvent[]>>;
  };
};
