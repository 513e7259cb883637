import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Field } from '../../html/form.ts';
import { acceptForms, fieldOf } from '../../html/accept-forms.ts';
import { sendPageWithOwnForm } from '../../html/page-answer.ts';
import { TRIAL_PATH } from '../../pages/reference/places.ts';
import { readApi } from '../../pages/reference/model.ts';
import type { ApiDocuments } from '../../pages/reference.ts';
import { sendTrial } from './send-trial.ts';
import { type SeedCredentials, type TriedCall, trialFields } from './trial-form.ts';
import { type Tried, trialPage } from './trial-page.ts';
import { readTrial, type TrialRequest } from './trial-request.ts';

export type TrialPowers = {
  readonly apis: ApiDocuments;
  readonly seed: () => Promise<SeedCredentials>;
  /** Where this server reaches itself. */
  readonly ownUrl: () => string;
};

const BODY_LIMIT = 256 * 1024;
const ROUTE = `${TRIAL_PATH}/:id`;
/** Link checkers use HEAD. */
const OPTIONS = { exposeHeadRoute: true };

/** A form for every call of /docs, whose request this server sends to itself. The guard of the sandbox's controls holds. */
export function trialRoutes(app: FastifyInstance, { apis, seed, ownUrl }: TrialPowers): void {
  let known: ReadonlyMap<string, TriedCall> | undefined;
  const find = ({ params }: FastifyRequest): TriedCall | undefined => {
    known ??= callsOf(apis);
    return known.get((params as { id: string }).id);
  };

  app.get(ROUTE, OPTIONS, async (request, reply) => {
    const tried = find(request);
    if (!tried) return sendMissing(reply);
    return sendPageWithOwnForm(reply, trialPage(tried, trialFields(tried, await seed())));
  });

  app.register(async (scope) => {
    acceptForms(scope, BODY_LIMIT);

    scope.post(ROUTE, async (request, reply) => {
      const tried = find(request);
      if (!tried) return sendMissing(reply);
      const values = (name: string) => fieldOf(request, name) ?? '';
      const read = readTrial(tried, values);
      const faults = 'faults' in read ? read.faults : {};
      const fields = trialFields(tried, await seed()).map(
        (field): Field => ({ ...field, value: values(field.name), fault: faults[field.name] }),
      );
      const done = 'request' in read ? await carryOut(read.request, ownUrl()) : undefined;
      return sendPageWithOwnForm(reply.code(done ? 200 : 400), trialPage(tried, fields, done));
    });
  });
}

const sendMissing = (reply: FastifyReply): FastifyReply =>
  reply.code(404).send({ error: 'There is no such call.' });

function callsOf(apis: ApiDocuments): ReadonlyMap<string, TriedCall> {
  return new Map(
    Object.entries(apis).flatMap(([apiName, document]) => {
      const api = readApi(document());
      return api.calls.map((call): [string, TriedCall] => [call.id, { apiName, api, call }]);
    }),
  );
}

async function carryOut(request: TrialRequest, ownUrl: string): Promise<Tried> {
  const sent = { request, host: new URL(ownUrl).host };
  try {
    return { ...sent, answer: await sendTrial(ownUrl, request) };
  } catch (error) {
    const detail = error instanceof Error ? error.message : String(error);
    return { ...sent, answer: { failure: `The sandbox got no answer from itself: ${detail}` } };
  }
}
