import type { FastifyInstance, FastifyRequest } from 'fastify';
import { FORM_TYPE } from '../http/negotiation.ts';

/** From here on the routes read forms, and nothing else. */
export function acceptForms(app: FastifyInstance, bodyLimit: number): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(FORM_TYPE, { parseAs: 'string', bodyLimit }, (_request, text, parsed) =>
    parsed(null, new URLSearchParams(String(text))),
  );
}

/** A field of the form that was sent exactly once: several values are ambiguous. */
export function fieldOf({ body }: FastifyRequest, name: string): string | undefined {
  const [value, ...others] = body instanceof URLSearchParams ? body.getAll(name) : [];
  return others.length > 0 ? undefined : value;
}

/** All values of a field that may be sent several times. */
export const fieldsOf = ({ body }: FastifyRequest, name: string): readonly string[] =>
  body instanceof URLSearchParams ? body.getAll(name) : [];
