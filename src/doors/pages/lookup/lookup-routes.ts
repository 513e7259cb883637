import type { FastifyError, FastifyInstance, FastifyPluginCallback, FastifyRequest } from 'fastify';
import { refuse } from '../../../operations/common-refusals.ts';
import { listAccreditedRegistrars } from '../../../registry/lookup/find-registrar.ts';
import { lookUpDomain } from '../../../registry/lookup/look-up-domain.ts';
import { PUBLIC } from '../../../registry/lookup/viewer.ts';
import { languageOf } from '../../html/language.ts';
import { sendPage } from '../../html/page-answer.ts';
import { pageFailureOf, RETRY_SECONDS, reportPageFailure } from '../page-failure.ts';
import { type LookupSetting, lookupNotice } from './lookup-frame.ts';
import { answerPage, searchPage } from './lookup-page.ts';
import {
  isMessageForm,
  type LookupDependencies,
  type LookupPages,
  methodsOf,
  textOf,
} from './lookup-request.ts';
import { messageRoutes } from './message-routes.ts';
import { registrarsPage } from './registrars-page.ts';

const OPTIONS = { exposeHeadRoute: true };

/** The look-up for people: domains, registrars, and messages to registrants. */
export function lookupPages(parts: LookupDependencies): FastifyPluginCallback {
  const { database, policy, clock, limits } = parts;
  const setting = (request: FastifyRequest): LookupSetting => ({
    lang: languageOf(request),
    policy,
    badge: parts.mode === 'sandbox' ? 'Sandbox' : undefined,
  });
  const pages: LookupPages = {
    setting,
    refusedForms: new WeakMap(),
    sendNotice: (request, reply, { notice, status }) =>
      sendPage(reply.code(status), lookupNotice(notice, setting(request))),
    lookUp: (name) => {
      const view = { viewer: PUBLIC, now: clock.now(), policy };
      return limits.run(() => lookUpDomain(database.reads, name, view)) ?? refuse('overload');
    },
  };

  return (app, _options, done) => {
    guard(app, pages, parts);
    app.get('/', OPTIONS, async (request, reply) => {
      const asked = textOf(request, 'name');
      if (asked === '') return sendPage(reply, searchPage(setting(request)));
      reply.header('x-robots-tag', 'noindex, nofollow');
      const { status, page } = answerPage(await pages.lookUp(asked), asked, setting(request));
      return sendPage(reply.code(status), page);
    });
    app.get('/registrars', OPTIONS, async (request, reply) => {
      const registrars = await (limits.run(() => listAccreditedRegistrars(database.reads)) ??
        refuse('overload'));
      return sendPage(reply, registrarsPage(registrars, textOf(request, 'search'), setting(request)));
    });
    messageRoutes(app, pages, parts);
    done();
  };
}

function guard(
  app: FastifyInstance,
  { sendNotice, refusedForms }: LookupPages,
  parts: LookupDependencies,
): void {
  app.addHook('onRequest', async (request, reply) => {
    const admission = parts.limits.admit(request.ip);
    const methods = methodsOf(request);
    if (methods && !methods.includes(request.method)) {
      reply.header('allow', methods.join(', '));
      return sendNotice(request, reply, { notice: 'otherMethod', status: 405 });
    }
    if (isMessageForm(request)) {
      if (!admission.isAdmitted) refusedForms.set(request, admission.retryAfterSeconds);
      return undefined;
    }
    if (!admission.isAdmitted) {
      reply.header('retry-after', String(admission.retryAfterSeconds));
      return sendNotice(request, reply, { notice: 'tooMany', status: 429 });
    }
    parts.refuseIfBusy(request);
    return undefined;
  });
  app.setNotFoundHandler((request, reply) => sendNotice(request, reply, { notice: 'unknown', status: 404 }));
  app.setErrorHandler((error: FastifyError, request, reply) => {
    const failure = pageFailureOf(error);
    if (failure.status === 503) reply.header('retry-after', String(RETRY_SECONDS));
    reportPageFailure(error, failure.status, request.id, parts);
    return sendNotice(request, reply, failure);
  });
}
