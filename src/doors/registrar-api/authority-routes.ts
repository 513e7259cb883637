import type { FastifyInstance } from 'fastify';
import type { Sql } from '../../platform/sql/executor.ts';
import { authorityCertificate, revocationList } from '../../registry/certificates/authorities.ts';

type ById = { Params: { id: string } };

/** Serves an authority's certificate and revocation list to external verifiers of our certificates. */
export function authorityRoutes(app: FastifyInstance, db: Sql): void {
  app.get<ById>('/ca/:id(^\\d{1,9}).pem', async ({ params }, reply) => {
    const certificate = await authorityCertificate(db, Number(params.id));
    if (certificate === undefined) return reply.callNotFound();
    return reply.type('application/x-pem-file').send(certificate);
  });
  app.get<ById>('/ca/:id(^\\d{1,9}).crl', async ({ params }, reply) => {
    const list = await revocationList(db, Number(params.id));
    if (list === undefined) return reply.callNotFound();
    return reply.type('application/pkix-crl').header('cache-control', 'max-age=60').send(list);
  });
}
