import { type ErrorDetails, type RefusalEntry, type RegistryError } from './errors.ts';
import type { TransportAnswer } from './transport.ts';
type Envelope = {
    readonly message: string;
    readonly data: unknown;
    readonly errors?: readonly RefusalEntry[];
};
/** The JSON of an answer; undefined if it is incomplete or not of this API. */
export declare function readEnvelope({ body }: TransportAnswer): Envelope | undefined;
/** The error that an answer without success becomes. */
export declare function failureOf(answer: TransportAnswer, details: ErrorDetails): RegistryError;
export {};
