import { call, Payer, post } from './billing.ts';

export type Taken = {
  readonly key: string;
  readonly number: string;
  readonly buyer: string;
  readonly total: string;
  readonly document: string;
  readonly times: number;
};

/** The services that take invoices as documents, as somebody at the sandbox sees them. */
export class DocumentReceivers extends Payer {
  async taken(service: 'accounting' | 'einvoice'): Promise<Taken[]> {
    return (await call(`${this.url}/sandbox/${service}`, {})).body;
  }

  /** What was sent to one of them, the newest first. */
  async sentTo(target: string): Promise<
    {
      id: string;
      kind: string;
      invoice_number: number | null;
      body: string;
      status: string;
      attempts: number;
    }[]
  > {
    return (await this.deliveries()).filter((delivery) => delivery.target === target);
  }

  async reset(): Promise<void> {
    await post(`${this.url}/sandbox/reset`, {});
  }
}
