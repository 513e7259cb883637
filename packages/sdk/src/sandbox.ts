export type PaymentOutcome = 'settled' | 'failed' | 'abandoned' | 'waiting_for_sca';

export type SandboxPayment = { readonly payment_reference: string; readonly payment_state: string };

/** The sandbox did not do what it was told; the message is its own. */
export class SandboxError extends Error {
  override readonly name = 'SandboxError';
  readonly status: number;

  constructor(message: string, status: number) {
    super(message);
    this.status = status;
  }
}

/** The controls of a sandbox. A production registry has none of them, and answers 404. */
export class Sandbox {
  readonly #baseUrl: string;

  constructor(baseUrl: string = 'http://127.0.0.1:8080') {
    this.#baseUrl = new URL(baseUrl).origin;
  }

  /** What time it is for the registry. */
  now(): Promise<Date> {
    return this.#clock('GET');
  }

  /** Moves its clock forward by an ISO 8601 duration such as `P15D` or `PT1H`, and does all that becomes due. */
  advance(duration: string): Promise<Date> {
    return this.#clock('POST', { advance: duration });
  }

  /** Moves its clock forward to a time, and does all that becomes due. */
  advanceTo(time: Date): Promise<Date> {
    return this.#clock('POST', { set: time.toISOString() });
  }

  /** Back to the seed: data, clock, mails, deliveries and faults. */
  async reset(): Promise<void> {
    await this.#send('POST', '/sandbox/reset');
  }

  /** Books a credit for a registrar, by its code; resolves to the balance. */
  async topUp(registrar: string, amount: string): Promise<string> {
    const { balance } = await this.#send<{ balance: string }>('POST', '/sandbox/topup', {
      registrar,
      amount,
    });
    return balance;
  }

  /** Pays by the `payment_link` of an invoice, or tries to. */
  pay(link: string, outcome: PaymentOutcome = 'settled'): Promise<SandboxPayment> {
    return this.#send('POST', '/sandbox/provider/pay', { link, outcome });
  }

  async #clock(method: 'GET' | 'POST', body?: object): Promise<Date> {
    return new Date((await this.#send<{ now: string }>(method, '/sandbox/clock', body)).now);
  }

  async #send<T>(method: 'GET' | 'POST', path: string, body?: object): Promise<T> {
    const response = await fetch(this.#baseUrl + path, {
      method,
      ...(body && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new SandboxError(messageIn(text) ?? `${method} ${path}`, response.status);
    return JSON.parse(text) as T;
  }
}

function messageIn(text: string): string | undefined {
  try {
    return (JSON.parse(text) as { error?: string }).error;
  } catch {
    return undefined;
  }
}
