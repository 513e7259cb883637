import type { FastifyReply, FastifyRequest } from 'fastify';
import { RateLimiter } from '../../platform/concurrency/rate-limiter.ts';
import { findHeldForm, type FormOwner, type HeldForm, holdForm } from '../../registry/people/held-forms.ts';
import { FormFields } from '../html/form-fields.ts';
import { html } from '../html/layout.ts';
import { formButtonTexts } from './form-button-texts.ts';
import {
  type ChangeOutcome,
  type ConsoleChange,
  type ConsoleParts,
  consoleAddress,
  type FormInput,
  isOpenTo,
  type View,
  type Visit,
} from './console-page.ts';
import { heldFormCookie, heldFormOf } from './cookie.ts';
import { isStorable } from '../http/json-body.ts';
import { redirectTo } from './send-page.ts';

/** Of one person: each is a row that is written again, by whoever has an old session of that person. */
const MAX_HELD_PER_MINUTE = 10;

/** Why somebody has to log in, and where it leads afterwards if the form cannot be shown again. */
type Demand = { readonly owner: FormOwner; readonly reason: 'ended' | 'stepUp'; readonly page: string };

export const HELD_FORM_PATH = '/form';

/**
 * Forms that are sent by somebody who has to log in first: they are stored encrypted for an hour, with a key that only the
 * cookie of the browser has, and shown again as they were filled in to the same person for the same registrar.
 */
export class HeldForms {
  readonly #parts: ConsoleParts;
  readonly #changes: ReadonlyMap<string, ConsoleChange>;
  readonly #limiter = new RateLimiter<number>(MAX_HELD_PER_MINUTE);
  readonly #demands = new WeakMap<FastifyRequest, Demand>();

  constructor(parts: ConsoleParts, changes: readonly ConsoleChange[]) {
    this.#parts = parts;
    this.#changes = new Map(changes.map((change) => [change.path, change]));
  }

  /** Whether the form of a request is received, although its answer is a login. */
  accept(request: FastifyRequest, { refill }: ConsoleChange, demand: Demand): boolean {
    if (!refill || !this.#limiter.take(demand.owner.personId).allowed) return false;
    this.#demands.set(request, demand);
    return true;
  }

  demandOf(request: FastifyRequest): Demand | undefined {
    return this.#demands.get(request);
  }

  async hold(request: FastifyRequest, reply: FastifyReply, { owner, reason, page }: Demand) {
    const { database, wallClock } = this.#parts;
    const { body, params, routeOptions } = request;
    const form = {
      path: (routeOptions.url ?? '').replace(consoleAddress(''), ''),
      params: params as Readonly<Record<string, string>>,
      fields: body instanceof FormFields ? body.entries() : [],
    };
    const token = await holdForm(database.writes, owner, form, wallClock.now());
    if (token === undefined) return redirectTo(reply, consoleAddress('/login', { reason, next: page }));
    const next = consoleAddress(HELD_FORM_PATH, { page });
    return redirectTo(
      reply.header('set-cookie', heldFormCookie(token)),
      consoleAddress('/login', { reason, next }),
    );
  }

  /** The form of the browser's cookie as it was filled in; undefined if there is none for this person. */
  async show({ headers }: FastifyRequest, visit: Visit): Promise<ChangeOutcome | undefined> {
    const { database, wallClock } = this.#parts;
    const token = heldFormOf(headers.cookie);
    if (token === undefined) return undefined;
    const form = await findHeldForm(database.writes, token, visit.session, wallClock.now());
    const change = form && this.#changes.get(form.path);
    if (!form || !change?.refill || !isOpenTo(change, visit)) return undefined;
    const outcome = await change.refill(this.#parts, visit, inputOf(form));
    return outcome && ('body' in outcome ? told(outcome, visit) : outcome);
  }
}

const told = (view: View, { lang }: Visit): View => ({
  ...view,
  body: html`<p class="outcome" role="status">${formButtonTexts(lang).loggedInAgain}</p>\n${view.body}`,
});

function inputOf({ params, fields }: HeldForm): FormInput {
  const values = new Map(fields);
  const all = (name: string) => (values.get(name) ?? []).filter(isStorable);
  return {
    params,
    query: () => '',
    fields: all,
    field: (name) => {
      const [value = '', ...others] = all(name);
      return others.length > 0 ? '' : value;
    },
  };
}
