import type {
  FastifyError,
  FastifyInstance,
  FastifyPluginCallback,
  FastifyReply,
  FastifyRequest,
} from 'fastify';
import { Refused } from '../../operations/refusal.ts';
import type { RequestLimiter } from '../../platform/concurrency/rate-limiter.ts';
import { acceptForms } from '../html/accept-forms.ts';
import { isForeignForm } from '../http/cross-site.ts';
import { pageFailureOf, RETRY_SECONDS, reportPageFailure } from '../pages/page-failure.ts';
import { Admission, type Hold } from './admission.ts';
import { assetRoutes } from './assets.ts';
import {
  type ChangeOutcome,
  type ConsoleChange,
  type ConsoleExport,
  type ConsolePage,
  type ConsoleParts,
  consoleAddress,
  type Redirect,
  type Visit,
} from './console-page.ts';
import { sessionCookie } from './cookie.ts';
import { LargeForms, MAX_FORM_BYTES, requireShortFields } from './form-size.ts';
import type { FrameSetting } from './frame.ts';
import { ConsoleAnswers } from './console-answers.ts';
import { HELD_FORM_PATH, HeldForms } from './held-form.ts';
import { isDryRun, readDryRun } from './dry-run.ts';
import { readForm, readInput } from './input.ts';
import { safeNext } from './login/login-page.ts';
import { LOGIN_CHECK_HEADER } from './login/login-dialog.ts';
import { loginRoutes } from './login/login-routes.ts';
import { consoleChanges, consoleExports, consolePages } from './pages.ts';
import { redirectTo, sendDownload, sendStatus } from './send-page.ts';
import { rememberUndo } from './undo.ts';

/** A thousand domains are chosen one by one at the most. */
const MAX_FIELDS = 1_100;
/** Of forms that are sent before a login. */
const BODY_LIMIT_BEFORE_LOGIN = 16_384;

export type ConsoleDependencies = ConsoleParts & {
  /** Of the requests of people, by their ids. */
  readonly requestLimiter: RequestLimiter<number>;
  /** Whether the database is a copy for tests of its operators. */
  readonly isStaging: () => boolean;
  readonly refuseIfUnavailable: (request: FastifyRequest) => void;
};

/** The registrars' console: every page and every change of its lists, behind a login. */
export function consoleRoutes(parts: ConsoleDependencies): FastifyPluginCallback {
  const setting: FrameSetting = {
    get badge() {
      if (parts.isStaging()) return 'Staging';
      return parts.mode === 'sandbox' ? 'Sandbox' : undefined;
    },
    timeZone: parts.policy.timeZone,
    menuPages: consolePages.filter(({ menu }) => menu !== undefined),
  };
  const answers = new ConsoleAnswers(parts.database.reads, setting);
  const admission = new Admission(parts, answers);
  return (app, _options, done) => {
    acceptForms(app, MAX_FORM_BYTES, MAX_FIELDS);
    app.addHook('onRequest', async (request, reply) => {
      if (request.method === 'POST' && isForeignForm(request.headers, parts.isOwnOrigin))
        return answers.sendProblem(request, reply, 'foreign', 403);
      if (!request.url.startsWith('/console/assets/')) parts.refuseIfUnavailable(request);
      return undefined;
    });
    app.setNotFoundHandler((request, reply) => answers.sendProblem(request, reply, 'unknown', 404));
    app.setErrorHandler((error: FastifyError, request, reply) => {
      const { notice, status } = pageFailureOf(error);
      if (status === 503) reply.header('retry-after', String(RETRY_SECONDS));
      reportPageFailure(error, status, request.id, parts);
      const isMaintained = error instanceof Refused && error.refusals[0].name === 'maintenance';
      if (status === 413) return answers.sendProblem(request, reply, 'tooLarge', status);
      return answers.sendProblem(request, reply, isMaintained ? 'maintenance' : notice, status);
    });
    assetRoutes(app);
    app.register((scope, _, registered) => {
      acceptForms(scope, BODY_LIMIT_BEFORE_LOGIN);
      loginRoutes(scope, parts, setting);
      registered();
    });
    const routes = new Routes(app, parts, answers, admission);
    for (const page of consolePages) routes.addPage(page);
    for (const file of consoleExports) routes.addExport(file);
    for (const change of consoleChanges) routes.addChange(change);
    routes.addHeldForm();
    done();
  };
}

class Routes {
  readonly #app: FastifyInstance;
  readonly #parts: ConsoleDependencies;
  readonly #answers: ConsoleAnswers;
  readonly #admission: Admission;
  readonly #largeForms = new LargeForms();
  readonly #heldForms: HeldForms;

  constructor(
    app: FastifyInstance,
    parts: ConsoleDependencies,
    answers: ConsoleAnswers,
    admission: Admission,
  ) {
    this.#app = app;
    this.#parts = parts;
    this.#answers = answers;
    this.#admission = admission;
    this.#heldForms = new HeldForms(parts, consoleChanges);
  }

  addPage(page: ConsolePage): void {
    const path = page.path === '' ? '/' : page.path;
    this.#app.get(path, { exposeHeadRoute: true }, async (request, reply) => {
      const visit = await this.#admission.admit(request, reply, page, () => request.url);
      if (!visit) return reply;
      const view = await page.answer(this.#parts, visit, readInput(request));
      return view
        ? this.#answers.sendView(request, reply, view)
        : this.#answers.sendProblem(request, reply, 'unknown', 404);
    });
  }

  addExport(file: ConsoleExport): void {
    this.#app.get(file.path, { exposeHeadRoute: false }, async (request, reply) => {
      const visit = await this.#admission.admit(request, reply, file, () => request.url);
      if (!visit) return reply;
      const download = await file.download(this.#parts, visit, readInput(request));
      return download
        ? sendDownload(reply, download)
        : this.#answers.sendProblem(request, reply, 'unknown', 404);
    });
  }

  addChange(change: ConsoleChange): void {
    this.#app.post(
      change.path,
      {
        bodyLimit: change.maxBytes ?? MAX_FORM_BYTES,
        onRequest: async (request, reply) => {
          const page = () => formPage(request);
          const owner = request.headers[LOGIN_CHECK_HEADER];
          if (owner !== undefined) return this.#checkLogin(request, reply, change, owner);
          const hold: Hold = (owner, reason) =>
            this.#heldForms.accept(request, change, { owner, reason, page: page() });
          if (isDryRun(request) && !change.hasDryRun) return sendStatus(reply, 204);
          const held = isDryRun(request) ? undefined : hold;
          const visit = await this.#admission.admit(request, reply, change, page, held);
          const sender = visit?.session ?? this.#heldForms.demandOf(request)?.owner;
          if (!sender) return reply;
          await this.#largeForms.waitForTurn(request, reply, sender.registrarId);
          return undefined;
        },
      },
      async (request, reply) => {
        const demand = this.#heldForms.demandOf(request);
        const visit = this.#answers.visits.get(request);
        if (!visit && !demand) return reply;
        requireShortFields(request, change);
        if (demand) return this.#heldForms.hold(request, reply, demand);
        if (!visit) return reply;
        if (isDryRun(request)) return this.#sendDryRun(request, reply, change, visit);
        const outcome = await change.run(this.#parts, visit, readForm(request));
        return this.#sendOutcome(request, reply, outcome, visit);
      },
    );
  }

  /** Whether a form would be received, from the person who has opened it: otherwise as its sender is told, without the form. */
  async #checkLogin(
    request: FastifyRequest,
    reply: FastifyReply,
    change: ConsoleChange,
    owner: string | readonly string[],
  ): Promise<FastifyReply> {
    const asked = { ...change, owner };
    const visit = await this.#admission.admit(request, reply, asked, () => formPage(request));
    return visit ? sendStatus(reply, 204) : reply;
  }

  /** The preview, or nothing where there is none: the form says why when it is sent. */
  async #sendDryRun(request: FastifyRequest, reply: FastifyReply, change: ConsoleChange, visit: Visit) {
    const outcome = await change.run(this.#parts, visit, readDryRun(request));
    const isPreview = outcome && 'body' in outcome && outcome.status === undefined;
    return isPreview ? this.#answers.sendView(request, reply, outcome) : sendStatus(reply, 204);
  }

  /** The form that waited for a login, or else the page that it was on. */
  addHeldForm(): void {
    this.#app.get(HELD_FORM_PATH, { exposeHeadRoute: false }, async (request, reply) => {
      const visit = await this.#admission.admit(request, reply, { right: undefined }, () => request.url);
      if (!visit) return reply;
      const outcome = await this.#heldForms.show(request, visit);
      return outcome
        ? this.#sendOutcome(request, reply, outcome, visit)
        : redirectTo(reply, safeNext(readInput(request).query('page')));
    });
  }

  #sendOutcome(
    request: FastifyRequest,
    reply: FastifyReply,
    outcome: ChangeOutcome | undefined,
    visit: Visit,
  ): FastifyReply | Promise<FastifyReply> {
    if (!outcome) return this.#answers.sendProblem(request, reply, 'unknown', 404);
    if (outcome.sessionToken !== undefined) reply.header('set-cookie', sessionCookie(outcome.sessionToken));
    if ('pieces' in outcome) return sendDownload(reply, outcome);
    if (!('to' in outcome)) return this.#answers.sendView(request, reply, outcome);
    return sendRedirect(reply, outcome, visit);
  }
}

function sendRedirect(reply: FastifyReply, { to, notice, undo }: Redirect, visit: Visit): FastifyReply {
  const [address, query] = to.split('?', 2);
  const parameters = new URLSearchParams(query);
  if (notice !== undefined) parameters.set('notice', notice);
  if (notice && undo) reply.header('set-cookie', rememberUndo(undo, { notice, address: to }, visit));
  const text = parameters.toString();
  return redirectTo(reply, text === '' ? (address ?? '') : `${address}?${text}`);
}

/** The page whose form was sent, as far as the browser tells. */
function formPage({ headers: { referer = '' } }: FastifyRequest): string {
  if (!URL.canParse(referer)) return consoleAddress('');
  const { pathname, search } = new URL(referer);
  return safeNext(pathname + search);
}
