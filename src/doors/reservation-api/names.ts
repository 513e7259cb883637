import type { FastifyInstance } from 'fastify';
import type { ReservationParts } from '../../reservations/parts.ts';
import { suggest } from '../../reservations/suggest.ts';
import { readOrganizationName } from './fields.ts';

/** GET domain_names/:organization_name */
export function nameRoutes(app: FastifyInstance, { database, policy, clock }: ReservationParts): void {
  app.get('/domain_names/:organization_name', async (request) => {
    const { organization_name: text } = request.params as { organization_name: string };
    const name = readOrganizationName(text, policy);
    return { variants: await suggest(database.reads, name, { policy, now: clock.now() }) };
  });
}
