import { runRegistryOperation } from '../../../registry/run-registry-operation.ts';
import {
  createEndpoint,
  type EndpointGeneration,
  type EndpointSecret,
  readSecret,
} from '../../../registry/webhooks/create-endpoint.ts';
import { rotateSecret } from '../../../registry/webhooks/rotate-secret.ts';
import { deleteEndpoint, updateEndpoint } from '../../../registry/webhooks/update-endpoint.ts';
import type { WebhookSettings } from '../../../registry/webhooks/known-webhooks.ts';
import { html, type Language } from '../../html/layout.ts';
import { copyAddress } from '../assets.ts';
import { copyButton } from '../copy-button.ts';
import { defineConfirmed } from '../confirmed-form.ts';
import { refusal } from '../form-refusals.ts';
import { onlyVersion } from '../only-version.ts';
import { type ConsoleParts, consoleAddress, type View, type Visit } from '../console-page.ts';
import { definePreviewed } from '../previewed-form.ts';
import { loadOwnWebhook, webhookAddress, webhookName } from './own-webhook.ts';
import { readWebhook, webhookFacts, webhookFields } from './webhook-form.ts';
import { webhookTexts } from './webhook-texts.ts';

const DANGEROUS = { right: 'access', needsRecentLogin: true, isUnpriced: true } as const;

/** No table has the secret: it is derived, for a form that is sent twice as for the first. */
const secretShownOnce = (title: 'createdTitle' | 'rotatedTitle') => ({
  stored: ({ id, generation }: EndpointGeneration) => ({ webhook: { id, generation } }),
  done: async (
    { webhook }: { readonly webhook: EndpointGeneration },
    { settings }: { readonly settings: WebhookSettings },
    _loaded: unknown,
    { lang }: Visit,
    { database }: ConsoleParts,
  ) => secretView(await readSecret(database.writes, settings, webhook), webhookTexts(lang)[title], lang),
});

function secretView({ id, secret }: EndpointSecret, heading: string, lang: Language): View {
  const texts = webhookTexts(lang);
  return {
    title: heading,
    body: html`<h1>${heading}</h1>
<p class="lead">${texts.secretOnce}</p>
<dl class="facts"><div><dt>${texts.secret}</dt><dd class="secret">${secret}${copyButton(secret, lang, texts.secret)}</dd></div></dl>
<p><a href="${webhookAddress(id)}">${texts.name}</a></p>
<p><a href="${consoleAddress('/webhooks')}">${texts.back}</a></p>
`,
    scripts: [copyAddress],
  };
}

const webhookCreation = definePreviewed({
  path: '/webhooks/new',
  ...DANGEROUS,
  load: async () => ({}),
  texts: (_, { lang }) => {
    const { create, back } = webhookTexts(lang);
    return { ...create, back: { to: consoleAddress('/webhooks'), text: back } };
  },
  fields: (_, values, { lang }) => webhookFields(values, lang),
  read: (form, _, { webhooks: settings }) => {
    const read = readWebhook(form, settings);
    return 'refusals' in read ? read : { value: { settings, endpoint: read.value } };
  },
  run: (database, { settings, endpoint }, context) =>
    runRegistryOperation(database, createEndpoint(settings), endpoint, context),
  preview: ({ endpoint }, _, { lang }) => webhookFacts(endpoint, lang),
  ...secretShownOnce('createdTitle'),
});

const webhookChange = definePreviewed({
  path: '/webhooks/:webhook/change',
  ...DANGEROUS,
  load: loadOwnWebhook,
  version: ({ updatedAt }) => Date.parse(updatedAt),
  texts: ({ id }, { lang }) => {
    const { change, toWebhook } = webhookTexts(lang);
    return { ...change, back: { to: webhookAddress(id), text: toWebhook } };
  },
  fields: (endpoint, values, { lang }) => webhookFields(values, lang, endpoint),
  read: (form, { id }, { webhooks }) => {
    const read = readWebhook(form, webhooks);
    return 'refusals' in read ? read : { value: { id, ...read.value } };
  },
  checkPreview: ({ url, description, eventTypes }, stored) => {
    const isSame =
      url === stored.url &&
      description === stored.description &&
      String(eventTypes?.toSorted()) === String(stored.eventTypes?.toSorted());
    return isSame ? [refusal('nothingChanges')] : [];
  },
  run: (database, input, context, version) =>
    runRegistryOperation(database, onlyVersion(updateEndpoint, version), input, context),
  preview: (input, _, { lang }) => webhookFacts(input, lang),
  done: (_answer, { id }) => ({ to: webhookAddress(id), notice: 'webhookChanged' }),
});

const secretRotation = definePreviewed({
  path: '/webhooks/:webhook/secret',
  ...DANGEROUS,
  load: loadOwnWebhook,
  texts: ({ id }, { lang }) => {
    const { rotate, toWebhook } = webhookTexts(lang);
    return { ...rotate, back: { to: webhookAddress(id), text: toWebhook } };
  },
  fields: () => [],
  read: (_form, { id }, { webhooks: settings }) => ({ value: { id, settings } }),
  run: (database, { id, settings }, context) =>
    runRegistryOperation(database, rotateSecret(settings), { id }, context),
  preview: (_input, endpoint, { lang }) => {
    const { name, happens, rotate } = webhookTexts(lang);
    return [
      [name, webhookName(endpoint)],
      [happens, rotate.lead],
    ];
  },
  ...secretShownOnce('rotatedTitle'),
});

const DELETED = { to: consoleAddress('/webhooks'), notice: 'webhookDeleted' } as const;

const webhookDeletion = defineConfirmed({
  path: '/webhooks/:webhook/delete',
  right: 'access',
  needsRecentLogin: true,
  load: loadOwnWebhook,
  texts: ({ id }, { lang }) => {
    const { remove, toWebhook } = webhookTexts(lang);
    const { title, confirm } = remove;
    return { title, confirm, back: { to: webhookAddress(id), text: toWebhook } };
  },
  consequence: (endpoint, { lang }) => {
    const { name, happens, remove } = webhookTexts(lang);
    return [
      [name, webhookName(endpoint)],
      [happens, remove.lead],
    ];
  },
  read: (_form, { id }) => ({ value: { id } }),
  run: (database, input, context) => runRegistryOperation(database, deleteEndpoint, input, context),
  done: () => DELETED,
  onceGone: DELETED,
});

export const webhookOperations = [webhookCreation, webhookChange, secretRotation, webhookDeletion];
