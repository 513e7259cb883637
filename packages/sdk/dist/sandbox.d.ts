export type PaymentOutcome = 'settled' | 'failed' | 'abandoned' | 'waiting_for_sca';
export type SandboxPayment = {
    readonly payment_reference: string;
    readonly payment_state: string;
};
/** The sandbox did not do what it was told; the message is its own. */
export declare class SandboxError extends Error {
    readonly name = "SandboxError";
    readonly status: number;
    constructor(message: string, status: number);
}
/** The controls of a sandbox. A production registry has none of them, and answers 404. */
export declare class Sandbox {
    #private;
    constructor(baseUrl?: string);
    /** What time it is for the registry. */
    now(): Promise<Date>;
    /** Moves its clock forward by an ISO 8601 duration such as `P15D` or `PT1H`, and does all that becomes due. */
    advance(duration: string): Promise<Date>;
    /** Moves its clock forward to a time, and does all that becomes due. */
    advanceTo(time: Date): Promise<Date>;
    /** Back to the seed: data, clock, mails, deliveries and faults. */
    reset(): Promise<void>;
    /** Books a credit for a registrar, by its code; resolves to the balance. */
    topUp(registrar: string, amount: string): Promise<string>;
    /** Pays by the `payment_link` of an invoice, or tries to. */
    pay(link: string, outcome?: PaymentOutcome): Promise<SandboxPayment>;
}
