import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { hashPassword } from '../../../registry/access/passwords.ts';
import { acceptAsMember, acceptAsNewPerson } from '../../../registry/people/accept-invitation.ts';
import { isAcceptablePassword } from '../../../registry/people/change-person-password.ts';
import { findInvitation } from '../../../registry/people/find-invitation.ts';
import { emailKey } from '../../../registry/people/person.ts';
import { parsePersonName } from '../../../registry/people/person-name.ts';
import type { PersonSession } from '../../../registry/people/person-sessions.ts';
import { languageOf } from '../../html/language.ts';
import { accountTexts } from '../account/account-texts.ts';
import { needsSecondFactor } from '../account/second-factor-demand.ts';
import { redirectTo, sendConsolePage } from '../send-page.ts';
import { type FrameSetting, framedLoggedOut } from '../frame.ts';
import { readForm, readInput } from '../input.ts';
import type { LoginAnswers } from '../login/login-answers.ts';
import { type ConsoleParts, consoleAddress, type FormInput, type View } from '../console-page.ts';
import {
  closedPage,
  existingPersonPage,
  invitationAddress,
  memberPage,
  newPersonPage,
  type Shown,
} from './invitation-page.ts';
import { invitationTexts } from './invitation-texts.ts';

const PATH = '/invitation/:token';
const TOKEN = /^[A-Za-z0-9_-]{43}$/;

/** Where the link of an invitation leads. Opening it decides nothing: programs open the links of mails too. */
export function invitationRoutes(
  app: FastifyInstance,
  parts: ConsoleParts,
  setting: FrameSetting,
  answers: LoginAnswers,
): void {
  const { database, wallClock } = parts;

  const show = (request: FastifyRequest, reply: FastifyReply, view: View) =>
    sendInvitation(request, reply, view, setting);

  const find = async (request: FastifyRequest): Promise<Shown | undefined> => {
    const [token, lang] = [tokenOf(request), languageOf(request)];
    if (!TOKEN.test(token)) return undefined;
    const invitation = await findInvitation(database.writes, token, wallClock.now());
    return invitation && { invitation, token, lang };
  };

  /** The session of the invited person, if it is the one that uses the browser. */
  const sessionOf = async (request: FastifyRequest, { invitation }: Shown) => {
    const session = await answers.previous(request);
    return session && emailKey(session.email) === invitation.email ? session : undefined;
  };

  app.get(PATH, { exposeHeadRoute: true }, async (request, reply) => {
    const shown = await find(request);
    if (!shown) return show(request, reply, closedPage(languageOf(request)));
    if (!shown.invitation.isForExistingPerson) return show(request, reply, newPersonPage(shown));
    const session = await sessionOf(request, shown);
    return show(request, reply, session ? memberPage(shown) : existingPersonPage(shown, 200));
  });

  app.post(PATH, async (request, reply) => {
    const shown = await find(request);
    if (!shown) return show(request, reply, closedPage(languageOf(request)));
    if (!shown.invitation.isForExistingPerson) return acceptNew(request, reply, shown);
    const session = await sessionOf(request, shown);
    return session
      ? acceptMember(request, reply, shown, session)
      : show(request, reply, existingPersonPage(shown, 403));
  });

  async function acceptNew(request: FastifyRequest, reply: FastifyReply, shown: Shown) {
    const read = readNewPerson(readForm(request), shown);
    if ('title' in read) return show(request, reply, read);
    const login = { name: read.name, passwordHash: await hashPassword(read.password) };
    const moment = { now: wallClock.now(), requestId: request.id };
    const outcome = await acceptAsNewPerson(database.writes, shown.token, login, moment);
    if (outcome === 'closed') return show(request, reply, closedPage(shown.lang));
    if (outcome === 'existing') return show(request, reply, existingPersonPage(shown, 403));
    const next = consoleAddress('');
    return answers.begin(request, reply, { personId: outcome.personId, factor: 'password', next });
  }

  async function acceptMember(
    request: FastifyRequest,
    reply: FastifyReply,
    shown: Shown,
    session: PersonSession,
  ) {
    if (needsSecondFactor(parts, session)) return redirectTo(reply, consoleAddress('/account/code'));
    const moment = { now: wallClock.now(), requestId: request.id };
    const outcome = await acceptAsMember(database.writes, shown.token, session, moment);
    return typeof outcome === 'string'
      ? show(request, reply, closedPage(shown.lang))
      : redirectTo(reply, consoleAddress('', { notice: 'invitationAccepted' }));
  }
}

function sendInvitation(request: FastifyRequest, reply: FastifyReply, view: View, setting: FrameSetting) {
  const lang = languageOf(request);
  const other = invitationAddress(tokenOf(request), lang === 'en' ? 'et' : 'en');
  const page = framedLoggedOut(view, lang, setting, other);
  // The address is a secret.
  return sendConsolePage(reply.code(view.status ?? 200), page, { 'referrer-policy': 'no-referrer' });
}

type NewPerson = { readonly name: string; readonly password: string };

/** Or the form again, with what is wrong. */
function readNewPerson(form: FormInput, shown: Shown): NewPerson | View {
  const password = form.field('password');
  const name = parsePersonName(form.field('name'));
  const isPasswordGood = isAcceptablePassword(password);
  if (name !== undefined && isPasswordGood) return { name, password };
  const faults = {
    ...(name === undefined && { name: invitationTexts(shown.lang).wrongName }),
    ...(!isPasswordGood && { password: accountTexts(shown.lang).password.unacceptable }),
  };
  return newPersonPage(shown, { name: form.field('name').slice(0, 100), faults });
}

const tokenOf = (request: FastifyRequest): string => readInput(request).params.token ?? '';
