import type { Parsed, Refusal } from '../../../operations/refusal.ts';
import { checkTargetUrl } from '../../../platform/webhooks/target-address.ts';
import type { NewEndpoint } from '../../../registry/webhooks/create-endpoint.ts';
import { MAX_DESCRIPTION_LENGTH, type ShownEndpoint } from '../../../registry/webhooks/webhook-endpoint.ts';
import { subscribableEvents } from '../../../registry/webhooks/event-types.ts';
import type { WebhookSettings } from '../../../registry/webhooks/known-webhooks.ts';
import { CHECKED, type Field, type FieldGroup } from '../../html/form.ts';
import { type Html, html, type Language } from '../../html/layout.ts';
import type { Facts, Values } from '../form-definition.ts';
import { refusal } from '../form-refusals.ts';
import type { FormInput } from '../console-page.ts';
import { eventText } from './event-texts.ts';
import { type EventGroup, webhookTexts } from './webhook-texts.ts';

const CHOSEN = 'chosen';
const MAX_URL_LENGTH = 2_000;

/** By the first word of the type. */
const GROUPS: Readonly<Record<EventGroup, readonly string[]>> = {
  domains: ['domain', 'job'],
  contacts: ['contact'],
  access: ['user', 'certificate', 'webhook'],
  money: ['balance', 'debt', 'invoice', 'statement'],
  registry: ['maintenance'],
};
const GROUP_NAMES = ['domains', 'contacts', 'access', 'money', 'registry'] as const;
const boxName = (type: string): string => `event-${type}`;

/** The fields of an endpoint, as it is or new. */
export function webhookFields(
  values: Values,
  lang: Language,
  endpoint?: Pick<ShownEndpoint, 'url' | 'description' | 'eventTypes'>,
): (Field | FieldGroup)[] {
  const texts = webhookTexts(lang);
  const chosen = endpoint?.eventTypes ?? [];
  const box = (type: string): Field => ({
    name: boxName(type),
    label: `${eventText(lang, type)} (${type})`,
    type: 'checkbox',
    value: values(boxName(type), chosen.includes(type) ? CHECKED : ''),
  });
  return [
    {
      name: 'url',
      label: texts.url,
      hint: texts.urlHint,
      maxLength: MAX_URL_LENGTH,
      value: values('url', endpoint?.url),
      autocomplete: 'off',
    },
    {
      name: 'description',
      label: texts.description,
      hint: texts.descriptionHint,
      isOptional: true,
      value: values('description', endpoint?.description),
      maxLength: MAX_DESCRIPTION_LENGTH,
      autocomplete: 'off',
    },
    {
      name: 'events',
      label: texts.events,
      hint: texts.eventsHint,
      value: values('events', endpoint?.eventTypes ? CHOSEN : 'all'),
      choices: [
        ['all', texts.allEvents],
        [CHOSEN, texts.chosenEvents],
      ],
    },
    ...GROUP_NAMES.map((group) => ({
      legend: texts.groups[group],
      fields: subscribableEvents
        .filter((type) => GROUPS[group].includes(type.split('.', 1)[0] ?? ''))
        .map(box),
    })),
  ];
}

/** As the registrar API reads the same. */
export function readWebhook({ field }: FormInput, { rules }: WebhookSettings): Parsed<NewEndpoint> {
  const [url, description] = [field('url').trim(), field('description').trim()];
  const types = subscribableEvents.filter((type) => field(boxName(type)) === CHECKED);
  const isChosen = field('events') === CHOSEN;
  const expected = checkTargetUrl(url, rules);
  const refusals: Refusal[] = [];
  if (url === '') refusals.push(refusal('fieldMissing', { field: 'url' }));
  else if (expected !== undefined) refusals.push(refusal('wrongSyntax', { field: 'url', expected }));
  if (description.length > MAX_DESCRIPTION_LENGTH)
    refusals.push(
      refusal('wrongSyntax', {
        field: 'description',
        expected: `at most ${MAX_DESCRIPTION_LENGTH} characters`,
      }),
    );
  if (isChosen && types.length === 0) refusals.push(refusal('noEventChosen', { field: 'events' }));
  return refusals.length > 0
    ? { refusals }
    : { value: { url, description, eventTypes: isChosen ? types : null } };
}

export function webhookFacts({ url, description, eventTypes }: NewEndpoint, lang: Language): Facts {
  const texts = webhookTexts(lang);
  return [
    [texts.url, html`<code>${url}</code>`],
    [texts.description, description !== '' && description],
    [texts.events, eventList(eventTypes, lang)],
  ];
}

export function eventList(types: readonly string[] | null, lang: Language): Html {
  if (types === null) return html`${webhookTexts(lang).allEvents}`;
  return html`<ul class="plain-list">${types.map((type) => html`<li>${eventText(lang, type)} <code>${type}</code></li>`)}</ul>`;
}
