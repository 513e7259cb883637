import type { FastifyInstance } from 'fastify';
import type { ListedDelivery } from '../../billing/deliveries/delivery-view.ts';

export type DeliveryPowers = {
  /** Sends what is due, then tells of the newest messages, the newest first. */
  readonly deliveries: (most: number) => Promise<readonly ListedDelivery[]>;
};

const MOST = 1_000;

/** What the registry told other services, and what became of it. */
export function deliveryRoutes(app: FastifyInstance, { deliveries }: DeliveryPowers): void {
  app.get('/sandbox/deliveries', async () => (await deliveries(MOST)).map(inJson));
}

const inJson = ({ id, target, kind, invoiceNumber, body, status, attempts }: ListedDelivery) => ({
  id,
  target,
  kind,
  invoice_number: invoiceNumber,
  body,
  status,
  attempts,
});
