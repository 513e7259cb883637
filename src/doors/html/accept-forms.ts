import { errorCodes, type FastifyInstance, type FastifyRequest } from 'fastify';
import { FORM_TYPE } from '../http/negotiation.ts';
import { FormFields } from './form-fields.ts';

/** The largest form of a public page has a dozen. */
const MAX_FIELDS = 50;

/** From here on the routes read forms, and nothing else. */
export function acceptForms(app: FastifyInstance, bodyLimit: number, maxFields = MAX_FIELDS): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(FORM_TYPE, { parseAs: 'string', bodyLimit }, ({ headers }, text, parsed) => {
    if ((headers['content-encoding'] ?? 'identity').toLowerCase() !== 'identity')
      return parsed(new errorCodes.FST_ERR_CTP_INVALID_MEDIA_TYPE());
    const form = FormFields.parse(String(text), maxFields);
    return form ? parsed(null, form) : parsed(new errorCodes.FST_ERR_CTP_BODY_TOO_LARGE());
  });
}

/** A field of the form that was sent exactly once: several values are ambiguous. */
export function fieldOf({ body }: FastifyRequest, name: string): string | undefined {
  const [value, ...others] = body instanceof FormFields ? body.getAll(name) : [];
  return others.length > 0 ? undefined : value;
}

/** All values of a field that may be sent several times. */
export const fieldsOf = ({ body }: FastifyRequest, name: string): readonly string[] =>
  body instanceof FormFields ? body.getAll(name) : [];
