import { guideOfApi, guideOfRefusal } from '../../guide-links.ts';
import { WAY_TITLES } from '../guide/guide-frame.ts';
import { guideMarkdownPath } from '../guide/guide-places.ts';
import { fieldsOf, limitsOf, typeOf } from './fields.ts';
import type { Answer, Call, EventKind, Group, Json } from './model.ts';
import { isChange, type Outcome, ownOutcomes } from './outcomes.ts';
import {
  apiPath,
  eventsPath,
  EVERY_CALL,
  EVERY_CHANGE,
  groupPath,
  inLanguage,
  LLMS_PATH,
  markdownPath,
} from './places.ts';
import { type LanguageId, languageOf, sampleOf } from './samples/languages.ts';
import type { ShownApi, Site } from './site.ts';

type Row = readonly string[];

/** A cell may have neither bars nor line breaks. */
const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll(/\s+/g, ' ').trim();
const tableOf = (titles: Row, rows: readonly Row[]): string =>
  [titles, titles.map(() => '---'), ...rows].map((cells) => `| ${cells.map(cell).join(' | ')} |`).join('\n');
const fenced = (language: string, text: string): string => `\`\`\`${language}\n${text}\n\`\`\``;
const json = (value: unknown): string => fenced('json', JSON.stringify(value, null, 2) ?? '');
/** The parts that there are, with an empty line between. */
const joined = (...parts: readonly (string | false | undefined)[]): string =>
  parts.filter((part) => part !== false && part !== undefined && part !== '').join('\n\n');
const sentences = (...texts: readonly string[]): string => texts.filter(Boolean).join('; ');

export function groupMarkdown(group: Group, shown: ShownApi, language: LanguageId): string {
  return joined(
    `# ${group.name}`,
    group.description,
    explained(shown.name, group.name),
    setupMarkdown(shown, language),
    ...group.calls.map((call) => callMarkdown(call, shown, language)),
  );
}

function explained(api: string, group?: string): string {
  const guide = guideOfApi(api, group);
  if (guide === undefined) return '';
  const [page, anchor] = guide.split('#', 2);
  const address = anchor === undefined ? `${page}.md` : `${page}.md#${anchor}`;
  return `How it works is explained in [the guide](${address}).`;
}

function setupMarkdown({ samples }: ShownApi, language: LanguageId): string {
  const { name, fence, setup } = languageOf(language);
  return setup ? joined(`Examples in ${name} begin like this:`, fenced(fence, setup(samples))) : '';
}

function callMarkdown(call: Call, shown: ShownApi, language: LanguageId): string {
  const { name, api, shared, samples } = shown;
  const { resolve } = api;
  const { id, method, path, summary, description, parameters, body, answers, events } = call;
  const { fence } = languageOf(language);
  const own = ownOutcomes(call, shared);
  const parameterRows = parameters.map((each) => [
    `\`${each.name}\``,
    each.place,
    typeOf(each.schema, resolve),
    each.required ? 'yes' : 'no',
    sentences(each.description, limitsOf(each.schema, resolve)),
  ]);
  return joined(
    `## ${summary}`,
    `\`${method} ${path}\` (${id})`,
    description,
    parameters.length > 0 && '### Parameters',
    parameters.length > 0 && tableOf(['Name', 'In', 'Type', 'Required', 'Meaning'], parameterRows),
    body && '### Body',
    body && fieldRows(body.schema, resolve),
    '### Request',
    fenced(fence, sampleOf(call, languageOf(language), samples)),
    ...answers
      .filter(({ status }) => status.startsWith('2'))
      .map((answer) => answerMarkdown(answer, resolve)),
    events.length > 0 && '### Events',
    events.map(({ type, when }) => `- \`${type}\`${when && `, ${when}`}`).join('\n'),
    '### Refusals',
    own.length > 0 && outcomeRows(own),
    alsoSentence(call, name, shown),
  );
}

const answerMarkdown = (
  { status, description, schema, examples }: Answer,
  resolve: ShownApi['api']['resolve'],
): string =>
  joined(
    `### Answer ${status}`,
    description,
    ...examples.map(({ value }) => json(value)),
    schema && fieldRows(schema, resolve),
  );

const fieldRows = (schema: Json, resolve: ShownApi['api']['resolve']): string =>
  tableOf(
    ['Field', 'Type', 'Always', 'Meaning'],
    fieldsOf(schema, resolve).map(({ path, type, required, description, limits }) => [
      `\`${path}\``,
      type,
      required ? 'yes' : 'no',
      sentences(description, limits),
    ]),
  );

const outcomeRows = (outcomes: readonly Outcome[]): string =>
  tableOf(
    ['Status', 'Name', 'When'],
    outcomes.map(({ status, description, example }) => [
      status,
      example ? `[\`${example.name}\`](${guideOfRefusal(example.name).replace('#', '.md#')})` : '',
      example?.summary || description,
    ]),
  );

function alsoSentence(call: Call, api: string, { shared }: ShownApi): string {
  const introduction = markdownPath(apiPath(api));
  const also = [
    shared.byAll.length > 0 && `[every call](${introduction}#${EVERY_CALL}) can answer`,
    isChange(call) &&
      shared.byChanges.length > 0 &&
      `[every change](${introduction}#${EVERY_CHANGE}) can answer`,
  ].filter((each) => each !== false);
  return also.length === 0 ? '' : `Also what ${also.join(' and what ')}.`;
}

export function introductionMarkdown(shown: ShownApi, language: LanguageId): string {
  const { name, api, shared, samples } = shown;
  const signIn = api.signIn.map((way) => `- Sign in: ${way.name}: ${way.description}`);
  return joined(
    `# ${api.title}`,
    api.summary,
    api.description,
    explained(name),
    [
      `- Server: ${samples.caller.origin}`,
      `- Version: ${api.version}`,
      `- OpenAPI: /openapi/${name}.json`,
      ...signIn,
    ].join('\n'),
    setupMarkdown(shown, language),
    '## Calls',
    api.groups.map((group) => `- [${group.name}](${markdownPath(groupPath(name, group))})`).join('\n'),
    shared.byAll.length > 0 && '## Errors common to all calls',
    shared.byAll.length > 0 && outcomeRows(shared.byAll),
    shared.byChanges.length > 0 && '## Errors common to all changes',
    shared.byChanges.length > 0 && outcomeRows(shared.byChanges),
  );
}

export const eventsMarkdown = (events: readonly EventKind[]): string =>
  joined(
    '# Events',
    'What is posted to webhook endpoints, by Standard Webhooks.',
    tableOf(
      ['Type', 'When'],
      events.map(({ type, summary }) => [`\`${type}\``, summary]),
    ),
  );

/** By the convention of llms.txt: what this is, and where programs that read find more. */
export function llmsText({ apis, guide, caller }: Site, language: LanguageId): string {
  const link = (path: string, title: string, about = '') =>
    `- [${title}](${caller.origin}${inLanguage(markdownPath(path), language)})${about && `: ${about}`}`;
  return joined(
    '# Cadastre',
    '> A domain registry: the API of registrars, the reservation API of the business portal, and the billing API.',
    ...guide.ways.flatMap(({ way, first, branches }) => [
      `## ${WAY_TITLES[way]}`,
      [first, ...branches.flatMap(({ page, children }) => [page, ...children])]
        .map(({ path, title }) => `- [${title}](${caller.origin}${guideMarkdownPath(path)})`)
        .join('\n'),
    ]),
    ...apis.flatMap(({ name, api }) => [
      `## ${api.title}`,
      [
        link(apiPath(name), 'Introduction and errors', api.summary),
        ...api.groups.map((group) => link(groupPath(name, group), group.name, group.description)),
        ...(api.events.length > 0 ? [link(eventsPath(name), 'Events')] : []),
        `- [OpenAPI document](${caller.origin}/openapi/${name}.json)`,
      ].join('\n'),
    ]),
    '## Optional',
    `- [The client for TypeScript and JavaScript](${caller.origin}/sdk.tgz): npm install ${caller.origin}/sdk.tgz\n- The examples are in curl; with ?code=typescript, python, php or java in that language\n- [This list](${caller.origin}${LLMS_PATH})`,
  );
}
