import type { FastifyInstance } from 'fastify';
import { reserveNames } from '../../reservations/reserve.ts';
import { reservationStatus } from '../../reservations/status.ts';
import { readNames, readUserUniqueId } from './fields.ts';
import type { Ground } from './route.ts';

const RESERVED = 'Domains reserved successfully';

/** reserve_domains: names for free, for a week. */
export function reservationRoutes(app: FastifyInstance, { parts, make, find }: Ground): void {
  const { database, policy, clock } = parts;
  app.post(
    '/reserve_domains',
    make(async (body, keyed) => {
      const { answer, replayed } = await reserveNames(parts, readNames(body, policy), keyed);
      return { answer: { message: RESERVED, ...answer }, replayed };
    }),
  );

  app.get('/reserve_domains/:user_unique_id', (request) => {
    const { user_unique_id: text } = request.params as { user_unique_id: string };
    const id = readUserUniqueId(text);
    const look = async () => id && reservationStatus(database.reads, id, clock.now());
    return find(request, async () => (await look()) || undefined, { otherwise: 'reservationMissing' });
  });
}
