/** The sandbox did not do what it was told; the message is its own. */
export class SandboxError extends Error {
    name = 'SandboxError';
    status;
    constructor(message, status) {
        super(message);
        this.status = status;
    }
}
/** The controls of a sandbox. A production registry has none of them, and answers 404. */
export class Sandbox {
    #baseUrl;
    constructor(baseUrl = 'http://127.0.0.1:8080') {
        this.#baseUrl = new URL(baseUrl).origin;
    }
    /** What time it is for the registry. */
    now() {
        return this.#clock('GET');
    }
    /** Moves its clock forward by an ISO 8601 duration such as `P15D` or `PT1H`, and does all that becomes due. */
    advance(duration) {
        return this.#clock('POST', { advance: duration });
    }
    /** Moves its clock forward to a time, and does all that becomes due. */
    advanceTo(time) {
        return this.#clock('POST', { set: time.toISOString() });
    }
    /** Back to the seed: data, clock, mails, deliveries and faults. */
    async reset() {
        await this.#send('POST', '/sandbox/reset');
    }
    /** Books a credit for a registrar, by its code; resolves to the balance. */
    async topUp(registrar, amount) {
        const { balance } = await this.#send('POST', '/sandbox/topup', {
            registrar,
            amount,
        });
        return balance;
    }
    /** Pays by the `payment_link` of an invoice, or tries to. */
    pay(link, outcome = 'settled') {
        return this.#send('POST', '/sandbox/provider/pay', { link, outcome });
    }
    async #clock(method, body) {
        return new Date((await this.#send(method, '/sandbox/clock', body)).now);
    }
    async #send(method, path, body) {
        const response = await fetch(this.#baseUrl + path, {
            method,
            ...(body && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
        });
        const text = await response.text();
        if (!response.ok)
            throw new SandboxError(messageIn(text) ?? `${method} ${path}`, response.status);
        return JSON.parse(text);
    }
}
function messageIn(text) {
    try {
        return JSON.parse(text).error;
    }
    catch {
        return undefined;
    }
}
