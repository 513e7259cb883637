import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Sql } from '../../platform/sql/executor.ts';
import { languageOf } from '../html/language.ts';
import { html } from '../html/layout.ts';
import { type FrameSetting, framed, framedLoggedOut } from './frame.ts';
import { frameTexts, type Problem } from './frame-texts.ts';
import { readInput } from './input.ts';
import { type MenuCounts, readMenuCounts } from './menu.ts';
import { isNotice, type Notice } from './notice-texts.ts';
import { consoleAddress, type View, type Visit } from './console-page.ts';
import { sendConsolePage } from './send-page.ts';
import { undoForm } from './undo.ts';

/** Sends pages in the frame of the person who asks for them, as far as it is known. */
export class ConsoleAnswers {
  readonly #reads: Sql;
  readonly #setting: FrameSetting;
  readonly visits = new WeakMap<FastifyRequest, Visit>();

  constructor(reads: Sql, setting: FrameSetting) {
    this.#reads = reads;
    this.#setting = setting;
  }

  async sendView(request: FastifyRequest, reply: FastifyReply, view: View): Promise<FastifyReply> {
    const visit = this.visits.get(request);
    const counts = visit ? await readMenuCounts(this.#reads, visit) : {};
    return this.#send(request, reply, view, counts);
  }

  #send(request: FastifyRequest, reply: FastifyReply, view: View, counts: MenuCounts): FastifyReply {
    const visit = this.visits.get(request);
    reply.code(view.status ?? 200);
    if (!visit) return sendConsolePage(reply, framedLoggedOut(view, languageOf(request), this.#setting));
    const [address = ''] = request.url.split('?', 1);
    const path = address.replace(/^\/console/, '').replace(/\/$/, '');
    const notice = noticeOf(request);
    const query = path === '/search' ? readInput(request).query('q') : '';
    const undo = notice && undoForm(request, notice, visit);
    return sendConsolePage(reply, framed(view, visit, this.#setting, { path, notice, undo, counts, query }));
  }

  sendProblem(request: FastifyRequest, reply: FastifyReply, problem: Problem, status: number): FastifyReply {
    const texts = frameTexts(this.visits.get(request)?.lang ?? languageOf(request));
    const [heading, advice] = texts.problems[problem];
    const body = html`<h1>${heading}</h1>
<p class="lead">${advice}</p>
<p><a href="${consoleAddress('')}">${texts.toStart}</a></p>`;
    return this.#send(request, reply, { title: heading, body, status }, {});
  }
}

/** Only those that there are: the address is anybody's. */
function noticeOf(request: FastifyRequest): Notice | undefined {
  const name = readInput(request).query('notice');
  return isNotice(name) ? name : undefined;
}
