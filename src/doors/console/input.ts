import type { FastifyRequest } from 'fastify';
import { fieldOf, fieldsOf } from '../html/accept-forms.ts';
import { isStorable } from '../http/json-body.ts';
import type { FormInput, PageInput } from './console-page.ts';

const MAX_PARAMETER = 300;

/** Parameters of the path and of the query; what is too long for anything is cut. */
export function readInput(request: FastifyRequest): PageInput {
  const query = request.query as Readonly<Record<string, unknown>>;
  return {
    params: request.params as Readonly<Record<string, string>>,
    query: (name) => {
      const value = Object.hasOwn(query, name) ? query[name] : '';
      return typeof value === 'string' ? value.slice(0, MAX_PARAMETER).trim() : '';
    },
  };
}

export function readForm(request: FastifyRequest): FormInput {
  return {
    ...readInput(request),
    field: (name) => {
      const value = fieldOf(request, name) ?? '';
      return isStorable(value) ? value : '';
    },
    fields: (name) => fieldsOf(request, name).filter(isStorable),
  };
}
