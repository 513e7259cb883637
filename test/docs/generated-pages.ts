import type { Command } from 'commander';
import type { JobDefinition } from '../../src/app/job-definitions.ts';
import { describeJob } from '../../src/app/job-descriptions.ts';
import { catalogue as billing } from '../../src/billing/billing-refusals.ts';
import { catalogue as billingOperators } from '../../src/billing/operator-refusals.ts';
import { catalogue as billingApi } from '../../src/doors/billing-api/billing-api-refusals.ts';
import { catalogue as epp } from '../../src/doors/epp/frame-refusals.ts';
import { catalogue as http } from '../../src/doors/http/request-refusals.ts';
import { catalogue as registrarApi } from '../../src/doors/registrar-api/registrar-api-refusals.ts';
import { statusOf } from '../../src/doors/registrar-api/render-refusals.ts';
import { catalogue as installationOperators } from '../../src/installation/operator-refusals.ts';
import { catalogue as operations } from '../../src/operations/common-refusals.ts';
import { OPERATOR_RIGHTS } from '../../src/operations/operator-operation.ts';
import { catalogue as reasons } from '../../src/operations/reason.ts';
import type { Catalogue } from '../../src/operations/refusal.ts';
import type { Config, Mode } from '../../src/platform/config/config.ts';
import { settings } from '../../src/platform/config/settings.ts';
import { catalogue as recoveryOperators } from '../../src/recovery/operator-refusals.ts';
import { catalogue as certificates } from '../../src/registry/certificates/certificate-refusals.ts';
import { catalogue as operators } from '../../src/registry/operator-refusals.ts';
import { messageKinds, messageTypes } from '../../src/registry/poll/send-messages.ts';
import { catalogue as registry } from '../../src/registry/registry-refusals.ts';
import { eventOfMessage, eventTypes } from '../../src/registry/webhooks/event-types.ts';
import { catalogue as reservationOperators } from '../../src/reservations/operator-refusals.ts';
import { catalogue as reservations } from '../../src/reservations/reservation-refusals.ts';
import type { ListedMetric } from '../support/listed-metrics.ts';
import type { ListedOperation } from '../support/operator-operations.ts';

/** Those of the staff alone have a page of their own. */
export const operatorCatalogues: readonly Catalogue[] = [
  operators,
  certificates,
  billingOperators,
  installationOperators,
  recoveryOperators,
  reservationOperators,
  reasons,
];

const GENERATED = (source: string) =>
  `<!-- Generated from ${source}. Do not edit: run npx vitest run test/docs/generated.test.ts --update -->`;

const cell = (text: string): string => text.replaceAll('|', '\\|');
const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => '---'), ...rows].map((row) => `| ${row.map(cell).join(' | ')} |`).join('\n');

/** Every catalogue of refusals, by the module whose rules they are. */
export const catalogues: readonly {
  readonly title: string;
  readonly source: string;
  readonly about: string;
  readonly catalogue: Catalogue;
  /** Whether another protocol than HTTP has them. */
  readonly isOtherProtocol?: true;
}[] = [
  {
    title: 'Every call',
    source: 'src/operations/common-refusals.ts',
    catalogue: operations,
    about: 'What any call can answer, and what parsers say of a value.',
  },
  {
    title: 'HTTP',
    source: 'src/doors/http/request-refusals.ts',
    catalogue: http,
    about: 'What is wrong with a request before its content means anything.',
  },
  {
    title: 'Registry',
    source: 'src/registry/registry-refusals.ts',
    catalogue: registry,
    about: 'Rules about domains, contacts, poll messages and access.',
  },
  {
    title: 'Billing',
    source: 'src/billing/billing-refusals.ts',
    catalogue: billing,
    about:
      'Rules about invoices and payments. Texts of refusals about a field of the billing API continue the name of the field; whole sentences are for operators.',
  },
  {
    title: 'Billing API',
    source: 'src/doors/billing-api/billing-api-refusals.ts',
    catalogue: billingApi,
    about: 'What the billing API says of the form of a field.',
  },
  {
    title: 'Reservations',
    source: 'src/reservations/reservation-refusals.ts',
    catalogue: reservations,
    about: 'What the reservation API of the business portal answers by itself.',
  },
  {
    title: 'EPP',
    source: 'src/doors/epp/frame-refusals.ts',
    catalogue: epp,
    isOtherProtocol: true,
    about:
      'What [EPP](epp.md) says of a frame before its command is carried out; the rules are those of the registry.',
  },
];

/** docs/integrate/errors.md: everything that is refused. */
export function errorsPage(): string {
  const sections = catalogues.map(({ title, about, source, catalogue, isOtherProtocol }) => {
    const refusals = Object.entries(catalogue)
      .map(([name, entry]) => ({ name, ...entry, status: statusOf[entry.kind] }))
      .sort((one, other) => one.code - other.code || one.status - other.status);
    return `### ${title}

${about} Source: [${source}](../../${source}).

${table(
  ['name', 'code', 'HTTP', 'message', 'when'],
  refusals.map(({ code, status, text, when, carries, name }) => [
    `\`${name}\``,
    String(code),
    isOtherProtocol ? '–' : String(status),
    text,
    carries ? `${when}; the error has ${carries.map((each) => `\`${each}\``).join(', ')}` : when,
  ]),
)}`;
  });
  const spoken = Object.values(registrarApi).map((entry) => ({ ...entry, status: statusOf[entry.kind] }));
  const statuses = [...Map.groupBy(spoken, ({ status }) => status)].sort(([one], [other]) => one - other);
  return `${GENERATED('the catalogues of refusals')}

# Errors

Everything that is refused, in one closed catalogue per module. A name is unique over all of them. The code is one of the EPP family (RFC 5730).

The column HTTP is the status of the registrar API. It follows from the kind of refusal, so one code can have several statuses: 2303 is 404 for an object that is not there and 410 for one that was removed. The billing API answers refusals about a field with 422, the reservation API refusals by a rule; see [the billing API](billing.md) and [the reservation API](reservation-api.md).

In the registrar API a refusal is an envelope with its \`code\` and \`message\`, and with \`data\` as an empty object. Refusals other than 401, 500 and 503 also have \`errors\`, which lists every failure found; the \`reason\` of an entry is the name of its refusal. A refusal changes no object.

The list runs ahead of the API: a refusal about something that is still on [the roadmap](../roadmap.md) cannot happen yet.

Words in braces stand for what the message names: \`{field}\` is the path of a field such as \`contact.phone\`, \`{member}\` the last part of it, \`{expected}\` what it should have been. Decide by status and code: texts may be reworded.

## By code

${sections.join('\n\n')}

## By status

Of the registrar API:

${table(
  ['HTTP', 'codes'],
  statuses.map(([status, group]) => [
    String(status),
    [...new Set(group.map(({ code }) => code))].sort((one, other) => one - other).join(', '),
  ]),
)}
`;
}

/** docs/integrate/event-types.md: every poll message and every event. */
export function eventTypesPage(): string {
  const ofMessages = messageTypes.map((type) => {
    const { attached, text } = messageKinds[type];
    const about = attached === null ? '–' : `\`${attached}\``;
    return [`\`${type}\``, `\`${eventOfMessage(type)}\``, about, text.replace(/\{(\w+)\}/g, '*$1*')];
  });
  const others = [...eventTypes].filter(([, when]) => !when.startsWith('poll message '));
  return `${GENERATED('messageKinds of src/registry/poll/send-messages.ts and src/registry/webhooks/event-types.ts')}

# Types of messages and events

Every [poll message](messages.md#poll-messages) is an event of [webhooks](webhooks.md) and of [the feed](messages.md#events) too. Decide by the type: texts are for people and may be reworded.

## Poll messages

${table(['message', 'event', 'attached object', 'text'], ofMessages)}

## Other events

${table(
  ['event', 'when'],
  others.map(([type, when]) => [`\`${type}\``, when]),
)}
`;
}

/** docs/operate/operator-operations.md: what the registry's staff can do. */
export function operationsPage(operations: readonly ListedOperation[]): string {
  const rights = Object.entries(OPERATOR_RIGHTS).map(([right, about]) => [`\`${right}\``, about]);
  const sentences: Catalogue = Object.assign(
    {},
    ...operatorCatalogues,
    ...catalogues.map(({ catalogue }) => catalogue),
  );
  return `${GENERATED('the operations of operators')}

# What operators do

Every change by the registry's staff is [an operation](../decisions/0138-what-operators-do.md) with a right, refusals, a dry run and a reason that is kept in the history: a text for the file (\`--reason\`), a code (\`--reason-code\`), a text for the registrar (\`--for-registrar\`) and the number of a case (\`--case\`). Whoever can run a command has every right; pages give them out one by one.

${table(['right', 'to change'], rights)}

${table(
  ['operation', 'right', 'commands', 'pages', 'refused with'],
  operations.map(({ name, right, commands, pages, refusals }) => [
    name,
    right,
    commands.map((command) => `\`${command}\``).join(', '),
    pages.join(', '),
    refusals.map((refusal) => sentences[refusal]?.text ?? refusal).join('; '),
  ]),
)}
`;
}

/** docs/operate/commands.md: what can be typed. */
export function commandsPage(program: Command): string {
  const rows = leavesOf(program).map(({ words, command }) => [
    `\`cadastre ${[...words, ...command.registeredArguments.map(argumentOf)].join(' ')}\``,
    sentence(command.description()),
    command.options
      .filter(({ long }) => !COMMON_OPTIONS.includes(long ?? ''))
      .map(({ flags }) => `\`${flags}\``)
      .join(', '),
  ]);
  return `${GENERATED('the commands')}

# Commands

What [every command](command.md) has in common is left out here: \`--json\`, \`--dry-run\`, \`--yes\`, and the reasons of changes. \`cadastre … --help\` explains each option.

${table(['command', 'what it does', 'options'], rows)}
`;
}

const COMMON_OPTIONS = [
  '--json',
  '--dry-run',
  '--yes',
  '--reason',
  '--reason-code',
  '--for-registrar',
  '--case',
];
const sentence = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
const argumentOf = (argument: Command['registeredArguments'][number]): string => {
  const shown = argument.variadic ? `${argument.name()}...` : argument.name();
  return argument.required ? `<${shown}>` : `[${shown}]`;
};
const leavesOf = (command: Command, words: readonly string[] = []): { words: string[]; command: Command }[] =>
  command.commands.flatMap((sub) => {
    const name = [...words, sub.name()];
    return sub.commands.length === 0 ? [{ words: name, command: sub }] : leavesOf(sub, name);
  });

/** docs/operate/metrics.md: what can be measured. */
export function metricsPage(metrics: readonly ListedMetric[]): string {
  const rows = metrics.map(({ name, kind, labels, help }) => [`\`${name}\``, kind, labels.join(', '), help]);
  return `${GENERATED('the metrics that the processes register')}

# Metrics

Served [at \`/metrics\`](monitoring.md#metrics), with the usual \`process_\` and \`nodejs_\` ones. What is read from the database, such as jobs, mails, money, zones and standbys, is the same on every process: take the maximum, not the sum. Times are Unix timestamps: \`time() - cadastre_mails_oldest_waiting_timestamp_seconds\` is an age. Labels never contain what clients sent.

${table(['metric', 'kind', 'labels', 'meaning'], rows)}
`;
}

/** docs/operate/job-list.md: what runs by itself. */
export function jobsPage(jobs: readonly JobDefinition[]): string {
  const rows = jobs.map(({ name, intervalMs }) => [
    `\`${name}\``,
    describeInterval(intervalMs),
    describeJob(name) ?? '',
  ]);
  return `${GENERATED('the jobs')}

# The jobs

[What they have in common, and their limits](jobs.md). Those that are due at once run as soon as there is something to do. What a job deletes goes [a day later](clocks.md#a-wrong-clock) than said here.

${table(['job', 'how often', 'what it does'], rows)}
`;
}

function describeInterval(ms: number): string {
  if (ms < 60_000) return 'at once';
  if (ms >= 86_400_000) return 'daily';
  if (ms >= 3_600_000) return 'hourly';
  return ms === 60_000 ? 'every minute' : `every ${ms / 60_000} minutes`;
}

/** docs/operate/alerts.md: what wakes somebody, and where they read on. */
export function alertsPage(rules: string): string {
  const [, ...alerts] = rules.split(/^ +- alert: /m);
  const rows = alerts.map((alert) => {
    const [name = ''] = alert.split('\n', 1);
    const value = (field: string) => new RegExp(`\\b${field}: (.*?)(?: \\})?$`, 'm').exec(alert)?.[1] ?? '';
    const summary = value('summary')
      .replace(/^'|'$/g, '')
      .replaceAll(/\{\{ \$labels\.(\w+) \}\}/g, '*$1*')
      .replaceAll(/\{\{ with .*?\{\{ end \}\}/g, '')
      .replaceAll(/\{\{ \$value[^}]*\}\}/g, '*value*');
    const page = value('runbook').replace('docs/operate/', '');
    return [
      `\`${name}\``,
      value('severity'),
      value('for'),
      summary,
      `[${page.replace(/^troubles\/|\.md$/g, '')}](${page})`,
    ];
  });
  return `${GENERATED('deploy/prometheus/cadastre.rules.yml')}

# Alerts

\`critical\`: clients are affected, or soon will be. \`warning\`: look at it within a day. [How to install the rules](monitoring.md#alerts).

${table(['alert', 'severity', 'after', 'what it says', 'what to do'], rows)}
`;
}

type Setting = (typeof settings)[keyof typeof settings];

/** docs/operate/configuration.md: every setting there is. */
export function configurationPage(): string {
  return `${GENERATED('src/platform/config/settings.ts')}

# Configuration

Settings come from the environment, and from the file that the environment variable \`CADASTRE_CONFIG\` names. That file has one \`NAME=value\` per line. The environment wins over the file, and an empty value counts as none.

A wrong value, or a name in the file that is no setting, stops the start. All errors are reported together, each in one sentence. Values of secrets are never repeated.

\`cadastre settings\` shows every setting with its present value, and with \`--sandbox\` the defaults of the sandbox. Secrets that are set are shown as \`(set)\`, or as \`(default)\` where the sandbox has its own, addresses without user, password and values of the query.

${table(
  ['setting', 'in production', 'in the sandbox', 'takes', 'what it is'],
  Object.values(settings).map((setting) => [
    `\`${setting.env}\``,
    defaultOf(setting, 'production'),
    defaultOf(setting, 'sandbox'),
    `${accepted(setting)}${setting.secret ? '; secret' : ''}`,
    setting.about,
  ]),
)}

\`serve\` and \`work\` need \`DATABASE_URL\`. The sandbox and the commands that look at it need nothing.
`;
}

function defaultOf({ fallback }: Setting, mode: Mode): string {
  const value: Config[keyof typeof settings] = fallback[mode];
  const text = Array.isArray(value) ? value.join(',') : String(value ?? '');
  return text === '' ? 'none' : `\`${text}\``;
}

/** The values that a setting accepts, in the words of its own error message. */
function accepted({ read }: Setting): string {
  const complaint: unknown = read('?');
  if (typeof complaint !== 'object' || complaint === null || !('expected' in complaint)) return 'a text';
  return String(complaint.expected).replace(/ \("\?".*\)$/, '');
}
