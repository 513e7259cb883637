import type {
  FastifyError,
  FastifyInstance,
  FastifyPluginCallback,
  FastifyReply,
  FastifyRequest,
} from 'fastify';
import { Refused } from '../../operations/refusal.ts';
import type { RequestLimiter } from '../../platform/concurrency/rate-limiter.ts';
import type { Metrics } from '../../platform/metrics.ts';
import type { Principal } from '../../registry/actor.ts';
import { hasPersonRight } from '../../registry/people/person.ts';
import { findSession, noteSeen, type PersonSession } from '../../registry/people/person-sessions.ts';
import { acceptForms } from '../html/accept-forms.ts';
import { languageOf } from '../html/language.ts';
import { html } from '../html/layout.ts';
import { isForeignForm } from '../http/cross-site.ts';
import { pageFailureOf, RETRY_SECONDS, reportPageFailure } from '../pages/page-failure.ts';
import { needsSecondFactor } from './account/second-factor-demand.ts';
import { redirectTo, sendConsolePage, sendDownload } from './send-page.ts';
import { assetRoutes } from './assets.ts';
import { sessionCookie, tokenOf } from './cookie.ts';
import { costOfRequest, LargeForms, MAX_FORM_BYTES, requireShortFields } from './form-size.ts';
import { framed, framedLoggedOut } from './frame.ts';
import { frameTexts, type Problem } from './frame-texts.ts';
import { readForm, readInput } from './input.ts';
import { clientOf } from './login/login-answers.ts';
import { safeNext } from './login/login-page.ts';
import { loginRoutes } from './login/login-routes.ts';
import { isNotice, type Notice } from './notice-texts.ts';
import {
  type ConsoleChange,
  type ConsoleExport,
  type ConsolePage,
  type ConsoleParts,
  consoleAddress,
  isRecentLogin,
  type View,
  type Visit,
} from './console-page.ts';
import { consoleChanges, consoleExports, consolePages } from './pages.ts';
import { rememberUndo, undoForm } from './undo.ts';

/** A thousand domains are chosen one by one at the most. */
const MAX_FIELDS = 1_100;
/** Of forms that are sent before a login. */
const BODY_LIMIT_BEFORE_LOGIN = 16_384;

export type ConsoleDependencies = ConsoleParts & {
  readonly metrics: Metrics;
  /** Of the requests of people, by their ids. */
  readonly requestLimiter: RequestLimiter<number>;
  /** Whether the database is a copy for tests of its operators. */
  readonly isStaging: () => boolean;
  readonly refuseIfUnavailable: (request: FastifyRequest) => void;
};

/** The registrars' console: every page and every change of its lists, behind a login. */
export function consoleRoutes(parts: ConsoleDependencies): FastifyPluginCallback {
  const setting = {
    get badge() {
      if (parts.isStaging()) return 'Staging';
      return parts.mode === 'sandbox' ? 'Sandbox' : undefined;
    },
    menuPages: consolePages.filter(({ menu }) => menu !== undefined),
  };
  const visits = new WeakMap<FastifyRequest, Visit>();
  const largeForms = new LargeForms();

  const sendView = (request: FastifyRequest, reply: FastifyReply, view: View) => {
    const visit = visits.get(request);
    reply.code(view.status ?? 200);
    if (!visit) return sendConsolePage(reply, framedLoggedOut(view, languageOf(request), setting));
    const [address = ''] = request.url.split('?', 1);
    const path = address.replace(/^\/console/, '').replace(/\/$/, '');
    const notice = noticeOf(request);
    const undo = notice && undoForm(request, notice, visit);
    return sendConsolePage(reply, framed(view, visit, setting, { path, notice, undo }));
  };
  const sendProblem = (request: FastifyRequest, reply: FastifyReply, problem: Problem, status: number) => {
    const texts = frameTexts(visits.get(request)?.lang ?? languageOf(request));
    const [heading, advice] = texts.problems[problem];
    const body = html`<h1>${heading}</h1>
<p class="lead">${advice}</p>
<p><a href="${consoleAddress('')}">${texts.toStart}</a></p>`;
    return sendView(request, reply, { title: heading, body, status });
  };

  /** Undefined where nobody is logged in, or not by as much as is demanded; the answer was sent then. */
  const visitOf = async (
    request: FastifyRequest,
    reply: FastifyReply,
    { beforeSecondFactor = false }: Pick<ConsolePage, 'beforeSecondFactor'>,
  ): Promise<Visit | undefined> => {
    const now = parts.wallClock.now();
    const token = tokenOf(request.headers.cookie);
    const session = token && (await findSession(parts.database.reads, token, clientOf(request), now));
    if (!session) {
      const next = request.method === 'POST' ? consoleAddress('') : request.url;
      const reason = token === undefined ? undefined : { reason: 'ended' };
      const lang = readInput(request).query('lang');
      redirectTo(reply, consoleAddress('/login', { ...reason, ...(lang !== '' && { lang }), next }));
      return undefined;
    }
    const { allowed, secondsToReset } = parts.requestLimiter.take(session.personId, costOfRequest(request));
    if (!allowed) {
      reply.header('retry-after', String(secondsToReset));
      sendProblem(request, reply, 'tooMany', 429);
      return undefined;
    }
    if (!session.isAddressAllowed) {
      sendProblem(request, reply, 'otherAddress', 403);
      return undefined;
    }
    if (needsSecondFactor(parts, session) && !beforeSecondFactor) {
      redirectTo(reply, consoleAddress('/account/code'));
      return undefined;
    }
    await noteSeen(parts.database.writes, session, now);
    const visit: Visit = {
      session,
      principal: principalOf(session),
      lang: session.language,
      requestId: request.id,
      client: clientOf(request),
      now: parts.clock.now(),
      may: (right) => hasPersonRight(session.roles, right),
    };
    visits.set(request, visit);
    request.registrarCode = session.registrarCode;
    return visit;
  };
  const isAllowed = ({ right }: Pick<ConsolePage, 'right'>, visit: Visit) =>
    right === undefined || visit.may(right);

  const needsProof = ({ needsRecentLogin }: Pick<ConsolePage, 'needsRecentLogin'>, { session }: Visit) =>
    needsRecentLogin === true && !isRecentLogin(session, parts.wallClock.now());
  const askWhoItIs = (reply: FastifyReply, next: string) =>
    redirectTo(reply, consoleAddress('/login', { reason: 'stepUp', next }));

  const addPage = (app: FastifyInstance, page: ConsolePage) =>
    app.get(page.path === '' ? '/' : page.path, { exposeHeadRoute: true }, async (request, reply) => {
      const visit = await visitOf(request, reply, page);
      if (!visit) return reply;
      if (!isAllowed(page, visit)) return sendProblem(request, reply, 'notAllowed', 403);
      if (needsProof(page, visit)) return askWhoItIs(reply, request.url);
      const view = await page.answer(parts, visit, readInput(request));
      return view ? sendView(request, reply, view) : sendProblem(request, reply, 'unknown', 404);
    });

  const addExport = (app: FastifyInstance, file: ConsoleExport) =>
    app.get(file.path, { exposeHeadRoute: false }, async (request, reply) => {
      const visit = await visitOf(request, reply, file);
      if (!visit) return reply;
      if (!isAllowed(file, visit)) return sendProblem(request, reply, 'notAllowed', 403);
      const download = await file.download(parts, visit, readInput(request));
      return download ? sendDownload(reply, download) : sendProblem(request, reply, 'unknown', 404);
    });

  /** Before the body of the form is read. */
  const admit = async (change: ConsoleChange, request: FastifyRequest, reply: FastifyReply) => {
    const visit = await visitOf(request, reply, change);
    if (!visit) return reply;
    if (!isAllowed(change, visit)) return sendProblem(request, reply, 'notAllowed', 403);
    if (needsProof(change, visit)) return askWhoItIs(reply, formPage(request));
    await largeForms.waitForTurn(request, reply, visit.session.registrarId);
    return undefined;
  };
  const addChange = (app: FastifyInstance, change: ConsoleChange) =>
    app.post(
      change.path,
      {
        bodyLimit: change.maxBytes ?? MAX_FORM_BYTES,
        onRequest: (request, reply) => admit(change, request, reply),
      },
      async (request, reply) => {
        const visit = visits.get(request);
        if (!visit) return reply;
        requireShortFields(request, change);
        const outcome = await change.run(parts, visit, readForm(request));
        if (!outcome) return sendProblem(request, reply, 'unknown', 404);
        if (outcome.sessionToken !== undefined)
          reply.header('set-cookie', sessionCookie(outcome.sessionToken));
        if ('pieces' in outcome) return sendDownload(reply, outcome);
        if (!('to' in outcome)) return sendView(request, reply, outcome);
        const [address, query] = outcome.to.split('?', 2);
        const parameters = new URLSearchParams(query);
        const { notice, undo } = outcome;
        if (notice !== undefined) parameters.set('notice', notice);
        if (notice && undo)
          reply.header('set-cookie', rememberUndo(undo, { notice, address: outcome.to }, visit));
        const text = parameters.toString();
        return redirectTo(reply, text === '' ? (address ?? '') : `${address}?${text}`);
      },
    );

  return (app, _options, done) => {
    acceptForms(app, MAX_FORM_BYTES, MAX_FIELDS);
    app.addHook('onRequest', async (request, reply) => {
      if (request.method === 'POST' && isForeignForm(request.headers, parts.isOwnOrigin))
        return sendProblem(request, reply, 'foreign', 403);
      if (!request.url.startsWith('/console/assets/')) parts.refuseIfUnavailable(request);
      return undefined;
    });
    app.setNotFoundHandler((request, reply) => sendProblem(request, reply, 'unknown', 404));
    app.setErrorHandler((error: FastifyError, request, reply) => {
      const { notice, status } = pageFailureOf(error);
      if (status === 503) reply.header('retry-after', String(RETRY_SECONDS));
      reportPageFailure(error, status, request.id, parts);
      const isMaintained = error instanceof Refused && error.refusals[0].name === 'maintenance';
      if (status === 413) return sendProblem(request, reply, 'tooLarge', status);
      return sendProblem(request, reply, isMaintained ? 'maintenance' : notice, status);
    });
    assetRoutes(app);
    app.register((scope, _, registered) => {
      acceptForms(scope, BODY_LIMIT_BEFORE_LOGIN);
      loginRoutes(scope, parts, setting);
      registered();
    });
    for (const page of consolePages) addPage(app, page);
    for (const file of consoleExports) addExport(app, file);
    for (const change of consoleChanges) addChange(app, change);
    done();
  };
}

/** The page whose form was sent, as far as the browser tells. */
function formPage({ headers: { referer = '' } }: FastifyRequest): string {
  if (!URL.canParse(referer)) return consoleAddress('');
  const { pathname, search } = new URL(referer);
  return safeNext(pathname + search);
}

/** Without roles of API users: what a person may do was checked by the page. */
const principalOf = (session: PersonSession): Principal => ({
  username: session.email,
  registrarId: session.registrarId,
  registrarCode: session.registrarCode,
  registrarName: session.registrarName,
  roles: [],
  interface: 'console',
});

/** Only those that there are: the address is anybody's. */
function noticeOf(request: FastifyRequest): Notice | undefined {
  const name = readInput(request).query('notice');
  return isNotice(name) ? name : undefined;
}
