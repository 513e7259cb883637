import type { Policy } from '../../../policy/policy.ts';
import { type LastFailure, MAX_WAITING_COUNTED } from '../../../registry/webhooks/read-last-failure.ts';
import type { ShownEndpoint } from '../../../registry/webhooks/webhook-endpoint.ts';
import { MAX_FAILING_DAYS } from '../../../registry/webhooks/retry-schedule.ts';
import { fillIn } from '../../../platform/values/placeholders.ts';
import { momentIn } from '../../html/language.ts';
import { type Html, html, type Language } from '../../html/layout.ts';
import type { Visit } from '../console-page.ts';
import { readPhrase } from '../messages/message-phrases.ts';
import { resultOf } from './delivery-list.ts';
import { webhookTexts } from './webhook-texts.ts';

/** Why nothing arrives at an endpoint, and how it goes on; nothing for one that works. */
export function failureCallout(
  { enabled, disabledAt, disabledReason, failingSince }: ShownEndpoint,
  failure: LastFailure | undefined,
  visit: Visit,
  policy: Policy,
): Html | false {
  const { lang } = visit;
  const texts = TEXTS[lang];
  const time = (text: string) => momentIn(lang, new Date(text), policy);
  if (!enabled)
    return html`<div class="outcome failed"><p>${texts.disabled}: ${reasonIn(disabledReason ?? '', lang)}</p>
<p>${disabledAt !== null && html`${texts.since} ${time(disabledAt)}. `}${webhookTexts(lang).enableLead}</p></div>
`;
  if (failingSince === null) return false;
  return html`<div class="outcome failed"><p>${failure ? resultOf(failure, lang) : texts.failing}</p>
<p>${texts.failingSince} ${time(failingSince)}. ${failure && waitingText(failure, visit, policy)}${texts.end(MAX_FAILING_DAYS)}</p></div>
`;
}

function waitingText({ waiting, nextAttemptAt }: LastFailure, { lang }: Visit, policy: Policy): Html | false {
  if (waiting === 0 || nextAttemptAt === null) return false;
  const { events, moreThan, nextAttempt } = TEXTS[lang];
  const number = waiting > MAX_WAITING_COUNTED ? moreThan(MAX_WAITING_COUNTED) : events(waiting);
  return html`${number} ${nextAttempt} ${momentIn(lang, nextAttemptAt, policy)}. `;
}

/** What somebody at the registry wrote stays as it is. */
function reasonIn(stored: string, lang: Language): Html {
  const phrase = readPhrase(stored, lang);
  return phrase ? html`${fillIn(phrase.text, phrase.values)}` : html`<span lang="en">${stored}</span>`;
}

type CalloutTexts = {
  readonly disabled: string;
  readonly since: string;
  readonly failing: string;
  readonly failingSince: string;
  readonly events: (waiting: number) => string;
  readonly moreThan: (waiting: number) => string;
  readonly nextAttempt: string;
  readonly end: (days: number) => string;
};

const english: CalloutTexts = {
  disabled: 'Disabled',
  since: 'Since',
  failing: 'The last attempts have failed',
  failingSince: 'Failing since',
  events: (waiting) => (waiting === 1 ? 'One event waits.' : `${waiting} events wait.`),
  moreThan: (waiting) => `More than ${waiting.toLocaleString('en-GB')} events wait.`,
  nextAttempt: 'The next attempt is at',
  end: (days) =>
    `After ${days} days without success the webhook is disabled, and your administrators are told.`,
};

const estonian: CalloutTexts = {
  disabled: 'Välja lülitatud',
  since: 'Alates',
  failing: 'Viimased katsed ebaõnnestusid',
  failingSince: 'Ei toimi alates',
  events: (waiting) => (waiting === 1 ? 'Ootel on üks sündmus.' : `Ootel on ${waiting} sündmust.`),
  moreThan: (waiting) => `Ootel on üle ${waiting.toLocaleString('et')} sündmuse.`,
  nextAttempt: 'Järgmine katse:',
  end: (days) =>
    `Kui ${days} päeva jooksul ükski katse ei õnnestu, lülitatakse veebihaak välja ja sellest teatatakse administraatoritele.`,
};

const TEXTS: Readonly<Record<Language, CalloutTexts>> = { en: english, et: estonian };
